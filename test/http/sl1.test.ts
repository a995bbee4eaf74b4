import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { type RunningFake, startFake } from "../fixture/fake/start-fake.ts";
import { until } from "../fixture/until.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { KEY } from "../fixture/sl1-bench.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { assertRefused, bodyOf } from "../fixture/test-server.ts";

// SL1, SL1S and Odyssey as a shop uses them: named in the printers file or at the start, printed to, cancelled, lost.

const PLATE = temporaryFiles()("plate.stl", binaryStl(box([8, 5, 0.3])));
const folder = mkdtempSync(join(tmpdir(), "printwright-sl1-"));
const log = join(folder, "log");

let printwright: Printwright;
let left: RunningFake;
let right: RunningFake;
let odyssey: RunningFake;
before(async () => {
  [left, right, odyssey] = await Promise.all([
    startFake("sl1.ts", { api: "v1", auth: "digest", key: KEY, model: "SL1S" }),
    startFake("sl1.ts", { api: "legacy", auth: "digest", key: KEY, model: "SL1" }),
    startFake("odyssey.ts"),
  ]);
  const printers = join(folder, "printers.json");
  const content = {
    printers: [
      { url: `prusalink://127.0.0.1:${left.port}`, name: "Left", api_key: KEY },
      { url: `prusalink://127.0.0.1:${right.port}`, name: "Right", api_key: "Wrong678" },
    ],
  };
  writeFileSync(printers, JSON.stringify(content), { mode: 0o600 });
  const args = ["--printers", printers, "--printer", `odyssey://localhost:${odyssey.port}`, "--log", log];
  printwright = await startPrintwright(args);
});
after(async () => {
  assert.equal(await printwright.stop(), 0);
  await Promise.all([left, right, odyssey].map((fake) => fake.stop()));
  rmSync(folder, { recursive: true });
});

const post = (path: string, body: object): Promise<Reply> => printwright.post(path, body);
const list = async (): Promise<Reply["body"][]> => bodyOf(await printwright.call("GET", "/v1/device/list/")).devices;
const print = (scene_id: string, printer: string, body: object = {}, query = ""): Promise<Reply> =>
  post(`/v1/scene/print/${query}`, {
    scene_id,
    printer,
    job_name: "a plate",
    find_printer_timeout_seconds: 5,
    ...body,
  });

const scenes = new Map<string, string>();
/** A scene with the plate for a machine type, with its first setting. */
async function sceneFor(machineType: string): Promise<string> {
  const known = scenes.get(machineType);
  if (known !== undefined) return known;
  const { printer_types } = bodyOf(await post("/v1/print-setting/list/", {}));
  const type = printer_types.find(({ supported_machine_type_ids: ids }: Reply["body"]) => ids.includes(machineType));
  const { scene_settings } = type.materials[0].material_settings[0];
  const { scene_id } = bodyOf(await post("/v1/scene/create/", scene_settings));
  bodyOf(await post("/v1/scene/model/import/", { scene_id, file: PLATE }));
  scenes.set(machineType, scene_id);
  return scene_id;
}

test("printers of the file and the command line are listed by name, with their type and their problem", async () => {
  await until("all are connected", async () => (await list()).length === 3);
  const states = (await list()).map(({ id, product_name, ready_to_print_now, status }) => [
    id,
    product_name,
    ready_to_print_now,
    status,
  ]);
  assert.deepEqual(states.toSorted(), [
    ["Left", "Original Prusa SL1S SPEED", true, "IDLE"],
    ["Right", "Prusa SLA printer, model not known until its key is right", false, "Refuses its API key"],
    ["localhost", "Original Prusa SL1", true, "Idle"],
  ]);
  const compatible = await post("/v1/print-setting/list/", { compatible_with: "Right" });
  assertRefused(compatible, "NOT_FOUND", /"Right" are not known .*correct its api_key/);
});

test("a scene is sliced, sent, checked on the printer and started; without print_now it waits there", async () => {
  for (const [fake, printer, machineType, extension] of [
    [left, "Left", "PRUSA-SL1S", "sl1s"],
    [odyssey, "localhost", "PRUSA-SL1", "sl1"],
  ] as const) {
    const scene_id = await sceneFor(machineType);
    bodyOf(await print(scene_id, printer));
    assert.deepEqual((await fake.state()).started, []);
    bodyOf(await print(scene_id, printer, { print_now: true }));
    const { started, files } = await fake.state();
    assert.equal(started.length, 1);
    assert.match(started[0], new RegExp(`^a_plate-[\\da-f]{8}\\.${extension}$`));
    assert.ok(files[started[0]] > 1000);
    const busy = await print(scene_id, printer, { print_now: true });
    assertRefused(busy, "OPERATION_FAILED", /not ready/);
  }
  assert.ok(readFileSync(log, "utf8").includes('"job sent"'));
});

test("scenes of another machine type and printers that lack their key are refused before anything is sliced", async () => {
  const scene_id = await sceneFor("PRUSA-SL1");
  assertRefused(await print(scene_id, "Left"), "UNSUPPORTED_SCENE", /PRUSA-SL1S/);
  assertRefused(await print(scene_id, "Right"), "OPERATION_FAILED", /API key of the printers file/);
});

test("a cancelled job leaves nothing on the printer, and the printer is free again", async () => {
  await left.change({
    state: "IDLE",
    started: [],
    files: {},
    requests: [],
    faults: [{ at: "PUT", how: "hang", times: 1 }],
  });
  const scene_id = await sceneFor("PRUSA-SL1S");
  const begun = await print(scene_id, "Left", { print_now: true }, "?async=true");
  await until("it is being sent", async () => (await left.state()).requests.some((line) => line.startsWith("PUT")));
  bodyOf(await post("/v1/operation/cancel/", { operations: [begun.body.operation_id] }));
  const ended = await awaitOperation(printwright, begun);
  assert.match(JSON.stringify(ended), /OPERATION_CANCELLED/);
  await until("it is ready", async () => (await list()).find(({ id }) => id === "Left").ready_to_print_now);
  const { started, files } = await left.state();
  assert.deepEqual([started, files], [[], {}]);
});

test("if a printer is lost during a job, the error names the step and the file that is left", async () => {
  await left.change({
    state: "IDLE",
    faults: [
      { at: "PUT", how: "cut body" },
      { at: "DELETE", how: "cut before" },
    ],
  });
  const scene_id = await sceneFor("PRUSA-SL1S");
  const lost = await print(scene_id, "Left", { print_now: true });
  assertRefused(
    lost,
    "OPERATION_FAILED",
    /While sending the job: .*in the middle.*may be left there, which nothing starts/,
  );
});

test("firmware is refused with a message that names the right way", async () => {
  const image = join(folder, "image.formware");
  writeFileSync(image, Buffer.alloc(1000));
  const refused = await post("/v1/device/upload-firmware/", { printer: "Left", file: image });
  assertRefused(refused, "OPERATION_FAILED", /\.raucb/);
});

test("no secret is in the log", () => {
  assert.ok(!new RegExp(`${KEY}|Wrong678`).test(readFileSync(log, "utf8")));
});
