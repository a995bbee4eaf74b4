import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { printerTypes, catalogEntries, earlierEntriesOf, listPrinterTypes } from "../../src/catalog/catalog.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { defaultSetting, resolveCombination, validateCombination } from "../../src/catalog/resolve.ts";
import { settingsOnWire } from "../../src/catalog/setting.ts";

const refusal = (message: RegExp) => ({ code: "INPUT_ERROR", message });

const grey = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 };

test("every listed combination resolves to itself, as numbers and as the strings of scene responses", () => {
  for (const type of listPrinterTypes()) {
    for (const { scene_settings } of type.materials.flatMap((material) => material.material_settings)) {
      const onWire = settingsOnWire(resolveCombination(scene_settings));
      assert.deepEqual(onWire, { ...scene_settings, layer_thickness_mm: String(scene_settings.layer_thickness_mm) });
      assert.deepEqual(settingsOnWire(resolveCombination(onWire)), onWire);
    }
  }
});

test("without a print setting the default profile is used if there is one", () => {
  for (const { combination } of catalogEntries()) {
    const { machineType, materialCode, layerThicknessMm } = combination;
    const siblings = catalogEntries().filter(
      (one) =>
        one.combination.machineType === machineType &&
        one.combination.materialCode === materialCode &&
        one.combination.layerThicknessMm === layerThicknessMm,
    );
    const taken = resolveCombination({
      machine_type: machineType,
      material_code: materialCode,
      layer_thickness_mm: layerThicknessMm,
    });
    const expected = siblings.find(({ label }) => label.endsWith("(Default settings)")) ?? siblings[0];
    assert.deepEqual(taken.combination, expected.combination);
  }
});

test("the default setting is the one that the published catalog marks as default, whatever its code or position", () => {
  const cases: [machine: string, material: string, layer: number | string, printSetting: string][] = [
    ["FORM-3-1", "FLGPBK04", 0.1, "STAGE3_DEFAULT"],
    ["FORM-3-1", "FLTO2001", "ADAPTIVE", "NEW_DEFAULT"],
    ["FORM-3-1", "FLPU1001", 0.05, "AUTOFILL"],
    ["FORM-3-1", "FLCWPU01", "ADAPTIVE", "LEGACY"],
    ["FORM-4-0", "FLFMGR01", 0.16, "F4_FAST_ARCHES"],
    ["PILK-1-0", "FLP12B01", 0.11, "DEFAULT_V2"],
  ];
  for (const [machine_type, material_code, layer_thickness_mm, expected] of cases) {
    const { combination } = resolveCombination({ machine_type, material_code, layer_thickness_mm });
    assert.equal(combination.printSetting, expected, `${machine_type} ${material_code}`);
  }
});

test("DEFAULT names the default profile of every combination, even if the profile has another name", () => {
  for (const { combination } of catalogEntries()) {
    const request = {
      machine_type: combination.machineType,
      material_code: combination.materialCode,
      layer_thickness_mm: combination.layerThicknessMm,
    };
    const byName = resolveCombination({ ...request, print_setting: "DEFAULT" }).combination;
    const isEarlier = printerTypes()
      .flatMap(earlierEntriesOf)
      .some((one) => isDeepStrictEqual(one.combination, byName));
    if (!isEarlier) assert.deepEqual(byName, resolveCombination(request).combination);
    assert.deepEqual(validateCombination({ ...request, print_setting: "DEFAULT" }), { valid: true });
  }
});

test("settings of earlier catalogs are accepted by their names, but are in no list", () => {
  const earlier = printerTypes().flatMap(earlierEntriesOf);
  assert.ok(earlier.some(({ combination }) => combination.printSetting === "SPEED_OPTIMIZED_V5"));
  for (const { combination } of earlier) {
    const request = {
      machine_type: combination.machineType,
      material_code: combination.materialCode,
      print_setting: combination.printSetting,
      layer_thickness_mm: combination.layerThicknessMm,
    };
    const setting = resolveCombination(request);
    assert.deepEqual(setting.combination, combination);
    assert.equal(profileOf(setting).family, "powder");
    assert.deepEqual(validateCombination(request), { valid: true });
    const { layer_thickness_mm: _, ...three } = request;
    assert.deepEqual(validateCombination(three).options, { layer_thicknesses_mm: [0.11] });
    const { print_setting: earlierName, ...others } = request;
    assert.ok(!validateCombination(others).options!.print_settings!.includes(earlierName));
  }
});

test("machine types of 2026 that the catalog does not have are refused by name", () => {
  const request = { ...grey, machine_type: "FUSX-1-0" };
  assert.throws(
    () => resolveCombination(request),
    refusal(/"FUSX-1-0" is a printer of 2026 .*print-setting\/list offers/),
  );
  assert.deepEqual(validateCombination({ ...request, print_setting: "DEFAULT" }), { valid: false });
});

test("layer thicknesses are compared as numbers, whatever their notation", () => {
  const single = Math.fround(0.1);
  for (const layer_thickness_mm of [0.1, "0.1", "0.10", "1e-1", ".1", "+0.1", "10E-2", single, 0.2 - 0.1]) {
    assert.equal(resolveCombination({ ...grey, layer_thickness_mm }).combination.layerThicknessMm, 0.1);
  }
  for (const layer_thickness_mm of [
    "",
    " 0.1",
    "0.1mm",
    "0x1",
    "adaptive",
    "NaN",
    "Infinity",
    "1e999",
    Number.NaN,
    -0.1,
    0,
    0.101,
  ]) {
    assert.throws(
      () => resolveCombination({ ...grey, layer_thickness_mm }),
      refusal(/layer_thickness_mm .* for machine_type FORM-4-0 and material_code FLGPGR05\. Valid: .*0\.1/),
      String(layer_thickness_mm),
    );
  }
});

test("aliases resolve to the canonical id", () => {
  const cases = {
    "DGJR-1-0": "FORM-3-1",
    "FORM-3-0": "FORM-3-1",
    "FORM-3-2": "FORM-3-1",
    "FRMB-3-0": "FRMB-3-1",
    "FRML-3-0": "DGSR-1-0",
  };
  for (const [machine_type, canonical] of Object.entries(cases)) {
    const setting = resolveCombination({ machine_type, material_code: "FLGPGR04", layer_thickness_mm: 0.1 });
    assert.equal(setting.combination.machineType, canonical);
    assert.equal(setting.printerType.machineType, canonical);
  }
  for (const [machine_type, canonical] of [
    ["PILK-1-1", "PILK-1-0"],
    ["FS30-1-1", "FS30-1-0"],
  ] as const) {
    const setting = resolveCombination({ machine_type, material_code: "FLP12G01", layer_thickness_mm: 0.11 });
    assert.equal(setting.combination.machineType, canonical);
  }
});

test("a machine type that two printer types share finds the settings of both", () => {
  const request = (material_code: string) => ({ machine_type: "FORM-4-0", material_code, layer_thickness_mm: 0.1 });
  assert.equal(resolveCombination(request("FLGPGR05")).printerType.label, "Form 4");
  assert.equal(resolveCombination(request("BGTQA201")).printerType.label, "Form 4B");
  const large = resolveCombination({ machine_type: "FRML-4-0", material_code: "FLBMAM01", layer_thickness_mm: 0.1 });
  assert.equal(large.printerType.label, "Form 4BL");
});

test("the reserved machine type is refused before anything else", () => {
  const request = { machine_type: "UNKN-0-0", material_code: "?", layer_thickness_mm: "?" };
  assert.throws(() => resolveCombination(request), refusal(/UNKN-0-0 is reserved.*print-setting\/list/));
});

test("errors name the field that does not match and its closest valid values", () => {
  assert.throws(
    () => resolveCombination({ ...grey, machine_type: "FORM-4" }),
    refusal(/machine_type "FORM-4"\. Valid: FORM-4-0,/),
  );
  assert.throws(
    () => resolveCombination({ ...grey, material_code: "FLGPGR5" }),
    refusal(/material_code "FLGPGR5" .*Valid: FLGPGR05,/),
  );
  assert.throws(
    () => resolveCombination({ ...grey, print_setting: "default" }),
    refusal(/print_setting "default" .*Valid: DEFAULT, FINERTOUCHPOINTS\./),
  );
});

test("names of inherited properties and megabytes of text are unknown values like any others", () => {
  for (const name of ["toString", "__proto__", "constructor", "hasOwnProperty", "", "x".repeat(1 << 20)]) {
    assert.throws(() => resolveCombination({ ...grey, machine_type: name }), refusal(/machine_type/));
    assert.throws(() => resolveCombination({ ...grey, material_code: name }), refusal(/material_code/));
    assert.throws(() => resolveCombination({ ...grey, print_setting: name }), refusal(/print_setting/));
    assert.throws(() => resolveCombination({ ...grey, layer_thickness_mm: name }), refusal(/layer_thickness_mm/));
  }
});

test("the default setting is a Form 4 with grey resin at 0.1 mm", () => {
  assert.deepEqual(settingsOnWire(defaultSetting()), {
    machine_type: "FORM-4-0",
    material_code: "FLGPGR05",
    print_setting: "DEFAULT",
    layer_thickness_mm: "0.1",
  });
  assert.deepEqual(defaultSetting().printerType.volume.dimensionsMm, [200, 125, 210]);
});

const listed = listPrinterTypes().flatMap((type) =>
  type.materials.flatMap((material) => material.material_settings.map((setting) => setting.scene_settings)),
);

/** The list that `options` holds when the field is left out. */
const LISTS = {
  machine_type: "machine_types",
  material_code: "material_codes",
  print_setting: "print_settings",
  layer_thickness_mm: "layer_thicknesses_mm",
} as const;

const FIELDS = Object.keys(LISTS) as (keyof typeof LISTS)[];

test("every listed combination is valid, without options", () => {
  for (const combination of listed) assert.deepEqual(validateCombination(combination), { valid: true });
});

test("without any one field, the options are exactly the values that complete the combination", () => {
  for (const combination of listed) {
    for (const field of FIELDS) {
      const { [field]: left, ...request } = combination;
      const { valid, options = {} } = validateCombination(request);
      assert.equal(valid, true);
      assert.deepEqual(Object.keys(options), [LISTS[field]]);
      const values: readonly unknown[] = options[LISTS[field]] ?? [];
      assert.ok(values.includes(left));
      const others = FIELDS.filter((other) => other !== field);
      const isMeant = (one: typeof combination) => (other: (typeof FIELDS)[number]) =>
        one[other] === combination[other] || (other === "print_setting" && combination.print_setting === "DEFAULT");
      const expected = listed.filter((one) => others.every(isMeant(one)));
      assert.deepEqual(new Set(values), new Set(expected.map((one) => one[field])));
      assert.equal(values.length, new Set(values).size);
    }
  }
});

test("aliases and numeric strings equal the values that they name", () => {
  const request = {
    machine_type: "DGJR-1-0",
    material_code: "FLGPGR04",
    print_setting: "LEGACY",
    layer_thickness_mm: "1e-1",
  };
  assert.deepEqual(validateCombination(request), { valid: true });
  const { machine_type: _, ...rest } = request;
  const { options } = validateCombination(rest);
  assert.ok(options!.machine_types!.includes("FORM-3-1"));
  assert.ok(!options!.machine_types!.includes("DGJR-1-0"));
});

test("unknown values are not valid and have no options", () => {
  const good = {
    machine_type: "FORM-4-0",
    material_code: "FLGPGR05",
    print_setting: "DEFAULT",
    layer_thickness_mm: 0.1,
  };
  for (const field of FIELDS) {
    for (const value of ["toString", "__proto__", "nothing", ""]) {
      const request = { ...good, [field]: value };
      assert.deepEqual(validateCombination(request), { valid: false });
      const other = FIELDS.find((one) => one !== field)!;
      const { [other]: _, ...three } = request;
      assert.deepEqual(validateCombination(three), { valid: false, options: { [LISTS[other]]: [] } });
    }
  }
  assert.deepEqual(validateCombination({ ...good, layer_thickness_mm: "ADAPTIVE" }), { valid: false });
});

test("the reserved machine type is refused", () => {
  const request = { machine_type: "UNKN-0-0", material_code: "FLGPGR05", print_setting: "DEFAULT" };
  assert.throws(() => validateCombination(request), { code: "INPUT_ERROR", message: /reserved/ });
});
