import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { until } from "../fixture/until.ts";
import { type Fakes, startSdcpFakes, startSdcpV1Fakes } from "../fixture/sdcp-fake.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { assertRefused, bodyOf } from "../fixture/test-server.ts";

// Printers in the network, as a shop uses them: found by broadcast on loopback, named at the start, printed to with progress, cancelled.

const PLATE = temporaryFiles()("plate.stl", binaryStl(box([8, 5, 0.3])));
const MARS = {
  host: "127.0.0.2",
  port: 3030,
  broadcastPort: 3000,
  mainboardId: "a".repeat(16),
  name: "Mars",
  machineName: "ELEGOO Mars 5 Ultra",
  resolution: "8520x4320",
} as const;
/** Known by its address, because no broadcast reaches it. */
const SATURN = { mainboardId: "b".repeat(16), name: "Saturn" };

const folder = mkdtempSync(join(tmpdir(), "printwright-sdcp-"));
const log = join(folder, "log");
let fakes: Fakes;
let oldFakes: Fakes;
let printwright: Printwright;
let scene_id: string;
before(async () => {
  fakes = await startSdcpFakes(MARS, SATURN);
  oldFakes = await startSdcpV1Fakes({});
  const ports = [fakes.printers[1].port, oldFakes.printers[0].port];
  const known = ports.flatMap((port) => ["--printer", `sdcp://127.0.0.1:${port}`]);
  const others = ["--discover-on", "127.0.0.1", "--sdcp-v1-host", "127.0.0.1", "--log", log];
  printwright = await startPrintwright([...known, ...others]);
  scene_id = await sceneFor("ELEGOO-M5U");
});
after(async () => {
  await printwright.stop();
  for (const fake of fakes.printers) await until("no socket is left", async () => (await fake.seen()).sockets === 0);
  await Promise.all([fakes.stop(), oldFakes.stop()]);
  rmSync(folder, { recursive: true });
});

const post = (path: string, body: object): Promise<Reply> => printwright.post(path, body);
const list = async (): Promise<Reply["body"][]> => bodyOf(await printwright.call("GET", "/v1/device/list/")).devices;
const print = (body: object, query = ""): Promise<Reply> =>
  post(`/v1/scene/print/${query}`, { scene_id, printer: "Mars", job_name: "a plate", ...body });

/** A scene with a plate for a machine, in the first of its materials. */
async function sceneFor(machineType: string): Promise<string> {
  const { printer_types } = bodyOf(await post("/v1/print-setting/list/", {}));
  const isOf = (type: Reply["body"]): boolean => type.supported_machine_type_ids.includes(machineType);
  const { scene_settings } = printer_types.find(isOf).materials[0].material_settings[0];
  const { scene_id: made } = bodyOf(await post("/v1/scene/create/", scene_settings));
  bodyOf(await post("/v1/scene/model/import/", { scene_id: made, file: PLATE }));
  return made;
}

test("known printers are listed at once, others after a request has searched for them", async () => {
  await until("the known printers are connected", async () => (await list()).length === 2);
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    ["Saturn", "Saturn 3"],
  );
  const { count, devices } = bodyOf(await post("/v1/device/discover/", { printer: "Mars", timeout_seconds: 10 }));
  assert.equal(count, 3);
  const mars = devices.find(({ id }: Reply["body"]) => id === "Mars");
  assert.deepEqual(mars, {
    id: "Mars",
    product_name: "Elegoo Mars 5 Ultra",
    status: "Ready",
    is_connected: true,
    connection_type: "WIFI",
    ip_address: "127.0.0.2",
    firmware_version: "V1.5.6",
    ready_to_print_now: true,
  });
  // Other tests that look for printers on loopback must not find it.
  await fakes.printers[0].set({ announces: "none" });
  assertRefused(await post("/v1/device/discover/", { printer: "Nobody", timeout_seconds: 0 }), "OPERATION_FAILED");
});

test("a scene is printed: sliced, sent, checked and started", async () => {
  const shares: number[] = [];
  const begun = await print({ print_now: true }, "?async=true");
  const { operation_url } = begun.body;
  const watching = (async () => {
    for (let share = 0; share < 1 && shares.length < 5000;) {
      share = (await printwright.call("GET", operation_url)).body.progress;
      shares.push(share);
    }
  })();
  const { status, result } = await awaitOperation(printwright, begun);
  await watching;
  assert.equal(status, "SUCCEEDED", JSON.stringify(result));
  assert.deepEqual(
    shares.toSorted((a, b) => a - b),
    shares,
  );
  const { starts, files } = await fakes.printers[0].seen();
  assert.deepEqual(files, [`a_plate-${result.job_id.slice(0, 8)}.goo`]);
  assert.deepEqual(starts, files);
  const mars = (await list()).find(({ id }) => id === "Mars");
  assert.equal(mars.ready_to_print_now, false);
  assert.match(mars.status, /print "a_plate/);
});

test("a printer that prints refuses jobs with print_now, and holds others", async () => {
  const busy = await print({ print_now: true });
  assertRefused(busy, "OPERATION_FAILED", /print_now false/);
  const { job_id } = bodyOf(await print({ print_now: false }));
  const { starts, files } = await fakes.printers[0].seen();
  assert.equal(starts.length, 1);
  assert.ok(files.some((name) => name.includes(job_id.slice(0, 8))));
});

test("a scene of another machine is refused", async () => {
  assertRefused(await print({ printer: "Saturn" }), "UNSUPPORTED_SCENE");
});

test("a job that is cancelled while the printer checks it ends at once, and is removed again", async () => {
  const [mars] = fakes.printers;
  await mars.set({ checkMs: 400 });
  const { body } = await print({ print_now: false }, "?async=true");
  await until("the job arrives", async () => (await mars.seen()).receiving > 0);
  await post("/v1/operation/cancel/", { operations: [body.operation_id] });
  const { status, result } = bodyOf(await printwright.call("GET", body.operation_url));
  assert.equal(status, "FAILED");
  assert.equal(result.error.code, "OPERATION_CANCELLED");
  await mars.act("finish");
  await until("the check ends", async () => (await mars.seen()).receiving === 0);
  assert.equal((await mars.seen()).starts.length, 1);
});

longTest("a Saturn 3 Ultra fetches its job from the machine", async () => {
  const scene = await sceneFor("ELEGOO-S3U");
  bodyOf(await print({ scene_id: scene, printer: "Saturn 3", print_now: true }));
  const { starts, files, wrong } = await oldFakes.printers[0].seen();
  assert.equal(wrong, "");
  assert.equal(starts.length, 1);
  assert.deepEqual(files, starts);
});

test("firmware is refused with a message that names the right way, and the log records it", async () => {
  const refused = await post("/v1/device/upload-firmware/", { printer: "Mars", file: "/x.formware" });
  assertRefused(refused, "OPERATION_FAILED", /USB/);
  const events = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).event);
  assert.deepEqual(new Set(events), new Set(["printer found", "job sent", "job failed"]));
});
