import * as v from "valibot";
import { RAFT_TYPES } from "./raft-type.ts";
import { CORE_CATEGORY } from "./fps-document.ts";
import type { Profile } from "./profile-types.ts";
import type { PrinterType } from "./setting.ts";

/** Categories of this program, for values without a key in the published categories. */
const OWN_PRINT = "Printwright_Print";
const OWN_SUPPORTS = "Printwright_Supports";

/** A value of a profile and its key in an `.fps` file. */
interface Field {
  readonly category: string;
  readonly key: string;
  /** The path of the value in the profile. */
  readonly path: readonly string[];
  /** Parses the value in the file. */
  readonly schema: v.GenericSchema<unknown, unknown>;
  /** Converts the value to that of the file; unchanged by default. */
  readonly toFile?: ((value: unknown) => unknown) | undefined;
}

const between = (min: number, max: number) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));
const factor = between(0.1, 10);
const exposure = between(0, 100_000);
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

const overhangs = listOf("exposure_mJpcm2", exposure);
const wipes = listOf("wipe_behavior", v.picklist([-1, 0, 1]));

const CORE_ROWS: readonly Row[] = [
  ["x_correction_factor", "correction.x", factor],
  ["y_correction_factor", "correction.y", factor],
  ["z_correction_factor", "correction.z", factor],
];

const EXPOSURE_ROWS: readonly Row[] = [
  ["model_fill_exposure_mJpcm2", "exposureMjPerCm2.model", exposure],
  ["perimeter_fill_exposure_mJpcm2", "exposureMjPerCm2.perimeter", exposure],
  ["supports_fill_exposure_mJpcm2", "exposureMjPerCm2.supports", exposure],
  ["top_surface_exposure_mJpcm2", "exposureMjPerCm2.topSurface", exposure],
  ["overhang_fill_exposures", "exposureMjPerCm2.overhangs", overhangs.schema, overhangs.toFile],
  ["irradiance_mWpcm2", "light.irradianceMwPerCm2", positive],
  ["post_expose_cure_wait_s", "timeS.postExposureWait", seconds],
  ["wipe_behavior_pattern", "wipePattern", wipes.schema, wipes.toFile],
];

const OWN_ROWS: readonly Row[] = [
  ["density_g_per_ml", "densityGPerMl", positive],
  ["penetration_depth_mm", "penetrationMm", between(0.001, 10)],
  ["laser_power_mW", "light.powerMw", positive],
  ["laser_spot_mm", "light.spotMm", positive],
  ["laser_hatch_mm", "light.hatchMm", positive],
  ["first_layer_count", "firstLayers.count", count],
  ["first_layer_exposure_factor", "firstLayers.exposureFactor", between(0, 1000)],
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

const inCategory = (category: string, rows: readonly Row[]): Field[] =>
  rows.map(([key, path, schema, toFile]) => ({ category, key, path: path.split("."), schema, toFile }));

/** All values of a profile that an `.fps` file for this printer can have. */
export const fpsFields = ({ fpsCategory = OWN_PRINT }: PrinterType): readonly Field[] => [
  ...inCategory(CORE_CATEGORY, CORE_ROWS),
  ...inCategory(fpsCategory, EXPOSURE_ROWS),
  ...inCategory(OWN_PRINT, OWN_ROWS),
  ...inCategory(OWN_SUPPORTS, SUPPORT_ROWS),
];

/** The value at a path; undefined if this profile lacks it. */
export const getAtPath = (profile: Profile, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], profile);
