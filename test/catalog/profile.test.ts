import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { acceptedEntries } from "../../src/catalog/catalog.ts";
import type { ResinProfile } from "../../src/catalog/profile-types.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import rules from "../../src/catalog/profiles.json" with { type: "json" };
import { resolveCombination } from "../../src/catalog/resolve.ts";
import { RAFT_TYPES } from "../../src/catalog/raft-type.ts";

const size = v.pipe(v.number(), v.finite(), v.minValue(0));
const positive = v.pipe(size, v.gtValue(0));

const common = {
  densityGPerMl: v.pipe(positive, v.maxValue(5)),
  correction: v.strictObject({ x: positive, y: positive, z: positive }),
};

const motions = {
  liftMm: positive,
  liftMmPerMin: positive,
  lift2Mm: v.optional(positive),
  lift2MmPerMin: v.optional(positive),
  retractMmPerMin: positive,
  retract2Mm: v.optional(positive),
  retract2MmPerMin: v.optional(positive),
  waitAfterCureS: v.optional(size),
  waitAfterLiftS: v.optional(size),
  waitBeforeCureS: v.optional(size),
};
const lightLevel = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255));

const resin = v.strictObject({
  family: v.literal("resin"),
  ...common,
  light: v.variant("kind", [
    v.strictObject({ kind: v.literal("panel"), irradianceMwPerCm2: positive }),
    v.strictObject({ kind: v.literal("laser"), powerMw: positive, spotMm: positive, hatchMm: positive }),
  ]),
  exposureMjPerCm2: v.strictObject({
    model: positive,
    perimeter: positive,
    supports: positive,
    topSurface: positive,
    overhangs: v.array(positive),
  }),
  exposureS: v.optional(v.strictObject({ first: positive, normal: positive })),
  penetrationMm: positive,
  firstLayers: v.strictObject({
    count: v.pipe(v.number(), v.integer()),
    exposureFactor: v.pipe(v.number(), v.minValue(1)),
    fade: v.pipe(v.number(), v.integer()),
  }),
  timeS: v.strictObject({
    preprint: size,
    postExposureWait: size,
    separation: positive,
    separationPerCm2: size,
    openWait: size,
    travel: positive,
    wait: size,
  }),
  lift: v.optional(v.strictObject(motions)),
  firstLift: v.optional(v.partial(v.strictObject(motions))),
  firstTimeS: v.optional(
    v.strictObject({
      separation: positive,
      travel: positive,
      postExposureWait: v.optional(size),
      openWait: v.optional(size),
      wait: v.optional(size),
    }),
  ),
  lightLevel: v.strictObject({ first: lightLevel, normal: lightLevel }),
  wipePattern: v.array(v.picklist([-1, 0, 1])),
  adaptive: v.optional(v.strictObject({ minMm: positive, maxMm: positive })),
  selfSupportingAngleDeg: v.pipe(positive, v.maxValue(90)),
  bridgingDistanceMm: positive,
  supports: v.strictObject({
    density: size,
    slopeMultiplier: size,
    onlyMinima: v.boolean(),
    raftType: v.picklist(RAFT_TYPES),
    raftLabelEnabled: v.boolean(),
    breakawayStructureEnabled: v.boolean(),
    internalSupportsEnabled: v.boolean(),
    touchpointSizeMm: v.pipe(size, v.minValue(0.1), v.maxValue(5)),
    raftThicknessMm: v.pipe(size, v.maxValue(10)),
    heightAboveRaftMm: v.pipe(size, v.maxValue(50)),
    zCompressionCorrectionMm: v.pipe(size, v.maxValue(5)),
    earlyLayerMergeMm: v.pipe(size, v.maxValue(5)),
  }),
});

const powder = v.strictObject({
  family: v.literal("powder"),
  ...common,
  laser: v.strictObject({ powerW: positive, spotMm: positive, hatchMm: positive }),
  bedTemperatureC: positive,
  removalTemperatureC: positive,
  timeS: v.strictObject({
    heating: positive,
    recoat: positive,
    sinterPerCm2: positive,
    coolToRemoval: positive,
    coolToRemovalPerMm: positive,
    coolToRoom: positive,
  }),
  unsinteredDensityGPerMl: positive,
  refreshRate: v.pipe(size, v.maxValue(1)),
  bufferMm: v.strictObject({ below: size, above: size }),
  packing: v.strictObject({ spacingMm: size, wallDistanceMm: size }),
});

const schema = v.variant("family", [resin, powder]);

const resinProfile = (machine_type: string, material_code: string, layer_thickness_mm: number): ResinProfile => {
  const profile = profileOf(resolveCombination({ machine_type, material_code, layer_thickness_mm }));
  assert.equal(profile.family, "resin");
  return profile as ResinProfile;
};

/** Seconds of a print on a panel whose layers all have this area, by the formula of `ResinTimes`. */
function printTimeS(
  { light, exposureMjPerCm2, firstLayers, timeS }: ResinProfile,
  layers: number,
  areaCm2: number,
): number {
  assert.equal(light.kind, "panel");
  const exposureS = exposureMjPerCm2.model / (light as { irradianceMwPerCm2: number }).irradianceMwPerCm2;
  const otherS =
    timeS.postExposureWait + timeS.separation + timeS.separationPerCm2 * areaCm2 + timeS.travel + timeS.wait;
  let total = timeS.preprint;
  for (let i = 0; i < layers; i++) {
    const left = Math.min(1, Math.max(0, 1 - (i - firstLayers.count + 1) / (firstLayers.fade + 1)));
    total += exposureS * (1 + (firstLayers.exposureFactor - 1) * left) + otherS;
  }
  return total;
}

test("every setting of the catalog has a complete profile of its family", () => {
  for (const { combination, printerType } of acceptedEntries()) {
    const profile = profileOf({ combination, printerType });
    const result = v.safeParse(schema, profile);
    assert.ok(result.success, `${JSON.stringify(combination)}: ${result.success ? "" : v.summarize(result.issues)}`);
    assert.equal(profile.family, printerType.family);
  }
});

test("open printers have exposures in seconds, which are their energies over the irradiance", () => {
  for (const { combination, printerType } of acceptedEntries()) {
    const profile = profileOf({ combination, printerType });
    if (profile.family !== "resin") continue;
    const { exposureS, exposureMjPerCm2, firstLayers, light } = profile;
    assert.equal(exposureS !== undefined, printerType.job !== "form");
    if (!exposureS || light.kind !== "panel") continue;
    const normalS = exposureMjPerCm2.model / light.irradianceMwPerCm2;
    assert.deepEqual(exposureS, { first: normalS * firstLayers.exposureFactor, normal: normalS });
  }
});

test("a profile has adaptive bounds, in order, exactly where its layers are adaptive", () => {
  for (const { combination, printerType } of acceptedEntries()) {
    const profile = profileOf({ combination, printerType });
    const bounds = profile.family === "resin" ? profile.adaptive : undefined;
    assert.equal(bounds !== undefined, combination.layerThicknessMm === "ADAPTIVE");
    if (bounds) assert.ok(bounds.minMm < bounds.maxMm);
  }
});

test("thicker layers need more energy on every machine", () => {
  for (const [machine, material] of [
    ["FORM-4-0", "FLGPGR05"],
    ["FORM-3-1", "FLGPGR04"],
    ["PRUSA-SL1", "GENERIC-RESIN"],
  ] as const) {
    const energies = [0.025, 0.05, 0.1].map(
      (thickness) => resinProfile(machine, material, thickness).exposureMjPerCm2.model,
    );
    assert.deepEqual(
      energies,
      [...new Set(energies)].sort((a, b) => a - b),
    );
  }
});

test("a 20 mm cube on a Form 4 in Black V5 at 0.1 mm takes the published 2766 s, at 40 mm per hour", () => {
  const profile = resinProfile("FORM-4-0", "FLGPBK05", 0.1);
  const total = printTimeS(profile, 200, 4);
  assert.ok(Math.abs(total / 2766 - 1) < 0.03, `${total} s`);
  const late = (printTimeS(profile, 2000, 4) - printTimeS(profile, 1000, 4)) / 3600;
  assert.ok(Math.abs(100 / late / 40 - 1) < 0.05, `${100 / late} mm/h`);
});

test("a Saturn 4 Ultra 16K takes the published 4.94 s per layer", () => {
  const profile = resinProfile("ELEGOO-S4U-16K", "GENERIC-RESIN", 0.05);
  const perLayer = (printTimeS(profile, 5132, 10) - profile.timeS.preprint) / 5132;
  assert.ok(Math.abs(perLayer / 4.94 - 1) < 0.03, `${perLayer} s`);
});

test("every figure is marked as known or not, and known ones name their source", () => {
  const walk = (node: Record<string, unknown>, at: string): number => {
    if ("known" in node) {
      assert.deepEqual([typeof node.known, "value" in node], ["boolean", true], at);
      if (node.known) assert.equal(typeof node.source, "string", at);
      return 1;
    }
    return Object.entries(node).reduce(
      (sum, [name, inner]) => sum + walk(inner as Record<string, unknown>, `${at}/${name}`),
      0,
    );
  };
  rules.forEach((rule, i) => assert.ok(walk(rule.figures, `rule ${i}`) > 0, `rule ${i} has no figure`));
});

test("every value in a rule occurs in the catalog, and every rule applies to some setting", () => {
  const subjects = acceptedEntries().map(({ combination, printerType }) => ({
    ...combination,
    family: printerType.family,
    job: printerType.job,
    isOpen: printerType.job !== "form",
  }));
  const valuesOf = (field: string): Set<unknown> =>
    new Set(subjects.map((subject) => (subject as Record<string, unknown>)[field]));
  for (const { when } of rules) {
    const conditions = Object.entries(when) as [string, unknown[]][];
    for (const [field, values] of conditions) {
      for (const value of values) assert.ok(valuesOf(field).has(value), `${field} ${value}`);
    }
    const holds = (subject: object) =>
      conditions.every(([field, values]) => values.includes((subject as Record<string, unknown>)[field]));
    assert.ok(subjects.some(holds), JSON.stringify(when));
  }
});

test("the refresh rate of Nylon 12 is the published one", () => {
  const profile = profileOf(
    resolveCombination({ machine_type: "PILK-1-0", material_code: "FLP12G01", layer_thickness_mm: 0.11 }),
  );
  assert.equal(profile.family === "powder" && profile.refreshRate, 0.3);
});
