import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";

// Folders as printers, and printers that cannot be used, of the compiled executable, where the thread of a folder is part of the file.

const root = mkdtempSync(join(tmpdir(), "printwright-folder-printers-"));
const stick = join(root, "my stick");
mkdirSync(stick);
const PLATE = temporaryFiles()("plate.stl", binaryStl(box([2, 2, 0.3])));
const TYPE = "machine_type=ANYCUBIC-M5S";
const log = join(root, "log");
const server = await startPrintwright([
  "--printer",
  `folder://${stick.replace(" ", "%20")}?${TYPE}`,
  "--printer",
  `folder://${root}/none?${TYPE}`,
  "--log",
  log,
]);
after(async () => {
  await server.stop();
  rmSync(root, { recursive: true });
});

test("a scene is printed into a folder without print_now, and the file is there when the answer comes", async () => {
  const setting = { material_code: "GENERIC-RESIN", print_setting: "DEFAULT", layer_thickness_mm: 0.05 };
  const { scene_id } = bodyOf(await server.post("/v1/scene/create/", { machine_type: "ANYCUBIC-M5S", ...setting }));
  bodyOf(await server.post("/v1/scene/model/import/", { scene_id, file: PLATE }));
  const print = { scene_id, printer: stick, job_name: "plate" };
  const refused = await server.post("/v1/scene/print/", { ...print, print_now: true });
  assert.deepEqual([refused.status, refused.body.error.code], [400, "OPERATION_FAILED"]);
  assert.match(refused.body.error.message, /print_now false, and start it at the machine/);
  const { job_id } = bodyOf(await server.post("/v1/scene/print/", print));
  assert.deepEqual(readdirSync(stick), [`plate-${job_id.slice(0, 8)}.pm5s`]);
  const { devices } = bodyOf(await server.call("GET", "/v1/device/list/?can_print=true"));
  assert.deepEqual(
    devices.map((one: Reply["body"]) => [one.id, one.ready_to_print_now]),
    [[stick, false]],
  );
});

test("a folder that is not there is listed and logged with the reason", async () => {
  const reason = "it is not there: plug in the medium or mount the share, and check the path";
  const missing = { id: join(root, "none"), product_name: "", reason };
  await until("it was looked for", async () => readFileSync(log, "utf8").includes(reason));
  assert.deepEqual(bodyOf(await server.call("GET", "/v1/device/unusable/")), { count: 1, devices: [missing] });
  const lines = readFileSync(log, "utf8").trim().split("\n");
  const ofIt = lines.map((line) => JSON.parse(line)).filter(({ printer }) => printer === missing.id);
  assert.deepEqual(
    ofIt.map((line) => [line.event, line.reason]),
    [["printer not reached", reason]],
  );
});
