import assert from "node:assert/strict";
import { test } from "node:test";
import { listPrinterTypes } from "../../src/catalog/list.ts";
import { validateCombination } from "../../src/catalog/validate.ts";

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

test("every listed combination is valid as it is, without options", () => {
  for (const combination of listed) assert.deepEqual(validateCombination(combination), { valid: true });
});

test("without any one field, the options are exactly the values that complete the combination", () => {
  for (const combination of listed) {
    for (const field of FIELDS) {
      const { [field]: left, ...request } = combination;
      const { valid, options } = validateCombination(request);
      assert.equal(valid, true);
      assert.deepEqual(Object.keys(options!), [LISTS[field]]);
      const values: readonly unknown[] = options![LISTS[field]]!;
      assert.ok(values.includes(left));
      const others = FIELDS.filter((other) => other !== field);
      const expected = listed.filter((one) => others.every((other) => one[other] === combination[other]));
      assert.deepEqual(new Set(values), new Set(expected.map((one) => one[field])));
      assert.equal(values.length, new Set(values).size);
    }
  }
});

test("aliases and numeric strings count as what they mean", () => {
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

test("values the catalog does not know are not valid, and nothing completes them", () => {
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
