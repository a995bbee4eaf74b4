import { layerImageSize } from "../../slice/pixel-grid.ts";
import { type JobExposure, cycleOf, inOneStage } from "../job-exposure.ts";
import { type JobMetadata, jobLayerCount, meanThicknessMm } from "../job.ts";
import { type Move, cycleBefore, decimal, exposureOf, inMs, liftMoves, retractMoves } from "./moves.ts";

// The G-code of `.cws` jobs, from Creation Workshop: relative moves in mm and mm/min. Waits are comments, which the machine carries out. Keys
// and their layout are those of a file of Nova3D's program (NovaMaker 2.4.20), the blocks those of other programs whose files these machines
// take.

/** The comment that is a wait, in milliseconds. */
export type WaitWord = "Delay" | "Takes";

const KEY_WIDTH = 24;
const setting = (key: string, value: string): string => `;(${key.padEnd(KEY_WIDTH)}= ${value})`;

/** Comments with the settings, which other programs read. */
export function cwsHead(job: JobMetadata): string[] {
  const { printer } = job;
  const { firstS, normalS, firstLayers, firstCycle, normalCycle } = exposureOf(job);
  const { pixels, pixelMm } = layerImageSize(printer);
  const lift = inOneStage(normalCycle.lift);
  // Files of the maker name this unit for values in mm/min.
  const speed = (mmPerMin: number): string => `${decimal(mmPerMin)} mm/s `;
  return [
    ";(****Build and Slicing Parameters****)",
    setting("Pix per mm X", `${(1 / pixelMm[0]).toFixed(3)} `),
    setting("Pix per mm Y", `${(1 / pixelMm[1]).toFixed(3)} `),
    setting("X Resolution", `${pixels[0]} `),
    setting("Y Resolution", `${pixels[1]} `),
    setting("Layer Thickness", `${meanThicknessMm(job).toFixed(5)} mm `),
    setting("Layer Time", `${inMs(normalS)} ms `),
    setting("Bottom Layers Time", `${inMs(firstS)} ms `),
    setting("Number of Bottom Layers", `${firstLayers} `),
    setting("Blanking Layer Time", `${inMs(normalCycle.waitAfterRetractS)} ms `),
    setting("Build Direction", "Bottom_Up"),
    setting("Lift Distance", `${decimal(lift.mm)} mm `),
    setting("Z Lift Feed Rate", speed(lift.mmPerMin)),
    setting("Z Bottom Lift Feed Rate", speed(inOneStage(firstCycle.lift).mmPerMin)),
    setting("Z Lift Retract Rate", speed(inOneStage(normalCycle.retract).mmPerMin)),
    setting("Flip X", printer.mirrorX ? "True" : "False"),
    setting("Flip Y", "False"),
    `;${"Number of Slices".padEnd(KEY_WIDTH)} = ${jobLayerCount(job)}`,
    ";(****Machine Configuration ******)",
    setting("Platform X Size", `${decimal(printer.volumeMm[0])}mm `),
    setting("Platform Y Size", `${decimal(printer.volumeMm[1])}mm `),
    setting("Platform Z Size", `${decimal(printer.volumeMm[2])}mm `),
    setting("Machine Type", "UV_LCD"),
    ...(job.greys === undefined ? [] : [setting("Greys", job.greys)]),
    ...(job.compensation === undefined ? [] : [setting("Compensation", job.compensation)]),
    "",
  ];
}

export const CWS_START: readonly string[] = [
  "G21 ;Set units to be mm",
  "G91 ;Relative positioning",
  "M106 S0 ;Turn LED off",
  ";<Slice> Blank",
  "M17 ;Enable motors",
  "G28 Z0 ;Home Z",
];

/** The lines of a layer. `belowMm`: height of the layer below, 0 for the lowest one. */
export function cwsLayer(
  exposure: JobExposure,
  layer: number,
  heights: { readonly belowMm: number; readonly zMm: number },
  exposureS: number,
  word: WaitWord,
): string[] {
  const { belowMm, zMm } = heights;
  const before = cycleBefore(exposure, layer);
  const { light, waitBeforeLiftS } = cycleOf(exposure, layer);
  const ups = liftMoves(before, zMm);
  const wait = (seconds: number): string => `;<${word}> ${inMs(seconds)}`;
  const waitIfAny = (seconds: number): string[] => (seconds > 0 ? [wait(seconds)] : []);
  return [
    `;<Slice> ${layer}`,
    ...relativeMoves(ups, belowMm, word),
    ...waitIfAny(before.waitAfterLiftS),
    ...relativeMoves(retractMoves(before, zMm), ups.at(-1)?.toMm ?? belowMm, word),
    wait(before.waitAfterRetractS),
    `M106 S${light}`,
    wait(exposureS),
    "M106 S0",
    ...waitIfAny(waitBeforeLiftS),
    ";<Slice> Blank",
  ];
}

/** Of UVtools: how much longer than a move its wait is. */
const MOVE_RESERVE_S = 0.75;
/** Of the heights in the file. */
const STEPS_PER_MM = 1e4;

/** Heights are rounded, not distances, so that errors do not add up over the layers. */
const rounded = (mm: number): number => Math.round(mm * STEPS_PER_MM);

/** Moves one after the other, then the wait until they are done. A 0 before it tells readers that it is no wait of the job. */
function relativeMoves(moves: readonly Move[], fromMm: number, word: WaitWord): string[] {
  if (moves.length === 0) return [];
  const lines = moves.map(({ toMm, mmPerMin }, k) => {
    const start = moves[k - 1]?.toMm ?? fromMm;
    return `G1 Z${decimal((rounded(toMm) - rounded(start)) / STEPS_PER_MM)} F${decimal(mmPerMin)}`;
  });
  const seconds = moves.reduce((sum, { stageMm, mmPerMin }) => sum + (60 * stageMm) / mmPerMin, MOVE_RESERVE_S);
  return [...lines, `;<${word}> 0${inMs(seconds)}`, "G4 P0"];
}

/** Lifts the platform from the last layer. */
export function cwsEnd(job: JobMetadata): string[] {
  const { lift } = cycleOf(exposureOf(job), Math.max(0, jobLayerCount(job) - 1));
  const { mm, mmPerMin } = inOneStage(lift);
  return ["M106 S0", `G1 Z${decimal(mm)} F${decimal(mmPerMin)}`, "M18 ;Disable motors", ";<Completed>"];
}
