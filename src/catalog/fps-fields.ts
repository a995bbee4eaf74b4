import * as v from "valibot";
import { RAFT_TYPES } from "./raft-type.ts";
import { CORE_CATEGORY } from "./fps-document.ts";
import type { Profile } from "./profile-types.ts";
import type { PrinterType } from "./setting.ts";

/** Categories of this program, for values without a key in the published categories. */
const OWN_PRINT = "Printwright_Print";
const OWN_SUPPORTS = "Printwright_Supports";

/** A value of a profile and its key in an `.fps` file. */
export interface Field {
  readonly category: string;
  readonly key: string;
  /** The path of the value in the profile. */
  readonly path: readonly string[];
  /** The path of what a profile needs to have the value: mostly the value itself. */
  readonly owner: readonly string[];
  /** Other values follow from this one: exposures from energies, times from lifts. */
  readonly source?: "ENERGY" | "LIFT" | undefined;
  /** Only read, since other fields state the same for this printer. */
  readonly isReplaced?: boolean | undefined;
  /** Parses the value in the file. */
  readonly schema: v.GenericSchema<unknown, unknown>;
  /** Converts the value to that of the file; unchanged by default. */
  readonly toFile?: ((value: unknown) => unknown) | undefined;
}

const between = (min: number, max: number) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));
const factor = between(0.1, 10);
const exposure = between(0, 100_000);
const exposureS = between(0, 1000);
const light = v.pipe(between(1, 255), v.integer());
const seconds = between(0, 1_000_000);
const positive = between(1e-6, 1_000_000);
const count = v.pipe(between(0, 10_000), v.integer());

/** A list whose items are the values, or objects with the value under `key` and possibly other keys. */
const listOf = (key: string, value: v.GenericSchema<number>) => ({
  schema: v.array(
    v.union([
      value,
      v.pipe(
        v.looseObject({ [key]: value }),
        v.transform((item) => item[key]),
      ),
    ]),
  ),
  toFile: (values: unknown) => (values as readonly number[]).map((item) => ({ [key]: item })),
});

type Row = readonly [key: string, path: string, schema: v.GenericSchema<unknown, unknown>, toFile?: Field["toFile"]];

const lengthMm = between(0, 1000);
const speed = between(1e-3, 100_000);

const overhangs = listOf("exposure_mJpcm2", exposure);
const wipes = listOf("wipe_behavior", v.picklist([-1, 0, 1]));

const CORE_ROWS: readonly Row[] = [
  ["x_correction_factor", "correction.x", factor],
  ["y_correction_factor", "correction.y", factor],
  ["z_correction_factor", "correction.z", factor],
];

const ENERGY_ROWS: readonly Row[] = [
  ["model_fill_exposure_mJpcm2", "exposureMjPerCm2.model", exposure],
  ["perimeter_fill_exposure_mJpcm2", "exposureMjPerCm2.perimeter", exposure],
  ["supports_fill_exposure_mJpcm2", "exposureMjPerCm2.supports", exposure],
  ["top_surface_exposure_mJpcm2", "exposureMjPerCm2.topSurface", exposure],
  ["overhang_fill_exposures", "exposureMjPerCm2.overhangs", overhangs.schema, overhangs.toFile],
  ["irradiance_mWpcm2", "light.irradianceMwPerCm2", positive],
];

const EXPOSURE_ROWS: readonly Row[] = [
  ["post_expose_cure_wait_s", "timeS.postExposureWait", seconds],
  ["wipe_behavior_pattern", "wipePattern", wipes.schema, wipes.toFile],
];

const FACTOR_ROWS: readonly Row[] = [["first_layer_exposure_factor", "firstLayers.exposureFactor", between(0, 1000)]];

/** Motions of machines that lift their platform. */
const LIFT_ROWS: readonly Row[] = [
  ["lift_mm", "lift.liftMm", positive],
  ["lift_mm_min", "lift.liftMmPerMin", speed],
  ["lift2_mm", "lift.lift2Mm", lengthMm],
  ["lift2_mm_min", "lift.lift2MmPerMin", speed],
  ["retract_mm_min", "lift.retractMmPerMin", speed],
  ["retract2_mm", "lift.retract2Mm", lengthMm],
  ["retract2_mm_min", "lift.retract2MmPerMin", speed],
];

/** The same of the first layers. */
const FIRST_LIFT_ROWS: readonly Row[] = LIFT_ROWS.map(([key, path, schema]) => [
  `bottom_${key}`,
  path.replace("lift.", "firstLift."),
  schema,
]);

const FIRST_TIME_ROWS: readonly Row[] = [
  ["bottom_post_expose_cure_wait_s", "firstTimeS.postExposureWait", seconds],
  ["bottom_separation_s", "firstTimeS.separation", seconds],
  ["bottom_open_wait_s", "firstTimeS.openWait", seconds],
  ["bottom_travel_s", "firstTimeS.travel", seconds],
  ["bottom_wait_s", "firstTimeS.wait", seconds],
];

/** What was measured of a resin, and which corrections are made. */
const CURE_ROWS: readonly Row[] = [
  ["cure_penetration_mm", "cure.penetrationMm", between(0.01, 5)],
  ["cure_exposure_ratio", "cure.exposureRatio", v.pipe(between(1, 100), v.gtValue(1))],
  ["cure_blur_mm", "cure.blurMm", between(0.001, 0.5)],
  ["edge_growth_mm", "cure.edgeGrowthMm", between(-0.5, 0.5)],
  ["print_through_mm", "cure.printThroughMm", between(0, 5)],
  ["compensate_shrinkage", "compensation.shrinkage", v.boolean()],
  ["compensate_edges", "compensation.edges", v.boolean()],
  ["compensate_foot", "compensation.foot", v.boolean()],
  ["compensate_over_cure", "compensation.overCure", v.boolean()],
];

const OWN_ROWS: readonly Row[] = [
  ["exposure_s", "exposureS.normal", exposureS],
  ["bottom_exposure_s", "exposureS.first", exposureS],
  ["light", "lightLevel.normal", light],
  ["bottom_light", "lightLevel.first", light],
  ["density_g_per_ml", "densityGPerMl", positive],
  ["penetration_depth_mm", "penetrationMm", between(0.001, 10)],
  ["laser_power_mW", "light.powerMw", positive],
  ["laser_spot_mm", "light.spotMm", positive],
  ["laser_hatch_mm", "light.hatchMm", positive],
  ["first_layer_count", "firstLayers.count", count],
  ["first_layer_fade_count", "firstLayers.fade", count],
  ["preprint_s", "timeS.preprint", seconds],
  ["separation_s", "timeS.separation", seconds],
  ["separation_s_per_cm2", "timeS.separationPerCm2", seconds],
  ["open_wait_s", "timeS.openWait", seconds],
  ["travel_s", "timeS.travel", seconds],
  ["wait_s", "timeS.wait", seconds],
  ["adaptive_min_mm", "adaptive.minMm", between(0.005, 1)],
  ["adaptive_max_mm", "adaptive.maxMm", between(0.005, 1)],
  ["self_supporting_angle_deg", "selfSupportingAngleDeg", between(0, 90)],
  ["bridging_distance_mm", "bridgingDistanceMm", between(0, 1000)],
  ["sinter_laser_power_W", "laser.powerW", positive],
  ["sinter_laser_spot_mm", "laser.spotMm", positive],
  ["sinter_laser_hatch_mm", "laser.hatchMm", positive],
  ["bed_temperature_C", "bedTemperatureC", between(0, 1000)],
  ["removal_temperature_C", "removalTemperatureC", between(0, 1000)],
  ["heating_s", "timeS.heating", seconds],
  ["recoat_s", "timeS.recoat", seconds],
  ["sinter_s_per_cm2", "timeS.sinterPerCm2", seconds],
  ["cool_to_removal_s", "timeS.coolToRemoval", seconds],
  ["cool_to_removal_s_per_mm", "timeS.coolToRemovalPerMm", seconds],
  ["cool_to_room_s", "timeS.coolToRoom", seconds],
  ["unsintered_density_g_per_ml", "unsinteredDensityGPerMl", positive],
  ["refresh_rate", "refreshRate", between(0, 1)],
  ["buffer_below_mm", "bufferMm.below", between(0, 1000)],
  ["buffer_above_mm", "bufferMm.above", between(0, 1000)],
  ["part_spacing_mm", "packing.spacingMm", between(0, 100)],
  ["wall_distance_mm", "packing.wallDistanceMm", between(0, 50)],
];

/** Keys and limits of `auto-support` (interface supplement, section 6). */
const SUPPORT_ROWS: readonly Row[] = [
  ["density", "supports.density", between(0, 1000)],
  ["slope_multiplier", "supports.slopeMultiplier", between(0, 1000)],
  ["only_minima", "supports.onlyMinima", v.boolean()],
  ["raft_type", "supports.raftType", v.picklist(RAFT_TYPES)],
  ["raft_label_enabled", "supports.raftLabelEnabled", v.boolean()],
  ["breakaway_structure_enabled", "supports.breakawayStructureEnabled", v.boolean()],
  ["internal_supports_enabled", "supports.internalSupportsEnabled", v.boolean()],
  ["touchpoint_size_mm", "supports.touchpointSizeMm", between(0.1, 5)],
  ["raft_thickness_mm", "supports.raftThicknessMm", between(0, 10)],
  ["height_above_raft_mm", "supports.heightAboveRaftMm", between(0, 50)],
  ["z_compression_correction_mm", "supports.zCompressionCorrectionMm", between(0, 5)],
  ["early_layer_merge_mm", "supports.earlyLayerMergeMm", between(0, 5)],
];

/** What the fields of several rows have in common, where it is not the usual. */
type Common = Partial<Pick<Field, "source" | "isReplaced">> & { readonly owner?: string };

const inCategory = (category: string, rows: readonly Row[], { owner, ...common }: Common = {}): Field[] =>
  rows.map(([key, path, schema, toFile]) => ({
    category,
    key,
    path: path.split("."),
    owner: (owner ?? path).split("."),
    schema,
    toFile,
    ...common,
  }));

/** All values of a profile that an `.fps` file for this printer can have. Those of open printers have exposures in place of energies. */
export const fpsFields = ({ fpsCategory = OWN_PRINT, job }: PrinterType): readonly Field[] => {
  const energy = { source: "ENERGY", isReplaced: job !== "form" } as const;
  return [
    ...inCategory(CORE_CATEGORY, CORE_ROWS),
    ...inCategory(fpsCategory, ENERGY_ROWS, energy),
    ...inCategory(fpsCategory, EXPOSURE_ROWS),
    ...inCategory(OWN_PRINT, FACTOR_ROWS, energy),
    ...inCategory(OWN_PRINT, LIFT_ROWS, { source: "LIFT", owner: "lift" }),
    ...inCategory(OWN_PRINT, FIRST_LIFT_ROWS, { source: "LIFT", owner: "lift" }),
    ...inCategory(OWN_PRINT, FIRST_TIME_ROWS, { owner: "firstLayers" }),
    ...inCategory(OWN_PRINT, CURE_ROWS, { owner: "firstLayers" }),
    ...inCategory(OWN_PRINT, OWN_ROWS),
    ...inCategory(OWN_SUPPORTS, SUPPORT_ROWS),
  ];
};

/** The value at a path; undefined if this profile lacks it. */
export const getAtPath = (profile: Profile, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], profile);
