import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { printerTypes } from "../../../src/catalog/catalog.ts";
import type { Device, FormAutoDevice, PowderDevice } from "../../../src/printer/device.ts";
import type { Printer } from "../../../src/printer/printer.ts";
import { newVirtualPrinter } from "../../../src/printer/virtual/virtual-printer.ts";
import { printerSuite } from "../../fixture/printer-suite.ts";
import { someJob, TOTALS } from "../../fixture/some-job.ts";

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Longer than any print of a virtual printer. */
const LONG_MS = 60_000;

/** A printer with a clock that changes only when it is set. */
function open(machineType: string) {
  const folder = mkdtempSync(join(tmpdir(), "printwright-jobs-"));
  folders.push(folder);
  const clock = { ms: 5_000_000 };
  const printerType = printerTypes().find((one) => one.machineType === machineType)!;
  const printer = newVirtualPrinter(
    { id: "Otter", printerType, machineTypes: [printerType.machineType] },
    folder,
    () => clock.ms,
  );
  return {
    printer,
    folder,
    clock,
    finishPrint() {
      clock.ms += LONG_MS;
    },
  };
}

for (const machineType of new Set(printerTypes().map((one) => one.machineType))) {
  printerSuite(`A virtual ${machineType}`, () => open(machineType));
}

/** The descriptions of the printer every 100 ms until it is ready again. */
function watched(printer: Printer, clock: { ms: number }): Device[] {
  const seen = [];
  for (; !printer.isReady(); clock.ms += 100) seen.push(printer.describe());
  return seen;
}

const isRising = (values: readonly number[]): boolean => values.every((one, i) => i === 0 || one >= values[i - 1]);

test("a job is written to the folder under a unique name", async () => {
  const { printer, folder } = open("FORM-4-0");
  await printer.submit(someJob({ id: "0a1b2c3d-0000-4000-8000-000000000000", name: "a/b" }));
  await printer.submit(someJob({ id: "4e5f6a7b-0000-4000-8000-000000000000", name: "a/b", printNow: false }));
  assert.deepEqual(readdirSync(folder).sort(), ["a_b-0a1b2c3d.printjob", "a_b-4e5f6a7b.printjob"]);
  assert.equal(readFileSync(join(folder, "a_b-0a1b2c3d.printjob"), "utf8"), "layers");
});

test("the remaining time falls from the print time to 0, and the cartridge dispenses the material of the job", async () => {
  const { printer, clock } = open("FRBL-3-0");
  const materialCode = (printer.describe() as FormAutoDevice).tank_material_code;
  const dispensed = (device: Device): number =>
    Object.values((device as FormAutoDevice).cartridge_data)[0].cartridgeEstimatedVolumeDispensed_mL;
  assert.equal(dispensed(printer.describe()), 0);
  await printer.submit(someJob({ materialCode }));
  const seen = watched(printer, clock) as FormAutoDevice[];
  const left = seen.map((device) => device.estimated_print_time_remaining_ms);
  assert.equal(left[0], TOTALS.printTimeS * 1000);
  assert.ok(left.every(Number.isInteger));
  assert.ok(isRising(left.toReversed()) && isRising(seen.map(dispensed)));
  assert.equal((printer.describe() as FormAutoDevice).estimated_print_time_remaining_ms, 0);
  assert.equal(dispensed(printer.describe()), TOTALS.materialMl);

  await printer.submit(someJob({ materialCode }));
  watched(printer, clock);
  assert.equal(dispensed(printer.describe()), 2 * TOTALS.materialMl);
});

test("an empty cartridge is replaced by the next", async () => {
  const { printer, finishPrint } = open("FORM-4-0");
  const cartridge = () => Object.entries((printer.describe() as FormAutoDevice).cartridge_data)[0];
  for (let job = 0; job < 3; job++) {
    await printer.submit(someJob({ writeTo: async () => ({ ...TOTALS, materialMl: 400 }) }));
    finishPrint();
  }
  assert.equal(cartridge()[1].cartridgeOriginalVolume_mL, 1000);
  assert.equal(cartridge()[1].cartridgeEstimatedVolumeDispensed_mL, 200);
  assert.match(cartridge()[0], /-2$/);
});

test("a job of another material starts with a new tank and cartridge", async () => {
  const { printer, finishPrint } = open("FORM-2-0");
  const before = printer.describe() as FormAutoDevice;
  await printer.submit(someJob({ materialCode: before.tank_material_code }));
  finishPrint();
  await printer.submit(someJob({ materialCode: "FLGPBK04" }));
  const device = printer.describe() as FormAutoDevice;
  assert.equal(device.tank_material_code, "FLGPBK04");
  assert.notEqual(device.tank_id, before.tank_id);
  const [cartridge] = Object.values(device.cartridge_data);
  assert.equal(cartridge.materialCode, "FLGPBK04");
  assert.equal(cartridge.cartridgeEstimatedVolumeDispensed_mL, 0);
});

test("a powder printer heats up, counts its layers and cools down", async () => {
  const { printer, clock } = open("FS30-1-0");
  const idle = printer.describe() as PowderDevice;
  assert.equal(idle.printing_layer, 0);
  assert.equal(idle.printing_guid, "");
  const job = someJob({ materialCode: idle.material_code });
  await printer.submit(job);
  const seen = watched(printer, clock) as PowderDevice[];
  assert.ok(seen.every(({ printing_guid }) => printing_guid === job.id));
  const layers = seen.map(({ printing_layer }) => printing_layer);
  assert.ok(isRising(layers));
  assert.equal(layers[0], 0);
  assert.equal(layers.at(-1), TOTALS.layerCount);
  assert.ok(new Set(layers).size > 50);
  const temperatures = seen.map(({ bed_temperature_c }) => bed_temperature_c);
  const hottest = temperatures.indexOf(Math.max(...temperatures));
  assert.ok(isRising(temperatures.slice(0, hottest)));
  assert.ok(temperatures.at(-1)! < temperatures[hottest]);
  assert.ok(temperatures[hottest] > 150);
  assert.ok(layers[hottest] > 0, "it prints while it is hot");
  const done = printer.describe() as PowderDevice;
  assert.deepEqual([done.printing_layer, done.printing_guid], [0, ""]);
  assert.equal(done.bed_temperature_c, idle.bed_temperature_c);
  assert.ok(done.powder_credit_g < idle.powder_credit_g && done.powder_credit_g > idle.powder_credit_g - 60);
});

test("its status shows the phases in order and the number of held jobs", async () => {
  const { printer, clock } = open("PILK-1-0");
  await printer.submit(someJob({ printNow: false }));
  assert.match(printer.describe().status, /^Ready; holds 1 job$/);
  await printer.submit(someJob({ printNow: false }));
  const taken = printer.submit(someJob());
  assert.match(printer.describe().status, /^Receiving a job; holds 2 jobs$/);
  await taken;
  const phases = new Set(watched(printer, clock).map(({ status }) => status.split(" ")[0]));
  assert.deepEqual([...phases], ["Preparing", "Printing", "Cooling"]);
  assert.equal(printer.describe().status, 'Ready; finished "bracket"; holds 2 jobs');
});

test("while the next job is received, the last one is not shown as in progress", async () => {
  const { printer, finishPrint } = open("FS30-1-0");
  await printer.submit(someJob());
  finishPrint();
  const next = printer.submit(someJob());
  const { printing_guid, printing_layer } = printer.describe() as PowderDevice;
  assert.deepEqual([printing_guid, printing_layer], ["", 0]);
  await next;
});
