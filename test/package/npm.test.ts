import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { writeNpm } from "../../package/npm.ts";
import { type Target, describeExecutable, hostTarget } from "../../package/release.ts";
import { missing, scriptExecutable, trialRelease } from "../fixture/package-release.ts";

const skip = process.platform === "win32" ? "the trial executable is a script of the shell" : missing("node", "tar");
const folder = mkdtempSync(join(tmpdir(), "printwright-npm-"));
after(() => rmSync(folder, { recursive: true }));

/** Answers its words, reads its input, and ends by the status that the first word says, or when it gets SIGTERM. */
const SCRIPT = `echo "got $*"
case "$1" in
  wait) trap 'echo ended; exit 9' TERM; echo ready; while :; do sleep 0.05; done ;;
  read) cat ;;
  kill) kill -KILL $$ ;;
  *) exit "$1" ;;
esac`;

const host = hostTarget() as Target;
const OTHER: Target = host === "windows-arm64" ? "windows-x64" : "windows-arm64";
const modules = join(folder, "node_modules");
const launcher = join(modules, "printwright", "launcher.js");
let paths: string[] = [];

/** Extracts a package as npm does. */
function extract(archive: string, name: string): void {
  const place = join(modules, name);
  mkdirSync(place, { recursive: true });
  assert.equal(spawnSync("tar", ["xzf", archive, "-C", place, "--strip-components=1"]).status, 0);
}

before(() => {
  if (skip !== false) return;
  const release = trialRelease(folder);
  writeFileSync(join(folder, "notices"), "The licences.");
  const executable = scriptExecutable(host, folder, SCRIPT);
  const other = describeExecutable(OTHER, executable.path, []);
  paths = writeNpm(release, [executable, other], () => join(folder, "notices"));
  extract(paths[0] ?? "", `@trial/${host}`);
  extract(paths[2] ?? "", "printwright");
});

/** Starts the launcher under Node.js, whatever runs this test. */
const start = (...words: string[]): ChildProcess => spawn("node", [launcher, ...words]);

async function run(words: readonly string[], input = "") {
  const child = start(...words);
  child.stdin!.end(input);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, "exit")]);
  return { status, stdout, stderr };
}

const manifestOf = (name: string) => JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));

test("the package for people depends on those of the platforms in the same version, and is the last", { skip }, () => {
  assert.deepEqual(
    paths.map((path) => path.slice(path.lastIndexOf("/") + 1)),
    [`trial-${host}-1.2.3.tgz`, `trial-${OTHER}-1.2.3.tgz`, "printwright-1.2.3.tgz"],
  );
  const main = manifestOf("printwright");
  assert.deepEqual(main.optionalDependencies, { [`@trial/${host}`]: "1.2.3", [`@trial/${OTHER}`]: "1.2.3" });
  assert.deepEqual([main.version, main.bin], ["1.2.3", { printwright: "launcher.js" }]);
  const platform = manifestOf(`@trial/${host}`);
  assert.deepEqual([platform.version, platform.os, platform.cpu], ["1.2.3", [process.platform], [process.arch]]);
  assert.equal(statSync(join(modules, `@trial/${host}`, "printwright")).mode & 0o111, 0o111);
  assert.equal(readFileSync(join(modules, `@trial/${host}`, "licences.txt"), "utf8"), "The licences.");
});

test("words, input and status pass through the launcher", { skip }, async () => {
  const [ended, read, killed] = await Promise.all([run(["3", "--a b"]), run(["read"], "input"), run(["kill"])]);
  assert.deepEqual(ended, { status: 3, stdout: "got 3 --a b\n", stderr: "" });
  assert.deepEqual(read, { status: 0, stdout: "got read\ninput", stderr: "" });
  assert.equal(killed.status, 128 + 9);
});

test("SIGTERM reaches the executable, which ends in its own way", { skip }, async () => {
  const child = start("wait");
  let printed = "";
  child.stdout!.on("data", (data) => {
    printed += data;
    if (printed.endsWith("ready\n")) child.kill("SIGTERM");
  });
  const [status] = await once(child, "close");
  assert.deepEqual([status, printed], [9, "got wait\nready\nended\n"]);
});

test("a missing package of the platform is named, with the way out", { skip }, async () => {
  rmSync(join(modules, `@trial/${host}`), { recursive: true });
  const { status, stderr } = await run(["0"]);
  assert.equal(status, 1);
  assert.match(
    stderr,
    new RegExp(`^printwright: the package @trial/${host} is missing: install without --omit=optional`),
  );
});
