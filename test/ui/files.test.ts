import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import { after, before, test } from "node:test";
import { safeName } from "../../src/ui/temporary-files.ts";
import type { PageDownload, PageUpload } from "../../src/ui/replies.ts";
import { awaitOperation } from "../fixture/client.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";

// Uploads and downloads of the page.

let server: TestServer;
let page: PageClient;
before(async () => {
  server = await openTestServer();
  page = pageClient(server.printwright.port);
});
after(() => server.close());

const BLOCK = binaryStl(box([10, 20, 3]));

const upload = (
  name: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream,
  query = "",
  port = server.printwright.port,
) =>
  fetch(`http://127.0.0.1:${port}/ui/upload/?name=${encodeURIComponent(name)}${query}`, {
    method: "POST",
    body,
    ...(body instanceof ReadableStream && { duplex: "half" }),
  } as RequestInit);

const uploaded = async (...args: Parameters<typeof upload>): Promise<PageUpload> => {
  const response = await upload(...args);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as PageUpload;
};

const download = async (scene_id: string, body: object, query = ""): Promise<PageDownload> => {
  const response = await page.post(`/ui/scene/${scene_id}/download/${query}`, body);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as PageDownload;
};

test("a dropped file is imported under its own name", async () => {
  const { file } = await uploaded("Grüße 1.stl", new Uint8Array(BLOCK));
  assert.equal(basename(file), "Grüße 1.stl");
  assert.deepEqual(readFileSync(file), Buffer.from(BLOCK));
  const scene_id = await server.newScene();
  await server.importOne(scene_id, file);
  assert.match((await page.scene(scene_id)).models[0].name, /^Grüße 1/);
});

test("an upload may exceed the limit of other bodies, and other requests are answered meanwhile", async () => {
  const piece = new Uint8Array(2 ** 20).fill(7);
  let sent = 0;
  const stream = new ReadableStream({
    pull(controller) {
      if (sent++ === 40) controller.close();
      else controller.enqueue(piece);
    },
  });
  const sending = uploaded("large.stl", stream);
  await page.state();
  const { file } = await sending;
  assert.equal(statSync(file).size, 40 * 2 ** 20);
});

test("each upload gets its own folder, unless `beside` names an earlier one", async () => {
  const one = await uploaded("a.gltf", Uint8Array.of(1));
  const two = await uploaded("a.bin", Uint8Array.of(2), `&beside=${one.token}`);
  const other = await uploaded("a.bin", Uint8Array.of(3));
  assert.equal(dirname(two.file), dirname(one.file));
  assert.notEqual(dirname(other.file), dirname(one.file));
});

test("no file name leads out of the folder", () => {
  for (const [name, safe] of [
    ["../../etc/passwd", "passwd"],
    ["C:\\Windows\\a.stl", "a.stl"],
    ["..", "_"],
    ["", "_"],
    [".hidden.stl", "hidden.stl"],
    ["a\u0000b:c?.stl", "a_b_c_.stl"],
    ["con.stl", "_con.stl"],
    ["part.STL", "part.STL"],
  ]) {
    assert.equal(safeName(name), safe, JSON.stringify(name));
  }
  const long = safeName(`${"ß".repeat(300)}.stl`);
  assert.ok(Buffer.byteLength(long) <= 255 && long.endsWith(".stl"));
  assert.equal(safeName(long), long);
});

test("an upload that is interrupted or empty leaves no file", async () => {
  const empty = await upload("empty.stl", new Uint8Array());
  assert.equal(empty.status, 400);
  const { file } = await uploaded("whole.stl", Uint8Array.of(1));
  const root = dirname(dirname(file));
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /half/.test(path));
  await new Promise<void>((resolve) => {
    const outgoing = request({
      port: server.printwright.port,
      host: "127.0.0.1",
      method: "POST",
      path: "/ui/upload/?name=half.stl",
      headers: { "Content-Length": "1000000" },
    });
    outgoing.on("error", () => resolve());
    outgoing.write(Buffer.alloc(1000));
    const timer = setInterval(() => {
      if (filesIn(root).length === 0) return;
      clearInterval(timer);
      outgoing.destroy();
    }, 5);
  });
  await until("the part of the file is removed", () => filesIn(root).length === 0);
});

test("each format is downloaded as a named file, once", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("plate.stl", BLOCK));
  const heads = { form: "PK", png: "\u0089PNG", stl: "", job: "PK" };
  for (const [format, head] of Object.entries(heads)) {
    const { url, name } = await download(scene_id, { format, name: "a “plate”" });
    assert.equal(name, `a “plate”.${format === "job" ? "printjob" : format}`);
    const response = await page.get(url);
    assert.equal(response.status, 200);
    assert.match(response.headers.get("Content-Disposition")!, /^attachment; filename="a _plate_\./);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.length, Number(response.headers.get("Content-Length")));
    assert.equal(bytes.toString("latin1", 0, head.length), head);
    await until("the file is gone", async () => (await page.get(url)).status === 404);
  }
});

test("a slow download can run as an operation", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("plate.stl", BLOCK));
  const { url, operation_id } = await download(scene_id, { format: "job" }, "?async=true");
  const operation_url = `/v1/operation/get/?operation_id=${operation_id}`;
  const { status } = await awaitOperation(server.printwright, { status: 202, headers: {}, body: { operation_url } });
  assert.equal(status, "SUCCEEDED");
  const response = await page.get(url);
  assert.equal(response.status, 200);
  await response.arrayBuffer();
});

test("each kind of wrong download request has its own error", async () => {
  const scene_id = await server.newScene();
  const codeOf = async (body: object): Promise<string> => {
    const response = await page.post(`/ui/scene/${scene_id}/download/`, body);
    return ((await response.json()) as { error: { code: string } }).error.code;
  };
  assert.equal(await codeOf({ format: "doc" }), "JSON_SCHEMA_MATCH_ERROR");
  assert.equal(await codeOf({ format: "png", options: { yaws: 3 } }), "JSON_SCHEMA_MATCH_ERROR");
  assert.equal(await codeOf({ format: "stl" }), "OPERATION_FAILED");
  for (const path of ["/ui/download/x/passwd", `/ui/download/${scene_id}/..%2f..%2fpasswd`]) {
    assert.equal((await page.get(path)).status, 404, path);
  }
});

test("the folder is removed when the server stops", async () => {
  const alone = await startPrintwright();
  const { file } = await uploaded("a.stl", Uint8Array.of(1), "", alone.port);
  const root = dirname(dirname(file));
  assert.ok(root.startsWith(tmpdir()) && (statSync(root).mode & 0o77) === 0);
  assert.equal(await alone.stop(), 0);
  assert.ok(!existsSync(root));
  const killed = await startPrintwright();
  const left = dirname(dirname((await uploaded("a.stl", Uint8Array.of(1), "", killed.port)).file));
  await killed.stop("SIGKILL");
  assert.ok(existsSync(left));
  const next = await startPrintwright();
  await until("the folder of the killed server is removed", () => !existsSync(left));
  await next.stop();
  bodyOf(await server.printwright.call("GET", "/v1/"));
});
