import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { longTest } from "../fixture/long.ts";
import { CONVERTER_SCRIPT, isRunning, runScript } from "../fixture/converter-script.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { type Printwright, commandLine, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { asciiStl, binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, type TestServer, assertNear, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { ACME_ONE } from "../fixture/machines-file.ts";
import { until } from "../fixture/until.ts";
import { spawnSync } from "node:child_process";

// The options --converter and --job-converter. Tests that need no server are in test/convert/.

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
/** The actions of the program that makes jobs, which are not in the readable job. */
const ACTIONS = file("actions", "");
const LOCKED = ownMachine("ACME-LOCKED", ".ctb");
const BARRED = ownMachine("ACME-BARRED", ".prz");
const ARGS = [
  ...converter("sldasm", "step"),
  ...converter("foo", "stl"),
  ...converter("OBJ", "stl"),
  "--job-converter",
  `ctb=${WORDS.join(" ")} "${ACTIONS}" {out} {in}`,
  "--machines",
  file("machines.json", JSON.stringify({ printers: [LOCKED, BARRED] })),
];
const CUBE = file("cube.stl", binaryStl(box([10, 10, 10])));

/** A printer that takes files which this program does not write. */
function ownMachine(machine_type: string, extension: string) {
  const job = { format: "sl1", extension, converted_from: ".sl1", machine_name: machine_type };
  return { ...ACME_ONE, machine_type, product_name: machine_type, job };
}

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
  until("the converter runs", () => {
    try {
      return notesOf(path).length >= notes;
    } catch {
      return false;
    }
  });

longTest(
  "a converted assembly is imported by the reader of its result, with the name of the original file",
  async () => {
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
  },
);

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

/** A scene of a small part for a printer. */
async function sceneFor({ machine_type }: { machine_type: string }): Promise<string> {
  const scene_id = await server.newScene({ machine_type, material_code: "GENERIC-RESIN", layer_thickness_mm: 0.1 });
  await server.importOne(scene_id, file("tile.stl", binaryStl(box([3, 3, 0.3]))));
  return scene_id;
}

const exportTo = (scene_id: string, path: string, query = ""): Promise<Reply> =>
  server.printwright.post(`/v1/scene/export/${query}`, { scene_id, file: path });

test("a job that is not written here is made by a program of the readable job", async () => {
  const encrypted = file("encrypted", Uint8Array.of(7, 1, 0xfd, 0x12, 9, 9, 9));
  writeFileSync(ACTIONS, `copy ${encrypted}`);
  const path = file("jobs/tile.ctb", "old");
  bodyOf(await exportTo(await sceneFor(LOCKED), path));
  assert.deepEqual(readFileSync(path), readFileSync(encrypted));
  assert.deepEqual(readdirSync(dirname(path)), ["tile.ctb"]);
  assert.deepEqual(leftOver(server.printwright), []);
});

longTest("a program that fails, or makes another file, leaves the old job as it was", async () => {
  const path = file("jobs/old.ctb", "old");
  const scene_id = await sceneFor(LOCKED);
  for (const [actions, message] of [
    [`say "no licence"\nexit 4`, /\.ctb file of the job: .*ended with status 4; it said: no licence\./],
    ["", /made no file in place of \{out\}/],
    [`copy ${CUBE}`, /Cannot read the \.ctb that .* made: it is no \.ctb file/],
  ] as const) {
    writeFileSync(ACTIONS, actions);
    assertRefused(await exportTo(scene_id, path), "OPERATION_FAILED", message);
    assert.equal(readFileSync(path, "utf8"), "old");
  }
  assert.deepEqual(leftOver(server.printwright), []);
});

test("a cancel while the job is converted kills the program, and leaves the old job", POSIX, async () => {
  const path = file("jobs/cancelled.ctb", "old");
  writeFileSync(ACTIONS, "fork\nhang");
  writeFileSync(`${ACTIONS}.notes`, "");
  const begun = await exportTo(await sceneFor(LOCKED), path, "?async=true");
  await until("the converter runs", () => readFileSync(`${ACTIONS}.notes`, "utf8").includes("did"));
  bodyOf(await server.printwright.post("/v1/operation/cancel/", { operations: [begun.body.operation_id] }));
  assert.equal((await awaitOperation(server.printwright, begun)).status, "FAILED");
  const [{ pid }, { child }] = notesOf(ACTIONS);
  await until(
    "both have ended, and nothing is left",
    () => !runs(pid) && !runs(child) && leftOver(server.printwright).length === 0,
  );
  assert.equal(readFileSync(path, "utf8"), "old");
});

test("a printer whose jobs no program makes is refused, with the option that adds one", async () => {
  const reply = await exportTo(await sceneFor(BARRED), file("jobs/tile.prz", "old"));
  assertRefused(
    reply,
    "OPERATION_FAILED",
    /ACME-BARRED takes \.prz files .*--job-converter "prz=COMMAND \{in\} \{out\}"/,
  );
});
