import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runCommand, startCommand } from "../fixture/command.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { commandLine, isDeno } from "../fixture/printwright.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-command-"));
after(() => rmSync(folder, { recursive: true }));

const AXLE = fileURLToPath(new URL("../../assets/demo/axle.stl", import.meta.url));

const command = (args: readonly string[], input?: string) => runCommand(args, folder, input);

const json = (text: string): any[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const CREATE = {
  name: "plate",
  request: "scene/create",
  body: { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 },
};
const PLATE = { $: "plate.scene_id" };

test("steps use results of earlier steps, and paths from the current folder", async () => {
  const steps = [
    CREATE,
    { name: "import", request: "POST /v1/scene/model/import/", body: { scene_id: PLATE, file: AXLE } },
    {
      name: "copies",
      request: "/v1/scene/model/duplicate",
      body: { scene_id: PLATE, model_ids: [{ $: "import.new_models.0.model_id" }], count: 1 },
    },
    {
      request: "scene/model/update",
      body: { scene_id: PLATE, model_ids: { $: "copies.results.0.new_model_ids" }, name: "copy" },
    },
    { name: "list", request: "scene/model/list", body: { scene_id: PLATE } },
    { request: "scene/save", body: { scene_ids: [PLATE], file: "plate.form" } },
    { request: "scene/list" },
  ];
  writeFileSync(join(folder, "steps.json"), JSON.stringify(steps));
  const { status, stdout, stderr } = await command(["run", "steps.json", "--json"]);
  assert.equal(status, 0, stderr);
  const lines = json(stdout).filter((line) => !("progress" in line));
  assert.deepEqual(
    lines.map(({ step, request }) => [step, request]),
    steps.map(({ request }, i) => [i + 1, request.replace(/^(POST )?\/v1\//, "").replace(/\/$/, "")]),
  );
  assert.deepEqual(
    lines[4].result.models.map(({ name }: { name: string }) => name),
    ["axle", "copy"],
  );
  // The list also has the scene that exists from the start.
  assert.equal(lines[6].result.scenes.length, 2);
  assert.ok(existsSync(join(folder, "plate.form")));
});

test("mirroring, cutting, preparing and checking are steps, and later ones work on what they made", async () => {
  writeFileSync(join(folder, "block.stl"), binaryStl(box([10, 20, 30])));
  const middle = { point: { x: 0, y: 0, z: 15 }, normal: { x: 0, y: 0, z: 1 } };
  const model_ids = [{ $: "import.new_models.0.model_id" }];
  const halves = { $: "cut.results.0.new_model_ids" };
  const steps = [
    CREATE,
    { name: "import", request: "scene/model/import", body: { scene_id: PLATE, file: "block.stl" } },
    { request: "scene/model/mirror", body: { scene_id: PLATE, model_ids, axis: "X" } },
    { name: "cut", request: "scene/model/cut", body: { scene_id: PLATE, model_ids, plane: middle } },
    { request: "scene/prepare", body: { scene_id: PLATE, model_ids: halves, orient: false, support: false } },
    { request: "scene/check", body: { scene_id: PLATE } },
    { request: "scene/model/measure", body: { scene_id: PLATE, model_ids: halves } },
  ];
  const { status, stdout, stderr } = await command(["run", "-", "--json"], JSON.stringify(steps));
  assert.equal(status, 0, stderr);
  const results = json(stdout).flatMap((line) => ("progress" in line ? [] : [line.result]));
  const [, { new_models }, mirrored, cut, prepared, checked, measured] = results;
  assert.deepEqual(mirrored.modified_model_ids, [new_models[0].model_id]);
  const ids = cut.results[0].new_model_ids;
  assert.equal(ids.length, 2);
  assert.deepEqual(new Set(prepared.modified_model_ids), new Set(ids));
  assert.deepEqual([prepared.status, checked], ["OK", { status: "OK", findings: [] }]);
  for (const id of ids) assert.equal(measured.per_model_results[id].volume_mm3, 3000);
});

test("the errors of all steps of a wrong steps file are reported before the first one runs", async () => {
  const wrong: [step: object, code: string, why: RegExp][] = [
    [{ request: "scene/creat" }, "NOT_FOUND", /closest are scene\/create/],
    [{ request: "GET scene/create" }, "METHOD_NOT_ALLOWED", /takes POST/],
    [{ request: "scene/get", body: { scene_id: { $: "plat.scene_id" } } }, "INPUT_ERROR", /names are plate/],
    [{ request: "scene/get", body: { scene_id: { $: "plate.id" } } }, "INPUT_ERROR", /has scene_id, scene_settings/],
    [{ request: "scene/get", body: { scene_id: PLATE, x: PLATE } }, "JSON_SCHEMA_MATCH_ERROR", /"\/x"/],
    [{ request: "scene/model/import", body: { scene_id: PLATE } }, "JSON_SCHEMA_MATCH_ERROR", /"\/file": is required/],
    [{ request: "scene/model/import", body: { scene_id: PLATE, file: "a.txt" } }, "INPUT_ERROR", /\.txt/],
    [{ request: "scene/model/import", body: { scene_id: "x", file: "a.txt" } }, "INPUT_ERROR", /\.txt/],
    [{ request: "scene/save", body: { scene_ids: PLATE, file: "a.form" } }, "JSON_SCHEMA_MATCH_ERROR", /takes a list/],
    [CREATE, "INPUT_ERROR", /names an earlier step/],
  ];
  const steps = [CREATE, { request: "scene/save", body: { scene_ids: [PLATE], file: "unwritten.form" } }];
  const all = JSON.stringify([...steps, ...wrong.map(([step]) => step)]);
  const { status, stdout } = await command(["run", "-", "--json"], all);
  assert.equal(status, 2);
  const lines = json(stdout);
  assert.equal(lines.length, wrong.length);
  for (const [i, [, code, why]] of wrong.entries()) {
    assert.equal(lines[i].step, i + 3);
    assert.equal(lines[i].error.code, code);
    assert.match(lines[i].error.message, why);
  }
  assert.ok(!existsSync(join(folder, "unwritten.form")));
});

test("a step that fails ends the run with status 1", async () => {
  const steps = [
    CREATE,
    { request: "scene/model/import", body: { scene_id: PLATE, file: "missing.stl" } },
    { request: "scene/save", body: { scene_ids: [PLATE], file: "after.form" } },
  ];
  const { status, stderr, stdout } = await command(["run", "-"], JSON.stringify(steps));
  assert.equal(status, 1);
  assert.equal(stdout, "");
  assert.match(
    stderr,
    /^1\/3 scene\/create \(plate\): .* s\n2\/3 scene\/model\/import: OPERATION_FAILED: .*missing\.stl/,
  );
  assert.ok(!existsSync(join(folder, "after.form")));
});

test("an interrupt cancels the step and leaves no incomplete file", async () => {
  const steps = [
    CREATE,
    { request: "scene/model/import", body: { scene_id: PLATE, file: AXLE } },
    { request: "scene/model/auto-support", body: { scene_id: PLATE } },
    { request: "scene/export", body: { scene_id: PLATE, file: "never.printjob" } },
  ];
  writeFileSync(join(folder, "long.json"), JSON.stringify(steps));
  const before = readdirSync(folder);
  const child = startCommand(["run", "long.json", "--json"], folder);
  const stdout = text(child.stdout!);
  await once(child.stdout!, "data");
  process.kill(child.pid!, "SIGINT");
  assert.deepEqual(await once(child, "exit"), [130, null]);
  assert.equal(json(await stdout).at(-1).error.code, "OPERATION_CANCELLED");
  assert.deepEqual(readdirSync(folder), before);
});

test("invalid arguments are errors with status 2", async () => {
  for (const [args, why] of [
    [["rum", "x"], /"rum" is not a command: the commands are .*run/],
    [["run"], /give one steps file/],
    [["run", "x", "--threads", "0"], /--threads must be/],
    [["run", "-"], /not valid JSON in line 1: /],
  ] as const) {
    const { status, stderr } = await command(args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, why);
  }
});

// A device of Linux that is always full.
// Under Deno the write throws at once, with the message of the system.
const isTold = !isDeno && existsSync("/dev/full");
test("a result that cannot be printed ends the command with status 1", { skip: !isTold }, () => {
  const [program, ...before] = commandLine();
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(program, [...before, "printers"], { stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  assert.equal(status, 1);
  assert.match(String(stderr), /Cannot write "standard output": the disk is full/);
});
