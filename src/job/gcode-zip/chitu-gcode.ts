import { layerImageSize } from "../../slice/pixel-grid.ts";
import { type JobExposure, cycleOf, inOneStage } from "../job-exposure.ts";
import { type JobMetadata, type JobTotals, jobLayerCount, meanThicknessMm } from "../job.ts";
import { cycleBefore, decimal, exposureOf, inMs, liftMoves, retractMoves } from "./moves.ts";

// The `run.gcode` of Chitubox's `.zip` jobs: absolute moves in mm and mm/min, waits in ms. No description by the maker is public; text and
// order are those of other programs whose files these machines take.

export const chituPicture = (layer: number): string => `${layer + 1}.png`;

const ANTI_ALIASING_LEVEL = 8;

/** Comments with the settings, which the machine shows and other programs read. */
export function chituHead(job: JobMetadata, totals: JobTotals): string[] {
  const { printer } = job;
  const exposure = exposureOf(job);
  const { firstCycle, normalCycle } = exposure;
  const [firstLift, lift] = [inOneStage(firstCycle.lift), inOneStage(normalCycle.lift)];
  const [columns, rows] = layerImageSize(printer).pixels;
  const isStaged = normalCycle.lift.stages[1].mm > 0;
  const head = {
    fileName: job.name,
    machineType: printer.nameInJobs,
    estimatedPrintTime: decimal(totals.printTimeS),
    volume: decimal(totals.materialMl),
    resin: job.material.label,
    weight: decimal(totals.materialG),
    price: 0,
    layerHeight: decimal(meanThicknessMm(job)),
    resolutionX: columns,
    resolutionY: rows,
    machineX: decimal(printer.volumeMm[0]),
    machineY: decimal(printer.volumeMm[1]),
    machineZ: decimal(printer.volumeMm[2]),
    projectType: printer.mirrorX ? "LCD_mirror" : "Normal",
    normalExposureTime: decimal(exposure.normalS),
    bottomLayExposureTime: decimal(exposure.firstS),
    bottomLayerExposureTime: decimal(exposure.firstS),
    normalDropSpeed: decimal(inOneStage(normalCycle.retract).mmPerMin),
    normalLayerLiftSpeed: decimal(lift.mmPerMin),
    normalLayerLiftHeight: decimal(lift.mm),
    zSlowUpDistance: isStaged ? decimal(normalCycle.lift.stages[0].mm) : 0,
    bottomLayCount: exposure.firstLayers,
    bottomLayerCount: exposure.firstLayers,
    mirror: printer.mirrorX ? 1 : 0,
    totalLayer: jobLayerCount(job),
    bottomLayerLiftHeight: decimal(firstLift.mm),
    bottomLayerLiftSpeed: decimal(firstLift.mmPerMin),
    // Without the motions: the wait before each exposure.
    bottomLightOffTime: decimal(firstCycle.waitAfterRetractS),
    lightOffTime: decimal(normalCycle.waitAfterRetractS),
    bottomPWMLight: firstCycle.light,
    PWMLight: normalCycle.light,
    antiAliasLevel: ANTI_ALIASING_LEVEL,
    ...(job.greys !== undefined && { greys: job.greys }),
    ...(job.compensation !== undefined && { compensation: job.compensation }),
  };
  return Object.entries(head).map(([key, value]) => `;${key}:${String(value).replaceAll(/\p{Cc}/gu, " ")}`);
}

export const CHITU_START: readonly string[] = [
  ";START_GCODE_BEGIN",
  "G21 ;Set units to be mm",
  "G90 ;Absolute positioning",
  "M106 S0 ;Turn LED off",
  ";<Slice> Blank",
  "M17 ;Enable motors",
  "G28 Z0 ;Home Z",
  ";END_GCODE_BEGIN",
];

/** The lines of a layer: the lift from the layer below, the return to this one, and its exposure. `show`: the command that shows its picture. */
export function chituLayer(
  exposure: JobExposure,
  layer: number,
  zMm: number,
  exposureS: number,
  show = `M6054 "${chituPicture(layer)}";Show image`,
): string[] {
  const before = cycleBefore(exposure, layer);
  const { light, waitBeforeLiftS } = cycleOf(exposure, layer);
  return [
    `;LAYER_START:${layer}`,
    `;PositionZ:${decimal(zMm)}mm`,
    show,
    ...liftMoves(before, zMm).map(
      (move, k) => `G0 Z${decimal(move.toMm)} F${decimal(move.mmPerMin)} ;Z Lift (${k + 1})`,
    ),
    ...waitIfAny(before.waitAfterLiftS, "after lift"),
    ...retractMoves(before, zMm).map(
      (move, k) => `G0 Z${decimal(move.toMm)} F${decimal(move.mmPerMin)} ;Retract (${k + 1})`,
    ),
    `G4 P${inMs(before.waitAfterRetractS)} ;Wait before cure`,
    `M106 S${light} ;Turn LED`,
    `G4 P${inMs(exposureS)} ;Cure time/delay`,
    "M106 S0 ;Turn LED off",
    ...waitIfAny(waitBeforeLiftS, "after cure"),
    ";LAYER_END",
  ];
}

const waitIfAny = (seconds: number, when: string): string[] =>
  seconds > 0 ? [`G4 P${inMs(seconds)} ;Wait ${when}`] : [];

/** Lifts the platform from the last layer, then to the top of the machine. */
export function chituEnd(job: JobMetadata): string[] {
  const { lift } = cycleOf(exposureOf(job), Math.max(0, jobLayerCount(job) - 1));
  const { mm, mmPerMin } = inOneStage(lift);
  const zMm = job.boundariesMm.at(-1) ?? 0;
  return [
    ";START_GCODE_END",
    "M106 S0 ;Turn LED off",
    `G0 Z${decimal(zMm + mm)} F${decimal(mmPerMin)} ;Z Lift`,
    `G1 Z${decimal(job.printer.volumeMm[2])} F${decimal(inOneStage(exposureOf(job).normalCycle.retract).mmPerMin)} ;Move to the top`,
    "M18 ;Disable motors",
    ";END_GCODE_END",
    ";<Completed>",
  ];
}
