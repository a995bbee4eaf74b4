import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { settingFromFps, settingWithFigures, toFpsDocument } from "../../src/catalog/custom-print-setting.ts";
import type { ResinProfile } from "../../src/catalog/profile-types.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { resolveCombination } from "../../src/catalog/resolve.ts";
import { type ResinFigures, resinFiguresSchema } from "../../src/catalog/resin.ts";
import { layerExposureS } from "../../src/slice/print-time.ts";

const LIFTING = { machine_type: "ELEGOO-S3U", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 } as const;
const TILTING = { ...LIFTING, machine_type: "ELEGOO-S4U-16K" };

const resinOf = (setting: Parameters<typeof profileOf>[0]) => profileOf(setting) as ResinProfile;
const withFigures = (figures: ResinFigures, request: Parameters<typeof settingWithFigures>[0] = LIFTING) =>
  settingWithFigures(request, figures);

const measured = (value: number) => ({ value, source: "calibration plate", date: "2026-11-29" });

const ALL: ResinFigures = {
  exposure_s: 2.5,
  bottom_exposure_s: 31,
  bottom_layers: 5,
  transition_layers: 7,
  wait_after_cure_s: 0.5,
  wait_after_lift_s: 0.25,
  wait_before_cure_s: 1.5,
  lift_mm: 3,
  lift_mm_min: 60,
  lift2_mm: 4,
  lift2_mm_min: 240,
  retract_mm_min: 210,
  retract2_mm: 2,
  retract2_mm_min: 90,
  light: 200,
  bottom: {
    wait_after_cure_s: 1,
    wait_after_lift_s: 2,
    wait_before_cure_s: 3,
    lift_mm: 6,
    lift_mm_min: 40,
    lift2_mm: 5,
    lift2_mm_min: 180,
    retract_mm_min: 150,
    retract2_mm: 3,
    retract2_mm_min: 70,
    light: 255,
  },
  density_g_ml: 1.15,
  correction: [1.01, 1.02, 1.03],
  cure: {
    penetration_mm: measured(0.15),
    exposure_ratio: measured(2.3),
    blur_mm: measured(0.012),
    edge_growth_mm: measured(-0.004),
    print_through_mm: measured(0.26),
  },
  compensation: { shrinkage: true, edges: false, foot: true, over_cure: false },
};

test("each figure of a resin is where the profile has it", () => {
  const profile = resinOf(withFigures(ALL));
  assert.deepEqual(profile.exposureS, { first: 31, normal: 2.5 });
  assert.deepEqual([profile.firstLayers.count, profile.firstLayers.fade], [5, 7]);
  const { liftMm, liftMmPerMin, lift2Mm, lift2MmPerMin, retractMmPerMin, retract2Mm, retract2MmPerMin } = profile.lift!;
  assert.deepEqual([liftMm, liftMmPerMin, lift2Mm, lift2MmPerMin], [3, 60, 4, 240]);
  assert.deepEqual([retractMmPerMin, retract2Mm, retract2MmPerMin], [210, 2, 90]);
  assert.deepEqual(profile.firstLift, {
    liftMm: 6,
    liftMmPerMin: 40,
    lift2Mm: 5,
    lift2MmPerMin: 180,
    retractMmPerMin: 150,
    retract2Mm: 3,
    retract2MmPerMin: 70,
  });
  const { preprint: _preprint, separationPerCm2: _perCm2, ...times } = profile.timeS;
  assert.deepEqual(times, {
    postExposureWait: 0.5,
    separation: 3 + 1,
    openWait: 0.25,
    travel: 60 * (5 / 210 + 2 / 90),
    wait: 1.5,
  });
  assert.deepEqual(profile.firstTimeS, {
    postExposureWait: 1,
    separation: 60 * (6 / 40 + 5 / 180),
    openWait: 2,
    travel: 60 * (8 / 150 + 3 / 70),
    wait: 3,
  });
  assert.deepEqual(profile.lightLevel, { first: 255, normal: 200 });
  assert.equal(profile.densityGPerMl, 1.15);
  assert.deepEqual(profile.correction, { x: 1.01, y: 1.02, z: 1.03 });
  assert.deepEqual(profile.cure, {
    penetrationMm: 0.15,
    exposureRatio: 2.3,
    blurMm: 0.012,
    edgeGrowthMm: -0.004,
    printThroughMm: 0.26,
  });
  assert.deepEqual(profile.compensation, { shrinkage: true, edges: false, foot: true, overCure: false });
});

test("the exposure falls in equal steps from that of the bottom layers to the normal one", () => {
  const profile = resinOf(
    withFigures({ exposure_s: 2, bottom_exposure_s: 26, bottom_layers: 2, transition_layers: 3 }),
  );
  const layer = { thicknessMm: 0.05, areaMm2: 100, perimeterMm: 40 };
  const exposures = [0, 1, 2, 3, 4, 5, 6].map((k) => layerExposureS(profile, k, layer));
  assert.deepEqual(exposures, [26, 26, 20, 14, 8, 2, 2]);
});

test("without figures nothing changes, and each figure changes nothing but its own", () => {
  const { custom: _, ...base } = withFigures({});
  assert.deepEqual(resinOf(withFigures({})), resinOf(base));
  const own = resinOf(withFigures({ exposure_s: 3 }));
  const { first, normal } = resinOf(base).exposureS!;
  assert.deepEqual({ ...own, exposureS: resinOf(base).exposureS }, resinOf(base));
  assert.deepEqual(own.exposureS, { normal: 3, first: (3 * first) / normal }, "bottom layers keep their ratio");
  const lifted = resinOf(withFigures({ lift_mm: 12 }));
  assert.equal(lifted.timeS.separation, (60 * 12) / lifted.lift!.liftMmPerMin);
  assert.equal(lifted.firstLift, undefined, "bottom layers lift as the others");
});

test("figures of curing have an origin, and limits", () => {
  const errorsOf = (figures: object): string[] =>
    (v.safeParse(resinFiguresSchema, figures).issues ?? []).map((issue) => v.getDotPath(issue) ?? "");
  assert.deepEqual(errorsOf(ALL), []);
  assert.deepEqual(errorsOf({ cure: {}, compensation: {} }), []);
  assert.deepEqual(errorsOf({ cure: { blur_mm: 0.01 } }), ["cure.blur_mm"]);
  const { source, date } = measured(1);
  assert.deepEqual(errorsOf({ cure: { blur_mm: { value: 0.01, source } } }), ["cure.blur_mm.date"]);
  assert.deepEqual(errorsOf({ cure: { blur_mm: { value: 0.01, source, date: "today" } } }), ["cure.blur_mm.date"]);
  for (const [name, wrong] of [
    ["penetration_mm", 0],
    ["exposure_ratio", 1],
    ["blur_mm", 1],
    ["edge_growth_mm", 0.6],
    ["print_through_mm", -0.1],
  ] as const)
    assert.deepEqual(errorsOf({ cure: { [name]: { value: wrong, source, date } } }), [`cure.${name}.value`]);
  assert.deepEqual(errorsOf({ compensation: { edges: 1 } }), ["compensation.edges"]);
  const once = resinOf(withFigures({ cure: { blur_mm: measured(0.01) } }));
  assert.deepEqual(once.cure, { blurMm: 0.01 });
  assert.equal(once.compensation, undefined);
});

test("a light-off delay includes the motions, and is a rest before the exposure", () => {
  const slow = resinOf(withFigures({ ...MOTIONS, light_off_delay_s: 20, bottom: { light_off_delay_s: 5 } }));
  assert.deepEqual([slow.timeS.postExposureWait, slow.timeS.openWait, slow.timeS.wait], [0, 0, 20 - 6 - 2]);
  assert.equal(slow.firstTimeS?.wait, 0, "the motions take longer");
  const quick = resinOf(withFigures({ ...MOTIONS, light_off_delay_s: 1 }));
  assert.equal(quick.timeS.wait, 0);
});

const MOTIONS = { lift_mm: 6, lift_mm_min: 60, retract_mm_min: 180 };

test("heights and speeds have no effect on a machine that tilts its vat, rests and exposures have", () => {
  const base = resinOf(resolveCombination(TILTING));
  const { timeS, exposureS, ...others } = resinOf(
    withFigures({ ...MOTIONS, wait_before_cure_s: 9, exposure_s: 2 }, TILTING),
  );
  assert.deepEqual(timeS, { ...base.timeS, wait: 9 });
  assert.equal(exposureS?.normal, 2);
  assert.equal(others.lift, undefined);
});

test("a document with all figures is read back with the same profile, combination and id", () => {
  for (const [figures, request] of [
    [ALL, LIFTING],
    [
      { ...ALL, wait_after_lift_s: 0 },
      { ...LIFTING, layer_thickness_mm: 0.07 },
    ],
    [{ light_off_delay_s: 8, bottom: { wait_after_lift_s: 4 } }, LIFTING],
    [ALL, TILTING],
    [{}, TILTING],
  ] as const) {
    const setting = settingWithFigures(request, figures);
    const again = settingFromFps(JSON.parse(JSON.stringify(toFpsDocument(setting))));
    assert.deepEqual(profileOf(again), profileOf(setting));
    assert.deepEqual([again.combination, again.custom!.id], [setting.combination, setting.custom!.id]);
  }
});

test("layers of another thickness are exposed by the working curve, unless their exposure is given", () => {
  const at = (mm: number, figures: ResinFigures = {}) =>
    resinOf(settingWithFigures({ ...LIFTING, layer_thickness_mm: mm }, figures)).exposureS!;
  // 20 mJ/cm² · 1.5^(thickness / 0.05 mm − 1) at 10 mW/cm².
  for (const mm of [0.03, 0.07, 0.15]) assert.ok(Math.abs(at(mm).normal - 2 * 1.5 ** (mm / 0.05 - 1)) < 0.05, `${mm}`);
  assert.equal(at(0.07, { exposure_s: 4 }).normal, 4);
  assert.equal(settingWithFigures({ ...LIFTING, layer_thickness_mm: "0.07" }, {}).combination.layerThicknessMm, 0.07);
  for (const layer_thickness_mm of [0.5, 3, "thick"])
    assert.throws(() => settingWithFigures({ ...LIFTING, layer_thickness_mm }, {}), /No print setting has layer_thick/);
});

test("machines of Formlabs take no exposures in seconds", () => {
  const form4 = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 };
  assert.throws(() => settingWithFigures(form4, { exposure_s: 2 }), /are for open printers: the materials of Form 4/);
});

/** A document for the lifting machine with these values alone. */
const documentWith = (values: object) => ({
  metadata: {
    id: "{0b0c2f3e-7a55-4d5c-9d5e-0123456789ab}",
    name: "by hand",
    schema_version: 3,
    base_material_identifier: {
      machine_type_id: LIFTING.machine_type,
      versioned_material_code: LIFTING.material_code,
      layer_thickness_mm: 0.05,
    },
  },
  public_fields: { categories: [{ key: "Printwright_Print", values }] },
});

test("documents of earlier versions still change exposures by their energies", () => {
  const { exposureS } = resinOf(settingFromFps(documentWith({ model_fill_exposure_mJpcm2: 40, irradiance_mWpcm2: 5 })));
  assert.deepEqual(exposureS, { normal: 8, first: 96 });
  const factor = resinOf(settingFromFps(documentWith({ first_layer_exposure_factor: 3 }))).exposureS;
  assert.deepEqual(factor, { normal: 2, first: 6 });
  const seconds = resinOf(settingFromFps(documentWith({ model_fill_exposure_mJpcm2: 40, exposure_s: 3 }))).exposureS;
  assert.deepEqual(seconds, { normal: 3, first: 48 }, "seconds count more");
});

test("times follow a lift that a document has, unless it has them as well", () => {
  const lifted = resinOf(settingFromFps(documentWith({ lift_mm: 6, lift_mm_min: 60, bottom_lift_mm: 9 })));
  assert.deepEqual([lifted.timeS.separation, lifted.firstTimeS?.separation], [6, 9]);
  const timed = resinOf(settingFromFps(documentWith({ lift_mm: 6, lift_mm_min: 60, separation_s: 20 })));
  assert.deepEqual([timed.timeS.separation, timed.lift?.liftMm], [20, 6]);
  assert.throws(() => settingFromFps(documentWith({ bottom_lift_mm: -1 })), /Printwright_Print\/bottom_lift_mm/);
});
