import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RESIN_SCENE, assertReply } from "../compat/compat-server.ts";
import { type Reply, call } from "../fixture/client.ts";
import { compiledExecutable, isDeno } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

// How the libraries of the 0.9 interface start the program and detect that it is ready: with `--port N` and nothing else, and only
// by its standard output.

const folder = mkdtempSync(join(tmpdir(), "printwright-compat-"));
after(() => rmSync(folder, { recursive: true }));

const skip = isDeno && "needs the compiled executable";

interface Started {
  readonly pid: number | undefined;
  readonly lines: readonly string[];
  readonly exited: Promise<number | null>;
  stop(): void;
}

/** Starts a program like these libraries, and reads lines until one says that the program is ready or that its port is taken. */
async function start(program: string, port: number, env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const child = spawn(program, ["--port", String(port)], { env: { ...process.env, ...env } });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (/READY FOR INPUT\n|address is already in use/.test(printed)) break;
  }
  return { pid: child.pid, lines: printed.trim().split("\n"), exited, stop: () => child.kill("SIGTERM") };
}

const portOf = ({ lines }: Started): number => Number(/:(\d+)$/.exec(lines[0])![1]);

/** Prints like examples without a printer: on the printer of the server that has the name of its model. `/v1/` does not list these printers. */
async function printOnBuiltIn(port: number): Promise<void> {
  // The part is small, but its print takes long enough for the requests below.
  const file = join(folder, "block.stl");
  writeFileSync(file, binaryStl(box([2, 2, 12])));
  await call(port, "POST", "/scene/", RESIN_SCENE);
  await call(port, "POST", "/scene/import-model/", { file });
  const printed = await call(port, "POST", "/scene/print/", { printer: "Form 4", job_name: "j" });
  assert.equal(printed.status, 200, JSON.stringify(printed.body));
  const { body: device } = await call(port, "GET", "/devices/Form%204/");
  assertReply(device, "DEVICE");
  assert.equal(device.connection_type, "VIRTUAL");
  assert.equal(device.ready_to_print_now, false);
  const { body: listed } = await call(port, "GET", "/v1/device/list/");
  assert.ok(!listed.devices.some(({ connection_type }: Reply["body"]) => connection_type === "VIRTUAL"));
}

/** The folders in which servers of this process id put jobs that are not kept. */
const jobFolders = (pid: number | undefined): string[] =>
  readdirSync(tmpdir()).filter((name) => new RegExp(`^printwright-built-in-jobs-.*-${pid}-`).test(name));

test(
  "a link called PreFormServer serves 0.9 with --port alone, and reports on standard output that it is READY or that the port is taken",
  { skip },
  async () => {
    const link = join(folder, "PreFormServer");
    symlinkSync(compiledExecutable(), link);
    const server = await start(link, 0);
    try {
      assert.equal(server.lines.at(-1), "READY FOR INPUT");
      const { status, headers, body } = await call(portOf(server), "GET", "/", undefined, {
        headers: { Accept: "*/*" },
      });
      assert.equal(status, 200);
      assert.match(String(headers["content-type"]), /^application\/json/);
      assert.match(body.version, /^\d+\.\d+\.\d+/);
      await printOnBuiltIn(portOf(server));
      const browser = { headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
      assert.equal((await call(portOf(server), "GET", "/", undefined, browser)).status, 302);
      const second = await start(link, portOf(server));
      assert.match(second.lines[0], /address is already in use/);
      assert.equal(await second.exited, 1);
    } finally {
      server.stop();
    }
    assert.equal(await server.exited, 0);
    assert.deepEqual(jobFolders(server.pid), []);
  },
);

test("PRINTWRIGHT_COMPAT=0.9 serves 0.9 under any name; by default 0.9 is off", { skip }, async () => {
  const link = join(folder, "another name");
  symlinkSync(compiledExecutable(), link);
  for (const [env, status] of [
    [{ PRINTWRIGHT_COMPAT: "0.9" }, 200],
    [{}, 404],
  ] as const) {
    const server = await start(link, 0, env);
    try {
      assert.equal((await call(portOf(server), "GET", "/scenes/")).status, status);
    } finally {
      server.stop();
      await server.exited;
    }
  }
});
