import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { commandLine } from "../fixture/printwright.ts";

// --open: starts the user's browser, here a script that records its arguments.

const isLinux = process.platform === "linux";
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "printwright-open-"));
});
after(() => rmSync(folder, { recursive: true }));

/** Starts a server with `--open` and this PATH, and stops it once `isDone` returns true. */
async function started(path: string, isDone: (stderr: string) => boolean): Promise<{ stdout: string; stderr: string }> {
  const [command, ...args] = commandLine();
  const child = spawn(command, [...args, "--port", "0", "--discover-on", "none", "--open", "--no-keep"], {
    env: { ...process.env, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout!.on("data", (text) => (output.stdout += text));
  child.stderr!.on("data", (text) => (output.stderr += text));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  while (!output.stdout.includes("READY FOR INPUT") || !isDone(output.stderr)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  process.kill(child.pid!, "SIGTERM");
  assert.equal(await exited, 0);
  return output;
}

test("--open opens the page at the port of the server", { skip: !isLinux }, async () => {
  const opened = join(folder, "opened");
  writeFileSync(
    join(folder, "xdg-open"),
    `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`,
    {
      mode: 0o755,
    },
  );
  const path = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const { stdout } = await started(path, () => existsSync(opened));
  assert.equal(readFileSync(opened, "utf8"), `${stdout.split("\n")[0]}/ui/`);
});

test("without a browser --open prints a message and the server runs", { skip: !isLinux }, async () => {
  const empty = mkdtempSync(join(folder, "empty-"));
  const { stderr } = await started(empty, (text) => text.includes("\n"));
  assert.match(stderr, /^The browser was not opened \(.+\): go to http:\/\/localhost:\d+\/ui\/\n$/);
});
