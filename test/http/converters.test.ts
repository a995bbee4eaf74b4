import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { CONVERTER_SCRIPT, isRunning, runScript } from "../fixture/converter-script.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { type Printwright, commandLine, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { asciiStl, binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, type TestServer, assertNear, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";
import { spawnSync } from "node:child_process";

// The option --converter. Tests that need no server are in test/convert/.

const BRACKET = fileURLToPath(new URL("../../assets/demo/bracket.step", import.meta.url));
/** Width of the bracket, mm. */
const BRACKET_WIDTH = 88;
const POSIX = { skip: process.platform === "win32" && "needs process groups" };
const file = temporaryFiles();
const WORDS = runScript(file("a converter.mjs", CONVERTER_SCRIPT)).map((word) => `"${word}"`);
const converter = (extension: string, result: string): string[] => [
  "--converter",
  `${extension}=${WORDS.join(" ")} {in} {out}.${result}`,
];
const ARGS = [...converter("sldasm", "step"), ...converter("foo", "stl"), ...converter("OBJ", "stl")];
const CUBE = file("cube.stl", binaryStl(box([10, 10, 10])));

let server: TestServer;
before(async () => {
  server = await openTestServer(ARGS);
});
after(() => server.close());

let files = 0;
/** A file to convert; its text names the actions of the converter. */
const input = (name: string, ...lines: string[]): string => file(`${++files}/${name}`, lines.join("\n"));
const notesOf = (path: string): any[] =>
  readFileSync(`${path}.notes`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const leftOver = ({ pid }: Printwright): string[] =>
  readdirSync(tmpdir()).filter((name) => new RegExp(`^printwright-convert-.*-${pid}-`).test(name));
const runs = (pid: number): boolean => isRunning(pid, (path) => readFileSync(path, "utf8"));
const importInto = (scene_id: string, path: string, printwright = server.printwright): Promise<Reply> =>
  printwright.post("/v1/scene/model/import/?async=true", { scene_id, file: path });
/** Resolves once the converter has noted that it runs, and which processes it has started. */
const running = (path: string, notes = 1): Promise<void> =>
  until(
    "the converter runs",
    () => {
      try {
        return notesOf(path).length >= notes;
      } catch {
        return false;
      }
    },
    2000,
  );

test("a converted assembly is imported by the reader of its result, with the name of the original file", async () => {
  const scene_id = await server.newScene();
  const path = input("Pump 'A' $(x).SLDASM", `copy ${BRACKET}`);
  const options = { chordal_tolerance_um: 500, angle_tolerance_deg: 30, units: "INCHES" };
  const model_id = await server.importOne(scene_id, path, options);
  const [model] = await server.models(scene_id, [model_id]);
  assert.equal(model.name, "Pump 'A' $(x)");
  assert.equal(model.original_file, path);
  assert.equal(model.units, "INCHES");
  const { min_corner, max_corner } = model.bounding_box;
  assertNear(max_corner.x - min_corner.x, 25.4 * BRACKET_WIDTH, 1e-3);
  const [{ mode, folder, output }] = notesOf(path);
  assert.equal(mode, process.platform === "win32" ? mode : "700");
  assert.equal(basename(output), "Pump _A_ __x_.step");
  assert.equal(dirname(output), folder);
  assert.deepEqual(leftOver(server.printwright), []);
});

test("a converter takes precedence over the reader of its extension, and the parts are those of the result", async () => {
  const scene_id = await server.newScene();
  const { new_models } = bodyOf(await server.import(scene_id, input("part.obj", `copy ${CUBE}`)));
  assert.equal(new_models.length, 1);
  assert.equal((await server.models(scene_id))[0].name, "part");
});

test("names with blanks, quotes, newlines and characters of shells reach the program unchanged", POSIX, async () => {
  const scene_id = await server.newScene();
  for (const name of ["a b\n\"c\" 'd' `e`;$(f)|&{in}{out}$&.foo", "-rf.foo", "ü雪.foo"]) {
    const path = input(name, `copy ${CUBE}`);
    const model_id = await server.importOne(scene_id, path);
    assert.equal((await server.models(scene_id, [model_id]))[0].original_file, path);
    assert.equal(notesOf(path).length, 2);
  }
});

test("a failure is OPERATION_FAILED, names the program and its last output, and changes nothing", async () => {
  const scene_id = await server.newScene();
  const name = basename(WORDS[0].slice(1, -1)).replace(".", "\\.");
  const failed = await server.import(scene_id, input("a.foo", 'say "no licence\\u001b[1m\\n"', "exit 4"));
  assertRefused(
    failed,
    "OPERATION_FAILED",
    new RegExp(`a\\.foo.*"${name}" ended with status 4; it said: no licence\\. `),
  );
  const nothing = await server.import(scene_id, input("b.foo", "exit 0"));
  assertRefused(nothing, "OPERATION_FAILED", /made no \.stl file/);
  const broken = input("c.foo", `copy ${file("broken.stl", asciiStl(box([1, 1, 1])).slice(0, 60))}`);
  assertRefused(
    await server.import(scene_id, broken),
    "OPERATION_FAILED",
    /Cannot read the \.stl that .* made of ".*c\.foo"/,
  );
  assertRefused(await server.import(scene_id, join(dirname(broken), "d.foo")), "OPERATION_FAILED", /does not exist/);
  assert.deepEqual(await server.models(scene_id), []);
  assert.deepEqual(leftOver(server.printwright), []);
});

test("output of a program to standard error does not stop it", async () => {
  const path = input("loud.foo", "flood", `copy ${CUBE}`);
  await server.importOne(await server.newScene(), path);
});

test("two converters run at once, each in a separate folder, while other requests are answered", async () => {
  const [own, other] = [input("own.foo"), input("other.foo")];
  writeFileSync(own, `meet ${other}.notes\ncopy ${CUBE}`);
  writeFileSync(other, `meet ${CUBE}.imported\nmeet ${own}.notes\ncopy ${CUBE}`);
  const begun = [];
  for (const path of [own, other]) begun.push(await importInto(await server.newScene(), path));
  await server.importOne(await server.newScene(), CUBE);
  writeFileSync(`${CUBE}.imported`, "");
  for (const one of begun) assert.equal((await awaitOperation(server.printwright, one)).status, "SUCCEEDED");
  assert.notEqual(notesOf(own)[0].folder, notesOf(other)[0].folder);
});

test("a cancel kills the program and the processes that it has started, and leaves no file", POSIX, async () => {
  const scene_id = await server.newScene();
  const path = input("hang.foo", "fork", "hang");
  const begun = await importInto(scene_id, path);
  await running(path, 3);
  const id = begun.body.operation_id;
  const progress = async (): Promise<number> =>
    (await server.printwright.call("GET", begun.body.operation_url)).body.progress;
  await until("it reports", async () => (await progress()) > 0);
  assert.ok((await progress()) < 0.5);
  bodyOf(await server.printwright.post("/v1/operation/cancel/", { operations: [id] }));
  const ended = await awaitOperation(server.printwright, begun);
  assert.equal(ended.status, "FAILED");
  const [{ pid }, { child }] = notesOf(path);
  await until(
    "both have ended, and nothing is left",
    () => !runs(pid) && !runs(child) && leftOver(server.printwright).length === 0,
  );
  assert.deepEqual(await server.models(scene_id), []);
});

test("SIGTERM leaves no program and no folder behind, also of imports that wait", POSIX, async () => {
  const stopping = await startPrintwright(ARGS);
  const { scene_id } = bodyOf(await stopping.post("/v1/scene/create/", RESIN));
  const paths = [input("hang.foo", "fork", "hang"), input("next.foo", "hang")];
  for (const path of paths) await importInto(scene_id, path, stopping);
  await running(paths[0], 3);
  assert.equal(await stopping.stop(), 0);
  const [{ pid }, { child }] = notesOf(paths[0]);
  await until("both have ended", () => !runs(pid) && !runs(child));
  assert.deepEqual(leftOver(stopping), []);
  assert.throws(() => notesOf(paths[1]));
});

test("the refusal of an unknown extension lists the readable ones, also those of converters", async () => {
  const reply = await server.import(await server.newScene(), input("a.bar"));
  assertRefused(reply, "INPUT_ERROR", /\.bar; .*\.stl, .*\.foo/);
});

test("the refusal of an assembly without a converter names the option", async () => {
  const reply = await server.import(await server.newScene(), input("a.iam", ""));
  assertRefused(reply, "OPERATION_FAILED", /--converter "iam=COMMAND \{in\} \{out\}\.step"/);
});

test("an invalid --converter ends the start with status 2 and the reason", () => {
  const [command, ...args] = commandLine();
  const run = spawnSync(command, [...args, "--port", "0", "--converter", "foo=x {in} {out}"], { encoding: "utf8" });
  assert.equal(run.status, 2);
  assert.match(run.stderr, /^--converter must be .*end with \{out\} and an extension.*\n\nUsage: /);
});
