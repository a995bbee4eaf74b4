import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isPassword, parsePasswordHash } from "../../src/printer/account/password-hash.ts";
import { call } from "../fixture/client.ts";
import { commandLine, compiledExecutable, isDeno, startPrintwright, type Printwright } from "../fixture/printwright.ts";

// Interface supplement, section 3, "Start".

const [command, ...args] = commandLine();
const run = (...more: string[]) => spawnSync(command, [...args, ...more], { encoding: "utf8", timeout: 30_000 });

let printwright: Printwright;
before(async () => {
  printwright = await startPrintwright();
});
after(() => printwright.stop());

test("the server prints its address and READY FOR INPUT, one line each", () => {
  assert.match(printwright.output.stdout, /^http:\/\/localhost:\d+\nREADY FOR INPUT\n$/);
  assert.equal(printwright.output.stderr, "");
});

test("GET /v1/ returns the version that --version prints", async () => {
  const { status, body } = await printwright.call("GET", "/v1/");
  assert.equal(status, 200);
  const printed = run("--version");
  assert.equal(printed.status, 0);
  assert.deepEqual(body, { version: printed.stdout.trim() });
});

test("the server answers on 127.0.0.1 and on ::1", async () => {
  for (const address of ["127.0.0.1", "::1"]) {
    assert.equal(
      (await call(printwright.port, "GET", "/v1/", undefined, { address, headers: { Host: "localhost" } })).status,
      200,
    );
  }
});

test("--help prints the usage and exits 0", () => {
  const { status, stdout } = run("--help");
  assert.equal(status, 0);
  assert.match(stdout, /--port N/);
  assert.match(stdout, /--allow-host NAME/);
  assert.match(stdout, /--max-scenes N/);
  assert.match(stdout, /--max-memory SIZE/);
});

test("--openapi prints an OpenAPI 3.1 document that has every endpoint", () => {
  const { status, stdout } = run("--openapi");
  assert.equal(status, 0);
  const document = JSON.parse(stdout);
  assert.match(document.openapi, /^3\.1\./);
  assert.ok(
    document.paths["/v1/scene/model/import/"].post.requestBody.content["application/json"].schema.properties.file,
  );
  assert.equal(document.paths["/v1/scene/create/"].post.requestBody.content["application/json"].schema.oneOf.length, 2);
  assert.ok(
    document.paths["/v1/operation/get/"].get.parameters.some((one: { name: string }) => one.name === "operation_id"),
  );
});

test("the server returns the OpenAPI document and its page for people in the form that the options print", async () => {
  for (const [option, path, type] of [
    ["--openapi", "/openapi.json", "application/json"],
    ["--api-docs", "/api.md", "text/markdown; charset=utf-8"],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${printwright.port}${path}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), type);
    assert.equal(`${await answer.text()}\n`, run(option).stdout);
  }
  const { status, body, headers } = await printwright.call("POST", "/api.md");
  assert.equal(status, 405);
  assert.equal(body.error.code, "METHOD_NOT_ALLOWED");
  assert.equal(headers.allow, "GET");
});

for (const wrong of [
  [],
  ["--port"],
  ["--port", "x"],
  ["--port", "70000"],
  ["--port", "-1"],
  ["--port", "0", "--nonsense"],
  ["--port", "0", "stray"],
  ["--port", "0", "--max-scenes", "0"],
  ["--port", "0", "--max-memory", "255M"],
  ["--port", "0", "--max-memory", "1X"],
  ["--port", "0", "--max-memory", "-4G"],
  ["--port", "0", "--host", "0.0.0.0"],
  ["--port", "0", "--printers", "/nonexistent/printers.json"],
  ["--port", "0", "--printer", "sdcp://a", "--printer", "sdcp://a:3030"],
  ["--port", "0", "--account-url", "http://example.org"],
  ["--port", "0", "--account-url", "https://ann:secret@example.org"],
  ["--port", "0", "--account-url", "example.org"],
  ["--port", "0", "--log", ""],
  ["--port", "0", "--virtual-printer", "FUSX-1-0"],
]) {
  test(`wrong arguments [${wrong.join(" ")}] print the usage on standard error and exit 2`, () => {
    const { status, stdout, stderr } = run(...wrong);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /Usage: printwright --port N/);
    // The reason must not scroll out of the terminal.
    assert.ok(stderr.split("\n").length < 12 || wrong.length === 0, stderr);
  });
}

test("the refusal of a real machine that the catalog lacks says so", () => {
  const { stderr } = run("--port", "0", "--virtual-printer", "FUSX-1-0");
  assert.match(stderr, /^--virtual-printer: "FUSX-1-0" is a printer of 2026 .* or choose another printer\n\nUsage/);
});

test("--hash-password prints the hash of the password on standard input, and never the password", async () => {
  const { status, stdout, stderr } = spawnSync(command, [...args, "--hash-password"], {
    input: "open sesame\n",
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  assert.match(stdout, /^\$scrypt\$ln=15,r=8,p=3\$\S+\n$/);
  assert.equal(await isPassword("open sesame", parsePasswordHash(stdout.trim())!), true);
  const empty = spawnSync(command, [...args, "--hash-password"], { input: "", encoding: "utf8" });
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /the password is empty/);
});

test("a used port is reported on standard error with exit status 1", () => {
  const { status, stdout, stderr } = run("--port", String(printwright.port));
  assert.equal(status, 1);
  assert.equal(stdout, "");
  assert.match(stderr, new RegExp(`port ${printwright.port}: address is already in use`));
});

test("an address that this machine does not have is reported with the port", () => {
  const { status, stderr } = run("--port", "0", "--host", "192.0.2.1", "--allow-host", "a");
  assert.equal(status, 1);
  assert.match(stderr, /port 0: .*no network interface/);
});

test("a port that another program uses is reported, too", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { status, stderr } = await new Promise<{ status: number | null; stderr: string }>((resolve) => {
    resolve(run("--port", String((other.address() as { port: number }).port)));
  });
  other.close();
  assert.equal(status, 1);
  assert.match(stderr, /address is already in use/);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} stops the server with exit status 0`, async () => {
    const started = await startPrintwright();
    assert.equal(await started.stop(signal), 0);
  });
}

test(
  "the executable starts alone in a folder, whatever configuration files are near it",
  { skip: isDeno && "needs the compiled executable" },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "printwright-alone-"));
    const alone = join(folder, "printwright");
    copyFileSync(compiledExecutable(), alone);
    writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n[test]\npreload = ["./evil.ts"]\n');
    writeFileSync(join(folder, "evil.ts"), 'require("node:fs").writeFileSync("pwned", "");');
    writeFileSync(join(folder, ".env"), "BUN_OPTIONS=--version\n");
    const started = await startPrintwright([], folder, alone);
    try {
      assert.equal((await started.call("GET", "/v1/")).status, 200);
      assert.deepEqual(readdirSync(folder).sort(), [".env", "bunfig.toml", "evil.ts", "printwright"]);
    } finally {
      await started.stop();
      rmSync(folder, { recursive: true });
    }
  },
);

test("--host opens another interface for the hosts that --allow-host names", async () => {
  const open = await startPrintwright(["--host", "127.0.0.2", "--allow-host", "printer-room"]);
  try {
    const ask = (host: string) =>
      call(open.port, "GET", "/v1/", undefined, { address: "127.0.0.2", headers: { Host: host } });
    assert.equal((await ask(`printer-room:${open.port}`)).status, 200);
    assert.equal((await ask("other-room")).body.error.code, "FORBIDDEN_ORIGIN");
    assert.equal((await call(open.port, "GET", "/v1/")).status, 200);
  } finally {
    await open.stop();
  }
});
