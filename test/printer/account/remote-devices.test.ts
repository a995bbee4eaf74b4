import assert from "node:assert/strict";
import { test } from "node:test";
import { printerTypes } from "../../../src/catalog/catalog.ts";
import { ApiError } from "../../../src/core/api-error.ts";
import { readGroups, readPrinters } from "../../../src/printer/account/account-state.ts";
import { remoteDevices } from "../../../src/printer/account/remote-devices.ts";
import type { Device } from "../../../src/printer/device.ts";
import { fc } from "../../fixture/property.ts";
import { someJob } from "../../fixture/some-job.ts";

const NOW_MS = Date.parse("2026-01-01T12:00:00Z");
const GROUP = "0b8e8a54-12cd-4f5d-8a5e-5c9ad4a5b6f0";

const targetsOf = (printers: unknown[], groups: unknown[] = [], afterMs = 0) =>
  remoteDevices(
    { printers: readPrinters(printers), groups: readGroups(groups), serverMs: NOW_MS, readAtMs: 1000 },
    1000 + afterMs,
  );
const devicesOf = (printers: unknown[], groups: unknown[] = []): Device[] =>
  targetsOf(printers, groups).map((target) => target.describe());

const PINGED = { last_pinged_at: "2026-01-01T11:59:00Z" };
const FULL = {
  serial: "KindOtter",
  alias: "By the window",
  firmware_version: "2.1.0",
  group: { id: GROUP, name: "Lab" },
  printer_status: {
    ...PINGED,
    status: "Printing",
    hopper_level: 3,
    material_credit: 512.5,
    hopper_material: "FLP12G01",
    current_temperature: 171.5,
    ready_to_print: "READY_TO_PRINT_READY",
    form_cell: { id: 1 },
    current_print_run: { guid: "run-1", currently_printing_layer: 17, estimated_time_remaining_ms: 61_000.4 },
  },
  cartridge_status: [
    {
      cartridge_slot: "a",
      cartridge: { serial: "c1", material: "FLGPGR05", initial_volume_ml: 1000, volume_dispensed_ml: 12.5 },
    },
    { cartridge_slot: "b", cartridge: null },
  ],
  tank_status: { tank: { serial: "t1", material: "FLGPGR05" } },
};
const COMMON = {
  id: "KindOtter",
  status: "Printing",
  is_connected: true,
  connection_type: "REMOTE",
  firmware_version: "2.1.0",
  ready_to_print_now: true,
};
const RESIN = {
  ...COMMON,
  ip_address: "",
  estimated_print_time_remaining_ms: 61_000,
  tank_id: "t1",
  tank_material_code: "FLGPGR05",
  cartridge_data: {
    c1: { materialCode: "FLGPGR05", cartridgeEstimatedVolumeDispensed_mL: 12.5, cartridgeOriginalVolume_mL: 1000 },
  },
};
const GROUPS = [{ id: GROUP, name: "Lab", remote_print_enabled_override: true, printers: ["KindOtter", "Elsewhere"] }];

for (const [machine_type_id, product_name, expected] of [
  ["FORM-4-0", "Form 4", { ...RESIN, is_remote_print_enabled: true }],
  ["FORM-3-0", "Form 3", { ...RESIN, is_remote_print_enabled: true, form_auto_status: "Installed" }],
  ["FORM-2-0", "Form 2", RESIN],
  ["PRUSA-SL1S", "Original Prusa SL1S", COMMON],
  ["FORM-9-9", "FORM-9-9", COMMON],
  [
    "FS30-1-0",
    "Fuse 1",
    {
      ...COMMON,
      ip_address: "",
      bed_temperature_c: 171.5,
      powder_level: "3",
      printing_layer: 17,
      printing_guid: "run-1",
      material_code: "FLP12G01",
      cylinder_serial: "",
      powder_credit_g: 512.5,
    },
  ],
] as const) {
  test(`a ${machine_type_id} of an account has the fields of its family`, () => {
    const [device, group] = devicesOf([{ ...FULL, machine_type_id }], GROUPS);
    assert.deepEqual({ ...device, product_name: "" }, { ...expected, product_name: "" });
    const type = printerTypes().find((one) => one.productNames.includes(device.product_name));
    if (machine_type_id === "FORM-9-9") assert.equal(device.product_name, product_name);
    else assert.ok(type, device.product_name);
    assert.deepEqual(group, {
      id: GROUP,
      product_name: "Printer Group",
      status: "Lab: 1 of 2 printers ready",
      is_connected: true,
      firmware_version: "",
      dashboard_group_id: GROUP,
      dashboard_queue_id: GROUP,
      ready_to_print_now: true,
      queue_paused: false,
      has_form_auto: true,
      supported_machine_type_ids: [machine_type_id],
      printers: [
        { id: "KindOtter", machine_type_id },
        { id: "Elsewhere", machine_type_id: "UNKN-0-0" },
      ],
    });
  });
}

test("a single cartridge outside a list is accepted", () => {
  const [{ cartridge_status }] = [FULL];
  const [device] = devicesOf([{ ...FULL, machine_type_id: "FORM-4-0", cartridge_status: cartridge_status[0] }]);
  assert.deepEqual("cartridge_data" in device && Object.keys(device.cartridge_data), ["c1"]);
});

test("a printer is ready if its state ends in _READY and is not NOT_READY", () => {
  for (const [ready_to_print, isReady] of [
    ["READY_TO_PRINT_READY", true],
    ["READY_TO_PRINT_NEEDS_CONFIRMATION", false],
    ["READY_TO_PRINT_NOT_READY", false],
    ["READY_TO_PRINT_NOT_SUPPORTED", false],
    [null, false],
  ]) {
    const [device] = devicesOf([{ serial: "a", printer_status: { ...PINGED, ready_to_print } }]);
    assert.equal(device.ready_to_print_now, isReady, String(ready_to_print));
  }
});

test("every pinged printer is listed with the fields of its family, even if values are null, absent or of another type", () => {
  const junk = fc.oneof(fc.constant(null), fc.constant(undefined), fc.anything(), fc.string(), fc.integer());
  const reference = new Map(
    ["FORM-4-0", "FORM-3-0", "FORM-2-0", "FS30-1-0", "FORM-9-9"].map((machine_type_id) => {
      const [device] = devicesOf([{ ...FULL, machine_type_id }]);
      return [machine_type_id, device] as const;
    }),
  );
  const anyPrinter = fc.record({
    machine_type_id: fc.constantFrom(...reference.keys()),
    changes: fc.dictionary(
      fc.constantFrom("alias", "firmware_version", "group", "cartridge_status", "tank_status"),
      junk,
    ),
    status: fc.dictionary(
      fc.constantFrom(...Object.keys(FULL.printer_status).filter((key) => key !== "last_pinged_at")),
      junk,
    ),
  });
  fc.assert(
    fc.property(anyPrinter, ({ machine_type_id, changes, status }) => {
      const printer_status = { ...FULL.printer_status, ...status };
      const found = devicesOf(
        [{ ...FULL, machine_type_id, ...changes, printer_status }],
        [{ id: GROUP }, null, { id: 3 }],
      );
      assert.equal(found.length, 2);
      const [device] = found;
      const like = reference.get(machine_type_id)! as unknown as Record<string, unknown>;
      assert.deepEqual(Object.keys(device).sort(), Object.keys(like).sort());
      for (const [key, value] of Object.entries(device)) assert.equal(typeof value, typeof like[key], key);
    }),
  );
});

test("printers without a ping for five minutes, and all printers of a silent service, are not connected", () => {
  const printer = { serial: "a", printer_status: PINGED };
  assert.equal(targetsOf([printer], GROUPS, 0).length, 2);
  assert.equal(targetsOf([printer], GROUPS, 239_000).length, 2);
  assert.equal(targetsOf([printer], GROUPS, 241_000).length, 1, "the printer has gone");
  assert.equal(targetsOf([printer], GROUPS, 301_000).length, 0);
});

test("printers and groups accept neither jobs nor firmware, and the message names the right way", async () => {
  const [printer, group] = targetsOf([{ ...FULL, machine_type_id: "FORM-4-0" }], GROUPS);
  assert.deepEqual([printer.otherNames, group.otherNames], [["By the window"], ["Lab"]]);
  assert.deepEqual([printer.machineTypes.includes("FORM-4-0"), group.machineTypes.includes("FORM-4-0")], [true, true]);
  const isRefusal = (words: RegExp) => (thrown: unknown) =>
    thrown instanceof ApiError && thrown.code === "OPERATION_FAILED" && words.test(thrown.message);
  for (const target of [printer, group]) {
    const writeTo = (): never => assert.fail("it was sliced");
    assert.equal(target.refusesAllJobs, true);
    await assert.rejects(
      target.submit(someJob({ writeTo })),
      isRefusal(/takes no jobs: name the server of the maker.*, or export .*\.stl or \.3mf/),
    );
    await assert.rejects(
      target.installFirmware("/a", someJob().task),
      isRefusal(/takes no firmware: install it at the printer/),
    );
  }
});
