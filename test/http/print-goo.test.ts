import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { fpsDocument } from "../fixture/fps-file.ts";
import { readGooFields } from "../fixture/job/read-goo.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { assertRefused, bodyOf } from "../fixture/test-server.ts";

// The heads and layers of jobs for each Elegoo. Printers follow the head of the file, so exposures are compared with it.

type Goo = ReturnType<typeof readGooFields>;

/** Lift and retraction, mm and mm/min, from the profiles of UVtools (7b510f0d), which come from the makers' slicers. */
const TILTS = [0.05, 0.05, 0.05, 0.05];
const LIFTS = [7, 70, 7, 210];
const SHORT_LIFTS = [5, 100, 5, 150];
/** Those of the bottom layers of machines with short lifts; others have the same for all layers. */
const BOTTOM_LIFTS = [7, 80, 7, 150];

/** The published panels, the maker's names in jobs, and the motions. */
const MACHINES = [
  ["ELEGOO-S4U-12K", "ELEGOO Saturn 4 Ultra", [11520, 5120], [218.88, 122.88, 220], TILTS],
  ["ELEGOO-S4U-16K", "ELEGOO Saturn 4 Ultra 16K", [15120, 6230], [211.68, 118.37, 220], TILTS],
  ["ELEGOO-S3U", "ELEGOO Saturn 3 Ultra", [11520, 5120], [218.88, 122.88, 260], LIFTS],
  ["ELEGOO-M5U", "ELEGOO Mars 5 Ultra", [8520, 4320], [153.36, 77.76, 165], TILTS],
  ["ELEGOO-S3", "ELEGOO Saturn 3", [11520, 5120], [218.88, 122.88, 250], LIFTS],
  ["ELEGOO-S4", "ELEGOO Saturn 4", [11520, 5120], [218.88, 122.88, 220], LIFTS],
  ["ELEGOO-M4", "ELEGOO Mars 4", [8520, 4320], [153.36, 77.76, 175], SHORT_LIFTS],
  ["ELEGOO-M4U", "ELEGOO Mars 4 Ultra", [8520, 4320], [153.36, 77.76, 165], SHORT_LIFTS],
  ["ELEGOO-M4M", "ELEGOO Mars 4 Max", [5760, 3600], [195.84, 122.4, 150], SHORT_LIFTS],
  ["ELEGOO-M4D", "ELEGOO Mars 4 DLP", [2560, 1440], [132.8, 74.7, 150], SHORT_LIFTS],
  ["ELEGOO-M5", "ELEGOO Mars 5", [4098, 2560], [143.43, 89.6, 150], SHORT_LIFTS],
] as const;

const file = temporaryFiles();
/** 15 layers of 0.02 mm: 4 bottom layers, 6 transition layers, 5 others. */
const PLATE = file("plate.stl", binaryStl(box([8, 5, 0.3])));
const jobs = mkdtempSync(join(tmpdir(), "printwright-goo-"));

let printwright: Printwright;
before(async () => {
  const printers = MACHINES.flatMap(([machineType]) => ["--virtual-printer", `${machineType}=${machineType}`]);
  printwright = await startPrintwright([...printers, "--job-dir", jobs]);
});
after(async () => {
  await printwright.stop();
  rmSync(jobs, { recursive: true });
});

const post = async (path: string, body: object): Promise<Reply["body"]> => bodyOf(await printwright.post(path, body));
const settingOf = (machine_type: string, layer_thickness_mm: number | string) => ({
  machine_type,
  material_code: "GENERIC-RESIN",
  layer_thickness_mm,
});

/** The job of the plate, and the print time of its scene in seconds. */
async function printed(setting: object, printer: string): Promise<Goo & { readonly sceneTimeS: number }> {
  const { scene_id } = await post("/v1/scene/create/", setting);
  await post("/v1/scene/model/import/", { scene_id, file: PLATE });
  const { total_print_time_s } = await post("/v1/scene/calculate-print-time/", { scene_id });
  const { job_id } = await post("/v1/scene/print/", { scene_id, printer, job_name: "plate" });
  const name = readdirSync(jobs).find((one) => one.includes(job_id.slice(0, 8)))!;
  assert.ok(name.endsWith(".goo"), name);
  return { ...readGooFields(readFileSync(join(jobs, name))), sceneTimeS: total_print_time_s };
}

const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e4) / 1e4);

/**
 * Exposures as the printer computes them from the head: the bottom layers, then equal steps, one more than there are transition
 * layers. The owner of a Saturn 4 Ultra measured 20, 20, 17.3, 14.1, 10.9, 8.1, 5.1, 2.1 s for 2 and 5 (UVtools, issue 984).
 */
const exposuresByHead = ({ exposureS, bottomExposureS, bottomLayers, transitionLayers, layerCount }: Goo["header"]) =>
  Array.from({ length: layerCount }, (_, k) => {
    const steps = Math.min(Math.max(0, k - bottomLayers + 1), transitionLayers + 1);
    return bottomExposureS - ((bottomExposureS - exposureS) * steps) / (transitionLayers + 1);
  });

function assertConsistent({ header, layers, sceneTimeS }: Goo & { readonly sceneTimeS: number }): void {
  const exposures = layers.map(({ exposureS }) => exposureS);
  assert.deepEqual(rounded(exposures), rounded(exposuresByHead(header)));
  assert.deepEqual(rounded(layers.map(({ zMm }) => zMm)), rounded(layers.map((_, k) => (k + 1) * header.thicknessMm)));
  for (const [k, { waits, offS }] of layers.entries())
    assert.deepEqual([waits, offS], [k < header.bottomLayers ? header.bottomWaits : header.waits, header.offS]);
  // Answers have tenths of seconds, the file has whole seconds.
  assert.ok(Math.abs(header.printTimeS - sceneTimeS) < 0.56, `${header.printTimeS} s, ${sceneTimeS} s`);
}

for (const [machineType, printerName, pixels, sizeMm, motions] of MACHINES) {
  test(`the job of a ${printerName} has its name, its panel, its motions, and the exposures of its layers`, async () => {
    const goo = await printed(settingOf(machineType, 0.02), machineType);
    const { header, layers } = goo;
    assert.deepEqual([header.printerName, header.printerType], [printerName, "DLP"]);
    assert.deepEqual([header.pixels, header.mirror], [pixels, [1, 0]]);
    assert.deepEqual(rounded(header.sizeMm), sizeMm);
    assert.deepEqual([layers.length, header.bottomLayers, header.transitionLayers, header.advanceMode], [15, 4, 6, 0]);
    assertConsistent(goo);
    const bottom = { lift: header.bottomLift, retract: header.bottomRetract };
    const ofBottom = motions === SHORT_LIFTS ? BOTTOM_LIFTS : motions;
    for (const [k, { lift, retract }] of [bottom, ...layers, header].entries()) {
      const expected = k <= header.bottomLayers ? ofBottom : motions;
      assert.deepEqual(rounded([lift.mm, lift.mmPerMin, retract.mm, retract.mmPerMin]), expected);
    }
    const second = [
      ...header.secondStages,
      ...layers.flatMap(({ secondLift, secondRetract }) => [secondLift, secondRetract]),
    ];
    assert.ok(second.every(({ mm, mmPerMin }) => mm === 0 && mmPerMin === 0));
  });
}

for (const [count, fade, bottomLayers, transitionLayers] of [
  [0, 0, 1, 0],
  [0, 3, 1, 2],
  [1, 0, 1, 0],
  [2, 5, 2, 5],
  [3, 20, 3, 20],
  [40, 5, 40, 5],
] as const) {
  test(`the head and the layers agree for ${count} bottom layers and ${fade} transition layers`, async () => {
    const base = { machine_type_id: "ELEGOO-M5U", versioned_material_code: "GENERIC-RESIN", layer_thickness_mm: 0.02 };
    const document = fpsDocument({}, base) as Reply["body"];
    const values = { first_layer_count: count, first_layer_fade_count: fade, first_layer_exposure_factor: 5 };
    document.public_fields.categories.push({ key: "Printwright_Print", values });
    const fps_file = file(`${count}-${fade}.fps`, JSON.stringify(document));
    const goo = await printed({ fps_file }, "ELEGOO-M5U");
    assert.deepEqual([goo.header.bottomLayers, goo.header.transitionLayers], [bottomLayers, transitionLayers]);
    assert.equal(
      new Set(rounded(goo.layers.map(({ exposureS }) => exposureS))).size > 1,
      count < 15 && count + fade > 0,
    );
    assertConsistent(goo);
  });
}

test("scenes of these machines cannot have ADAPTIVE layers, because their jobs cannot have them", async () => {
  for (const [machineType] of MACHINES) {
    const reply = await printwright.post("/v1/scene/create/", settingOf(machineType, "ADAPTIVE"));
    assertRefused(reply, "INPUT_ERROR", /layer_thickness_mm "ADAPTIVE".*Valid: /);
  }
});
