import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogEntries } from "../../src/catalog/catalog.ts";
import { settingFromFps, toFpsDocument } from "../../src/catalog/custom-print-setting.ts";
import type { ResinProfile } from "../../src/catalog/profile-types.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { defaultSetting } from "../../src/catalog/resolve.ts";
import { settingsOnWire } from "../../src/catalog/setting.ts";

const ID = "0b0c2f3e-7a55-4d5c-9d5e-0123456789ab";

type Json = Record<string, unknown>;

/** A document as the maker's software writes it: without a print setting, with further keys and categories. */
const fastArch = (core: Json, print: Json, base: Json = {}): Json => ({
  metadata: {
    base_material_identifier: {
      machine_type_id: "FORM-4-0",
      versioned_material_code: "FLFMGR01",
      layer_thickness_mm: 0.16,
      ...base,
    },
    id: `{${ID.toUpperCase()}}`,
    name: "120 Fast Arch",
    schema_version: 3,
    author: { "unknown key": [1, null] },
  },
  public_fields: {
    categories: [
      { key: "Core_Scene", values: core, collapsed: true },
      { key: "Material_Form_4_Family_Print", values: print },
      { key: "Somebody_Elses", values: { anything: ["goes"] } },
    ],
  },
  private_fields: "opaque",
});

const resinOf = (document: unknown): ResinProfile => profileOf(settingFromFps(document)) as ResinProfile;

test("the document of any catalog setting, written and parsed, gives the same combination and profile", () => {
  for (const { combination, printerType } of catalogEntries()) {
    const setting = { combination, printerType };
    const again = settingFromFps(JSON.parse(JSON.stringify(toFpsDocument(setting))));
    assert.deepEqual(again.combination, combination);
    assert.equal(again.printerType.machineType, printerType.machineType);
    assert.deepEqual(profileOf(again), profileOf(setting));
  }
});

test("each export of a catalog setting has a new id", () => {
  const idOf = (): string => settingFromFps(toFpsDocument(defaultSetting())).custom!.id;
  assert.notEqual(idOf(), idOf());
});

test("a custom setting keeps its id, name and document, including unknown keys, and its id is in responses", () => {
  const document = JSON.parse(JSON.stringify(fastArch({}, {})).replace('"opaque"', '{"__proto__": {"kept": true}}'));
  const setting = settingFromFps(document);
  assert.equal(setting.custom!.id, ID);
  assert.equal(setting.custom!.name, "120 Fast Arch");
  assert.equal(JSON.stringify(toFpsDocument(setting)), JSON.stringify(document));
  assert.deepEqual(settingsOnWire(setting), {
    machine_type: "FORM-4-0",
    material_code: "FLFMGR01",
    print_setting: "F4_FAST_ARCHES",
    layer_thickness_mm: "0.16",
    custom_print_setting_id: ID,
  });
});

test("values override those of the base material, and nothing else changes", () => {
  const base = resinOf(fastArch({}, {}));
  const overridden = fastArch(
    { layer_thickness: { layer_thickness_mm: 0.12 }, x_correction_factor: 1.00381, z_correction_factor: 0.99 },
    {
      model_fill_exposure_mJpcm2: 21.5,
      overhang_fill_exposures: [{ exposure_mJpcm2: 11, layers: 2 }, 12],
      irradiance_mWpcm2: 12,
      post_expose_cure_wait_s: 0,
      wipe_behavior_pattern: [{ wipe_behavior: -1 }, { wipe_behavior: 0 }],
    },
  );
  assert.equal(settingFromFps(overridden).combination.layerThicknessMm, 0.12);
  assert.deepEqual(resinOf(overridden), {
    ...base,
    correction: { x: 1.00381, y: 1, z: 0.99 },
    exposureMjPerCm2: { ...base.exposureMjPerCm2, model: 21.5, overhangs: [11, 12] },
    light: { kind: "panel", irradianceMwPerCm2: 12 },
    timeS: { ...base.timeS, postExposureWait: 0 },
    wipePattern: [-1, 0],
  });
  assert.deepEqual(resinOf(fastArch({}, {})), base, "the catalog's own profile was changed");
});

test("if the catalog lacks a base thickness, the closest profile is selected, and the setting keeps the thickness", () => {
  const setting = settingFromFps(fastArch({}, {}, { layer_thickness_mm: 0.15 }));
  assert.deepEqual(setting.combination, {
    machineType: "FORM-4-0",
    materialCode: "FLFMGR01",
    printSetting: "F4_FAST_ARCHES",
    layerThicknessMm: 0.15,
  });
  assert.deepEqual(profileOf(setting), resinOf(fastArch({}, {})));
});

test("aliases of machine types are accepted in files", () => {
  const document = fastArch(
    {},
    {},
    { machine_type_id: "FORM-3-0", versioned_material_code: "FLGPGR04", layer_thickness_mm: "ADAPTIVE" },
  );
  assert.equal(settingFromFps(document).combination.machineType, "FORM-3-1");
});

test("categories of other machines have no effect", () => {
  const document = fastArch(
    {},
    { model_fill_exposure_mJpcm2: 1 },
    { machine_type_id: "FORM-2-0", versioned_material_code: "FLGPGR04", layer_thickness_mm: 0.1 },
  );
  assert.notEqual(resinOf(document).exposureMjPerCm2.model, 1);
});

test("unusable documents are refused with the path of the wrong value", () => {
  const cases: [document: unknown, why: RegExp][] = [
    [undefined, /Expected Object/],
    ["text", /Expected Object/],
    [[], /metadata/],
    [{}, /\/metadata/],
    [{ ...fastArch({}, {}), metadata: { id: "no id" } }, /\/metadata\/id: Expected a UUID/],
    [{ ...fastArch({}, {}), public_fields: { categories: {} } }, /\/public_fields\/categories/],
    [
      { ...fastArch({}, {}), public_fields: { categories: [{ key: "x", values: [] }] } },
      /\/categories\/0\/values: Expected an object/,
    ],
    [fastArch({}, {}, { machine_type_id: "UNKN-0-0" }), /reserved/],
    [fastArch({}, {}, { machine_type_id: "__proto__" }), /machine_type "__proto__"/],
    [fastArch({}, {}, { versioned_material_code: "GONE" }), /material_code "GONE"/],
    [fastArch({}, {}, { print_setting: "GONE" }), /print_setting "GONE"/],
    [fastArch({}, {}, { layer_thickness_mm: "ADAPTIVE" }), /layer_thickness_mm "ADAPTIVE"/],
    [fastArch({}, {}, { layer_thickness_mm: 0.9 }), /layer_thickness_mm 0\.9/],
    [fastArch({}, {}, { layer_thickness_mm: 0 }), /layer_thickness_mm/],
    [fastArch({ layer_thickness: { layer_thickness_mm: -1 } }, {}), /Core_Scene\/layer_thickness/],
    [fastArch({ layer_thickness: { layer_thickness_mm: "ADAPTIVE" } }, {}), /both ADAPTIVE/],
    [fastArch({ x_correction_factor: "1" }, {}), /Core_Scene\/x_correction_factor/],
    [fastArch({}, { model_fill_exposure_mJpcm2: -1 }), /model_fill_exposure_mJpcm2/],
    [fastArch({}, JSON.parse('{"irradiance_mWpcm2": 1e999}')), /irradiance_mWpcm2/],
    [fastArch({}, { overhang_fill_exposures: [{ exposure_mJpcm2: null }] }), /overhang_fill_exposures\/0/],
  ];
  for (const [document, why] of cases) {
    assert.throws(() => settingFromFps(document), { code: "INPUT_ERROR", message: why }, String(why));
  }
});
