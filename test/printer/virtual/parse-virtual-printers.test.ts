import assert from "node:assert/strict";
import { test } from "node:test";
import { printerTypes } from "../../../src/catalog/catalog.ts";
import { parseVirtualPrinters } from "../../../src/printer/virtual/parse-virtual-printers.ts";

const parse = (...orders: string[]): [string, string][] =>
  parseVirtualPrinters(orders).map(({ id, printerType }) => [id, printerType.label]);

test("every machine type of the catalog is accepted, also by its aliases", () => {
  for (const printerType of printerTypes()) {
    for (const machineType of printerType.supportedMachineTypes) {
      const [printer] = parseVirtualPrinters([machineType]);
      assert.ok(printerTypes().includes(printer.printerType), machineType);
    }
  }
  assert.deepEqual(parse("FORM-3-0=A", "FRML-3-0=B", "PILK-1-1=C"), [
    ["A", "Form 3/3+"],
    ["B", "Form 3L"],
    ["C", "Fuse 1"],
  ]);
});

test("a printer prints scenes of every printer type that lists its machine type", () => {
  for (const printerType of printerTypes()) {
    for (const machineType of printerType.supportedMachineTypes) {
      assert.ok(parseVirtualPrinters([machineType])[0].machineTypes.includes(printerType.machineType), machineType);
    }
  }
  const printable = parseVirtualPrinters(["FORM-3-0=A", "FORM-3-1=B", "FRMB-3-0=C", "FS30-1-1=D"]);
  assert.deepEqual(
    printable.map(({ machineTypes }) => machineTypes),
    [["FORM-3-1", "FRMB-3-1"], ["FORM-3-1"], ["FRMB-3-1"], ["FS30-1-0"]],
  );
});

test("printers without a name get a unique one", () => {
  const ids = parse("FORM-4-0", "PILK-1-0", "FORM-4-0", "FORM-4-0=Virtual-FORM-4-0-1").map(([id]) => id);
  assert.deepEqual(ids, ["Virtual-FORM-4-0-2", "Virtual-PILK-1-0-1", "Virtual-FORM-4-0-3", "Virtual-FORM-4-0-1"]);
});

test("a name may contain any characters, also an equals sign", () => {
  assert.deepEqual(parse("FORM-4-0=Room 2 = left"), [["Room 2 = left", "Form 4"]]);
});

test("unknown and reserved machine types, empty names and duplicate names are refused", () => {
  assert.throws(() => parse("FORM-4"), /no machine type is called "FORM-4"; known: FORM-4-0, .*ELEGOO/);
  assert.throws(() => parse("UNKN-0-0"), /UNKN-0-0/);
  assert.throws(() => parse(""), /known/);
  assert.throws(() => parse("toString"), /known/);
  assert.throws(() => parse("FORM-4-0="), /empty/);
  assert.throws(() => parse("FORM-4-0= "), /empty/);
  assert.throws(() => parse("FORM-4-0=A", "PILK-1-0=A"), /"A"/);
});
