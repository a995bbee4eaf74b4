import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageClient } from "../fixture/page-client.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";

// Which clients get the page, and how its files are served: compat-0.9, section 8.

let printwright: Printwright;
before(async () => {
  printwright = await startPrintwright();
});
after(() => printwright.stop());

const get = (path: string, headers?: Record<string, string>): Promise<Response> =>
  pageClient(printwright.port).get(path, headers);

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

test("GET / redirects browsers to the page, and other clients get NOT_FOUND as before", async () => {
  const led = await get("/", { Accept: BROWSER });
  assert.equal(led.status, 302);
  assert.equal(led.headers.get("Location"), "/ui/");
  for (const accept of ["*/*", "application/json", "text/plain, application/json;q=0.5", "text/htmlx"]) {
    const response = await get("/", { Accept: accept });
    assert.equal(response.status, 404, accept);
    assert.match(response.headers.get("Content-Type")!, /^application\/json/);
    assert.equal(response.headers.get("Vary"), "Accept");
  }
  assert.equal(led.headers.get("Vary"), "Accept");
});

const addressesIn = (html: string): string[] => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, one]) => one);

test("the page loads nothing from other hosts, and no site may show it in a frame", async () => {
  const response = await get("/ui/");
  assert.equal(response.status, 200);
  const policy = response.headers.get("Content-Security-Policy")!;
  assert.match(policy, /default-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.equal(response.headers.get("X-Content-Type-Options"), "nosniff");
  const html = await response.text();
  for (const address of addressesIn(html)) assert.match(address, /^\/ui\/|^data:/);
  assert.doesNotMatch(html, /<style|style=|<script>|\son\w+=/);
});

test("files of the page are compressed, have ETags, and are cached forever under their hashes", async () => {
  const html = await (await get("/ui/")).text();
  const files = addressesIn(html).filter((address) => address.startsWith("/"));
  assert.deepEqual(files.map((path) => path.split("?")[0]).sort(), ["/ui/page.css", "/ui/page.js"]);
  for (const path of files) {
    const plain = await get(path, { "Accept-Encoding": "identity" });
    assert.equal(plain.status, 200);
    assert.match(plain.headers.get("Cache-Control")!, /immutable/);
    assert.equal(plain.headers.get("Content-Encoding"), null);
    const text = await plain.text();
    for (const encoding of ["br", "gzip"]) {
      const packed = await get(path, { "Accept-Encoding": encoding });
      assert.equal(packed.headers.get("Content-Encoding"), encoding);
      assert.equal(await packed.text(), text);
    }
    const tag = plain.headers.get("ETag")!;
    const unversioned = await get(path.split("?")[0], { "If-None-Match": tag });
    assert.equal(unversioned.status, 304);
    assert.doesNotMatch(unversioned.headers.get("Cache-Control")!, /immutable/);
  }
});

test("the page and its files together take at most 400 kB, compressed", async () => {
  const sizes = await Promise.all(
    ["/ui/", "/ui/page.js", "/ui/page.css"].map(async (path) =>
      Number((await get(path, { "Accept-Encoding": "br" })).headers.get("Content-Length")),
    ),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total > 0 && total <= 400_000, String(sizes));
});

test("the page knows the maker of each printer type in the list", async () => {
  const makers = await (await get("/ui/makers/")).json();
  const { printer_types } = (await printwright.post("/v1/print-setting/list/", {})).body;
  const labels = printer_types.map(({ label }: { label: string }) => label);
  assert.deepEqual(Object.keys(makers), labels);
  assert.deepEqual(
    [makers["Form 4"], makers["Fuse 1"], makers["Elegoo Saturn 4 Ultra"]],
    [
      { maker: "Formlabs", family: "resin" },
      { maker: "Formlabs", family: "powder" },
      { maker: "Elegoo", family: "resin" },
    ],
  );
});

test("pages of other sites may not call the routes of the page", async () => {
  for (const [method, path] of [
    ["GET", "/ui/state/"],
    ["POST", "/ui/undo-delete/"],
    ["POST", "/ui/upload/?name=a.stl"],
  ]) {
    const { status, body } = await printwright.call(method, path, undefined, {
      headers: { Origin: "https://example.com" },
    });
    assert.equal(status, 403);
    assert.equal(body.error.code, "FORBIDDEN_ORIGIN");
  }
});

test("--no-page turns the page off", async () => {
  const without = await startPrintwright(["--no-page"]);
  try {
    for (const path of ["/", "/ui/", "/ui/page.js", "/ui/state/", "/ui/events/"]) {
      const response = await pageClient(without.port).get(path, { Accept: BROWSER });
      assert.equal(response.status, 404, path);
      assert.equal(response.headers.get("Vary"), null);
    }
  } finally {
    await without.stop();
  }
});
