import * as v from "valibot";
import { field, object } from "../../api/field.ts";
import { count, warningsList } from "../../api/schema.ts";
import type { JobCycle, JobExposure, StagedMotion } from "../../job/job-exposure.ts";
import { CARRIED_FACTS } from "../../job/losses.ts";
import { wireMm, wireS, wireVolume } from "../../scene/wire-numbers.ts";
import { gridOfJob, printersNamed } from "./job-place.ts";
import type { JobHead } from "./read-job.ts";

const seconds = v.number();
const mm = v.number();

const motionReply = object({
  duration_s: field(seconds, "Duration of the whole motion in seconds; 0 if the file has no motion."),
  stages: field(
    v.array(
      object({
        distance_mm: field(mm, "Length of the stage in mm."),
        speed_mm_min: field(v.number(), "Speed of the stage in mm per minute."),
      }),
    ),
    "The stages in the order of the motion, one or two; none if the file does not have them.",
  ),
});

const cycleReply = object({
  wait_before_lift_s: field(seconds, "Rest between the exposure and the lift in seconds."),
  lift: field(motionReply, "Motion of the platform away from the film."),
  wait_after_lift_s: field(seconds, "Rest between the lift and the retraction in seconds."),
  retract: field(motionReply, "Motion of the platform back to the film."),
  wait_after_retract_s: field(seconds, "Rest between the retraction and the next exposure in seconds."),
  light_pwm: field(v.number(), "Power of the light from 0 to 255, the full power."),
});

const exposureReply = object({
  bottom_exposure_s: field(seconds, "Exposure of the first layers in seconds."),
  exposure_s: field(seconds, "Exposure of the other layers in seconds."),
  bottom_layer_count: field(count, "Number of layers with the exposure of the first ones."),
  transition_layer_count: field(count, "Number of layers after them whose exposures are between both."),
  bottom_cycle: field(cycleReply, "What follows the exposure of each of the first layers."),
  cycle: field(cycleReply, "What follows the exposure of each of the other layers."),
  stated: field(
    v.array(v.picklist(CARRIED_FACTS)),
    "The facts of the cycles that the file states; the others have the values of the format.",
  ),
});

const pixelsReply = object({ x: field(count, "Columns."), y: field(count, "Rows.") });
const pitchReply = object({ x: field(mm, "Along the columns."), y: field(mm, "Along the rows.") });

const totalsReply = object({
  print_time_s: field(v.optional(seconds), "Duration of the print in seconds."),
  material_ml: field(v.optional(v.number()), "Volume of the resin in ml."),
  material_g: field(v.optional(v.number()), "Mass of the resin in grams."),
});

/** What a job file says without its layers. */
export const jobFactsFields = {
  format: field(v.string(), "Name of the format of the file."),
  version: field(v.string(), "Version of the format, as its programs name it."),
  program: field(v.optional(v.string()), "The program that made the file, if the file names it."),
  printer_name: field(v.optional(v.string()), "The machine as the file names it."),
  machine_types: field(
    v.array(
      object({ machine_type: field(v.string(), "Id of the machine type."), label: field(v.string(), "Its name.") }),
    ),
    "The machine types of the catalog whose machines have this name.",
  ),
  created: field(v.optional(v.string()), "When the file was made, as the file says (ISO 8601)."),
  material: field(v.optional(v.string()), "The material as the file names it."),
  pixels: field(pixelsReply, "Size of the pictures in the file in pixels."),
  pixel_mm: field(
    v.optional(pitchReply),
    "Size of a pixel of the pictures in mm, from the file or, if it has none, from the catalog.",
  ),
  mirrored: field(v.optional(v.boolean()), "Whether the pictures are mirrored left to right, if the file says so."),
  layer_count: field(count, "Number of layers."),
  layer_thicknesses_mm: field(
    v.array(mm),
    "The different thicknesses of the layers in mm, rounded to a micrometre, ascending.",
  ),
  height_mm: field(mm, "Height of the print in mm."),
  exposure: field(v.optional(exposureReply), "How the layers are cured, if the file says so."),
  thumbnails: field(v.array(pixelsReply), "Sizes of the previews in pixels."),
  stated: field(totalsReply, "Totals as the file states them."),
  warnings: warningsList,
};

/** {@link jobFactsFields} of a job. */
export function jobFactsOnWire(head: JobHead) {
  const { boundariesMm, pixels, created, mirrorX, totals } = head;
  const grid = gridOfJob(head);
  const pitch = grid && (grid.portrait ? [grid.pixelMm[1], grid.pixelMm[0]] : grid.pixelMm);
  return {
    format: head.format,
    version: head.version,
    ...(head.program !== undefined && { program: head.program }),
    ...(head.printerName !== undefined && { printer_name: head.printerName }),
    machine_types: printersNamed(head.printerName).map(({ machineType, label }) => ({
      machine_type: machineType,
      label,
    })),
    ...(created && { created: created.toISOString() }),
    ...(head.material !== undefined && { material: head.material }),
    pixels: { x: pixels[0], y: pixels[1] },
    ...(pitch && { pixel_mm: { x: wireMm(pitch[0] ?? 0), y: wireMm(pitch[1] ?? 0) } }),
    ...(mirrorX !== undefined && { mirrored: mirrorX }),
    layer_count: head.exposuresS.length,
    layer_thicknesses_mm: thicknessesMm(boundariesMm),
    height_mm: wireMm(boundariesMm.at(-1) ?? 0),
    ...(head.exposure && { exposure: exposureOnWire(head.exposure, head.states) }),
    thumbnails: head.thumbnails.map(({ width, height }) => ({ x: width, y: height })),
    stated: {
      ...(totals.printTimeS !== undefined && { print_time_s: wireS(totals.printTimeS) }),
      ...(totals.materialMl !== undefined && { material_ml: wireVolume(totals.materialMl) }),
      ...(totals.materialG !== undefined && { material_g: wireVolume(totals.materialG) }),
    },
    warnings: [...head.warnings],
  };
}

/** Boundaries in single precision differ by less than this. */
const UM_PER_MM = 1000;

function thicknessesMm(boundariesMm: Float64Array): number[] {
  const found = new Set<number>();
  boundariesMm.forEach((topMm, k) => {
    if (k > 0) found.add(Math.round(UM_PER_MM * (topMm - (boundariesMm[k - 1] ?? 0))) / UM_PER_MM);
  });
  return [...found].sort((a, b) => a - b);
}

const exposureOnWire = (exposure: JobExposure, states: JobHead["states"]) => ({
  bottom_exposure_s: wireMm(exposure.firstS),
  exposure_s: wireMm(exposure.normalS),
  bottom_layer_count: exposure.firstLayers,
  transition_layer_count: exposure.fadingLayers,
  bottom_cycle: cycleOnWire(exposure.firstCycle),
  cycle: cycleOnWire(exposure.normalCycle),
  stated: [...states],
});

const cycleOnWire = (cycle: JobCycle) => ({
  wait_before_lift_s: wireMm(cycle.waitBeforeLiftS),
  lift: motionOnWire(cycle.lift),
  wait_after_lift_s: wireMm(cycle.waitAfterLiftS),
  retract: motionOnWire(cycle.retract),
  wait_after_retract_s: wireMm(cycle.waitAfterRetractS),
  light_pwm: cycle.light,
});

const motionOnWire = ({ seconds: durationS, stages }: StagedMotion) => ({
  duration_s: wireMm(durationS),
  stages: stages
    .filter((stage) => stage.mm > 0)
    .map((stage) => ({ distance_mm: wireMm(stage.mm), speed_mm_min: wireMm(stage.mmPerMin) })),
});
