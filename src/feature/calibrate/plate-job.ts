import { type Plate, plateLevels, planPlate, timedExposures } from "../../calibrate/plate-plan.ts";
import type { PlateFacts } from "../../calibrate/plate-shape.ts";
import { canonicalMachineType, printerTypes } from "../../catalog/catalog.ts";
import { settingWithFigures } from "../../catalog/custom-print-setting.ts";
import type { ResinProfile } from "../../catalog/profile-types.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { PrinterType, Setting } from "../../catalog/setting.ts";
import { inputError } from "../../core/api-error.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import type { JobWriter } from "../../job/job.ts";
import { layerTimesS, printTime } from "../../slice/print-time.ts";
import { emptyMeasures } from "../slice/slice-layers.ts";

/** The plate of a printer, a resin and a layer thickness: what its readings are compared with. */
export interface PlateOnWire {
  readonly machine_type: string;
  readonly material_code: string;
  readonly layer_thickness_mm: number;
  /** Exposure of the normal layers of the plate, in seconds. */
  readonly exposure_s: number;
  /** See `PlateFacts`. */
  readonly time_ratio: number;
  readonly corner_layers: number;
  readonly response?: number | number[] | undefined;
}

/** The plate of a request, as it is printed. */
export interface PlateJob {
  readonly onWire: PlateOnWire;
  readonly facts: PlateFacts;
  readonly plate: Plate;
  readonly setting: Setting;
}

type PlateCombination = Pick<PlateOnWire, "machine_type" | "material_code" | "layer_thickness_mm">;

/**
 * Exposure of white pixels on the plate, in the usual exposures of the resin: below it, greys show exposures down to a fifth. Above 1, so that the
 * plate tells of a usual exposure that is too short.
 */
const PLATE_FACTOR = 1.25;
/** Exposures of timed pads, in normal ones, the best first: the plate has the first with which it takes no longer than this, without areas. */
const TIME_RATIOS = [8, 6, 5, 4, 3, 2] as const;
const MAX_TIME_S = 29 * 60;
/** Height of the posts at the corners above all else, at most: heights then tell the shrinkage along z as lengths do along y. */
const MAX_CORNER_MM = 8;

/** Formats whose files state no exposures between the first and the normal one. */
const WITHOUT_TRANSITION: ReadonlySet<string> = new Set(["cxdlp-2", "cxdlp-3"]);

/**
 * The plate for a combination, with its exposures. `exposureS` is the usual exposure of the resin in place of that of the catalog. Throws
 * INPUT_ERROR for machines whose resins their maker calibrates, files without greys, and small panels.
 */
export function newPlateJob(combination: PlateCombination, exposureS: number | undefined): PlateJob {
  const type = openTypeOf(combination.machine_type);
  const usual = exposureS ?? profileWith(combination, {}).exposureS?.normal ?? 0;
  const plateS = Math.round(10 * PLATE_FACTOR * usual) / 10;
  if (plateS === 0) throw inputError(`An exposure of ${usual} s is too short for a plate: give one of at least 0.1 s.`);
  const response = type.optics?.response.value;
  const plateFor = (timeRatio: number): PlateOnWire => ({
    ...combination,
    exposure_s: plateS,
    time_ratio: timeRatio,
    corner_layers: 0,
    ...(response !== undefined && { response }),
  });
  if (response !== undefined) return withCorners(plateFor(1));
  if (WITHOUT_TRANSITION.has(type.job))
    throw inputError(
      `The response of the panel of the ${type.label} is not known, and its ${type.jobExtension} files cannot state the exposures by which a plate measures it: give the response as optics of the printer in a file of --machines.`,
    );
  const ratio = TIME_RATIOS.find((one) => layerTimes(plateJob(plateFor(one))).totalS <= MAX_TIME_S) ?? TIME_RATIOS[5];
  return withCorners(plateFor(ratio));
}

/** The plate with posts at its corners that are as high as the time allows. */
function withCorners(onWire: PlateOnWire): PlateJob {
  const { totalS, normalS } = layerTimes(plateJob(onWire));
  const layers = Math.min(MAX_CORNER_MM / onWire.layer_thickness_mm, (MAX_TIME_S - totalS) / normalS);
  return plateJob({ ...onWire, corner_layers: Math.max(0, Math.floor(layers)) });
}

/** Seconds that a plate and one of its normal layers take, without the part that depends on areas. */
function layerTimes({ setting, plate, onWire }: PlateJob): { totalS: number; normalS: number } {
  const profile = profileOf(setting);
  const measures = emptyMeasures(boundariesOf(plate, onWire));
  return { totalS: printTime(profile, measures).totalS, normalS: layerTimesS(profile, measures).at(-1) ?? 0 };
}

export const boundariesOf = (
  { layerCount }: Pick<Plate, "layerCount">,
  { layer_thickness_mm: layerMm }: Pick<PlateOnWire, "layer_thickness_mm">,
): Float64Array => Float64Array.from({ length: layerCount + 1 }, (_, k) => Math.round(1e6 * k * layerMm) / 1e6);

/** The plate that was printed. Throws as {@link newPlateJob}. */
export function plateJob(onWire: PlateOnWire): PlateJob {
  const {
    layer_thickness_mm: layerMm,
    exposure_s,
    time_ratio: timeRatio,
    corner_layers: cornerLayers,
    response,
  } = onWire;
  const type = openTypeOf(onWire.machine_type);
  const { greyLevels }: JobWriter = JOB_WRITERS[type.job];
  const facts: PlateFacts = {
    grid: type.raster,
    layerMm,
    greyLevels: Math.min(greyLevels, type.optics?.grey_levels?.value ?? 256),
    leastGrey: type.optics?.least_grey?.value ?? 1,
    response,
    timeRatio,
    cornerLayers,
  };
  const plate = planPlate(facts);
  if (!plate)
    throw inputError(
      `The plate is 92 × 54.6 mm, and the panel of the ${type.label} is smaller: calibrate the resin on another printer, and scale the exposure.`,
    );
  const levels = plateLevels(facts);
  const { firstLayers, exposureS } = profileWith(onWire, { exposure_s });
  const bottomLayers = Math.min(firstLayers.count, levels.base);
  const timed = timeRatio > 1 ? timedExposures(levels, timeRatio) : undefined;
  const setting = settingWithFigures(combinationOf(onWire), {
    exposure_s,
    bottom_exposure_s: timed ? timed.bottom * exposure_s : (exposureS?.first ?? exposure_s),
    bottom_layers: timed ? timed.bottomLayers : bottomLayers,
    transition_layers: timed ? timed.transitionLayers : Math.min(firstLayers.fade, levels.normal - bottomLayers),
  });
  return { onWire, facts, plate, setting };
}

const combinationOf = ({ machine_type, material_code, layer_thickness_mm }: PlateCombination) => ({
  machine_type,
  material_code,
  layer_thickness_mm,
});

function profileWith(combination: PlateCombination, figures: { exposure_s?: number }): ResinProfile {
  const profile = profileOf(settingWithFigures(combinationOf(combination), figures));
  if (profile.family !== "resin") throw new TypeError("Only resin printers have figures of a resin.");
  return profile;
}

/** The printer type, which takes exposures in seconds and shows greys; undefined never: unknown ones throw when they are resolved. */
function openTypeOf(machineType: string): PrinterType {
  const type = printerTypes().find((one) => one.machineType === canonicalMachineType(machineType));
  if (!type)
    throw inputError(
      `No printer has the machine_type "${machineType}": print-setting/list lists all; one of your own is known where its file is given: --machines FILE.`,
    );
  if (type.job === "form" || type.family !== "resin")
    throw inputError(
      `The materials of the ${type.label} have settings of their maker and need no plate: plates are for resin printers that take exposures in seconds.`,
    );
  const { greyLevels }: JobWriter = JOB_WRITERS[type.job];
  if (greyLevels === 2)
    throw inputError(
      `The plate needs greys, and the ${type.jobExtension} files of the ${type.label} are black and white: if its panel shows greys, describe it in a file of --machines with a job format that has them; otherwise find the exposure by prints of several exposures.`,
    );
  return type;
}
