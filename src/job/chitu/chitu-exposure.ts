import {
  type JobCycle,
  type JobExposure,
  type Motion,
  NO_MOTION,
  NO_STAGES,
  type StagedMotion,
  stagedMotion,
} from "../job-exposure.ts";
import { lightOffCycle } from "../light-off-cycle.ts";
import type { CarriedFact } from "../losses.ts";
import { carriedFacts } from "./chitu-records.ts";
import type { ChituHead } from "./read-chitu-head.ts";

const FULL_LIGHT = 255;
/** Rounding of exposures in single precision. */
const TOLERANCE_S = 1e-3;

/** The exposure of a file, and which facts of it the file states. `exposuresS`: those of the layers. */
export function chituExposure(
  head: ChituHead,
  exposuresS: Float64Array,
): { readonly exposure: JobExposure; readonly states: readonly CarriedFact[] } {
  const { header, parameters, slicer, extension } = head;
  const { exposureS: normalS, firstExposureS: firstS, firstLayers, version } = header;
  const stated = { firstS, normalS, firstLayers };
  const fadingLayers = version >= 3 && slicer ? slicer.fadingLayers : fadingLayersOf(stated, exposuresS);
  const cycles = (): Cycles => {
    if (parameters === undefined) return cyclesWithoutMotions(header);
    if (slicer === undefined || extension === undefined) return plainCycles(header, parameters);
    return stagedCycles(header, parameters, slicer, extension);
  };
  return { exposure: { ...stated, fadingLayers, ...cycles() }, states: statedFacts(head) };
}

type Cycles = Pick<JobExposure, "firstCycle" | "normalCycle">;
type Header = ChituHead["header"];
type Parameters = NonNullable<ChituHead["parameters"]>;
type Slicer = NonNullable<ChituHead["slicer"]>;
type Extension = NonNullable<ChituHead["extension"]>;

const WAITS: ReadonlySet<CarriedFact> = new Set(["WAIT_BEFORE_LIFT", "WAIT_AFTER_LIFT", "WAIT_AFTER_RETRACT"]);

function statedFacts({ header, parameters, extension }: ChituHead): readonly CarriedFact[] {
  if (parameters === undefined) return header.version === 1 ? ["WAIT_SUM"] : ["WAIT_SUM", "LIGHT", "FIRST_LIGHT"];
  if (extension === undefined) return carriedFacts(3);
  if (header.lightOffS === 0) return carriedFacts(4);
  return [...carriedFacts(4).filter((fact) => !WAITS.has(fact)), "FIRST_WAITS"];
}

/** Number of layers after the first ones whose exposures are between both, for versions that state these for each layer only. */
function fadingLayersOf(
  { firstS, normalS, firstLayers }: Pick<JobExposure, "firstS" | "normalS" | "firstLayers">,
  exposuresS: Float64Array,
): number {
  const normalAt = exposuresS.findIndex((s, k) => k >= firstLayers && Math.abs(s - normalS) < TOLERANCE_S);
  const between = exposuresS.subarray(firstLayers, Math.max(firstLayers, normalAt));
  return between.every((s) => (s - normalS) * (firstS - s) > 0) ? between.length : 0;
}

/** Version 1 has no motions, and no power of the light. */
function cyclesWithoutMotions({ version, lightOffS, light, firstLight }: Header): Cycles {
  const still = { lift: NO_STAGES, retract: NO_STAGES };
  const [first, normal] = version === 1 ? [FULL_LIGHT, FULL_LIGHT] : [firstLight, light];
  return {
    firstCycle: lightOffCycle(still, lightOffS, first),
    normalCycle: lightOffCycle(still, lightOffS, normal),
  };
}

/** Motions in one stage, and times without light. */
function plainCycles(header: Header, { firstLift, lift, retractMmPerMin, ...times }: Parameters): Cycles {
  const motions = ({ mm, mmPerMin }: Motion) => ({
    lift: motionOf(mm, mmPerMin, NO_MOTION),
    retract: motionOf(mm, retractMmPerMin, NO_MOTION),
  });
  return {
    firstCycle: lightOffCycle(motions(firstLift), times.firstLightOffS, header.firstLight),
    normalCycle: lightOffCycle(motions(lift), times.lightOffS, header.light),
  };
}

/** Motions in two stages, and either waits or times without light. */
function stagedCycles(header: Header, parameters: Parameters, slicer: Slicer, extension: Extension): Cycles {
  const { firstLift, lift, retractMmPerMin } = parameters;
  const first = {
    lift: motionOf(firstLift.mm, firstLift.mmPerMin, slicer.firstLift2),
    retract: motionOf(firstLift.mm, extension.firstRetractMmPerMin || retractMmPerMin, {
      mm: extension.firstRetract2Mm,
      mmPerMin: extension.firstRetract2MmPerMin || slicer.retract2.mmPerMin,
    }),
  };
  const normal = {
    lift: motionOf(lift.mm, lift.mmPerMin, slicer.lift2),
    retract: motionOf(lift.mm, retractMmPerMin, slicer.retract2),
  };
  const { waitAfterLiftS, waitAfterRetractS } = slicer;
  const waits = { waitBeforeLiftS: extension.waitBeforeLiftS, waitAfterLiftS, waitAfterRetractS };
  const cycle = (motions: Pick<JobCycle, "lift" | "retract">, offS: number, light: number): JobCycle =>
    header.lightOffS === 0 ? { ...motions, ...waits, light } : lightOffCycle(motions, offS, light);
  return {
    firstCycle: cycle(first, parameters.firstLightOffS, header.firstLight),
    normalCycle: cycle(normal, parameters.lightOffS, header.light),
  };
}

/** A motion by the distance of both stages, the speed of the first one, and the second one. */
function motionOf(totalMm: number, mmPerMin: number, second: Motion): StagedMotion {
  if (!(totalMm > 0)) return NO_STAGES;
  return stagedMotion({ mm: Math.max(0, totalMm - second.mm), mmPerMin }, second.mm > 0 ? second : NO_MOTION);
}
