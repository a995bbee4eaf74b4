import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { type Mat3, lerp } from "../geometry/vector.ts";
import { SKY } from "./colour.ts";
import { FACING_ONE, type FrameBuffer, GBUFFER_STEP } from "./frame-buffer.ts";
import type { Platform } from "./platform.ts";
import { SAMPLES, SHADOWED_SAMPLE, type Samples } from "./rasterise.ts";
import { newRowResolver } from "./resolve-kernel.ts";
import {
  type ShadedPoints,
  type Shading,
  newShadedPoints,
  rightOf,
  shadeRow,
  shadeSmallFacets,
  upOf,
} from "./shade.ts";

/** Everything visible, with its light. */
export interface Scenery {
  readonly shading: Shading;
  readonly view: Mat3;
  /** Undefined if the platform is seen edge-on. */
  readonly platform: Platform | undefined;
  readonly volume: BuildVolume;
}

/** Fraction of the progress for the shading of small facets; the pixels take the rest. */
const FACETS_SHARE = 0.2;
const ROWS_PER_REPORT = 8;

/** Computes pixels as the means of their samples, behind the platform or in front of it. */
export function resolve(samples: Samples, scenery: Scenery, frameBuffer: FrameBuffer, progress: Progress): void {
  const shaded = newShadedPoints(SAMPLES * samples.width);
  const resolveRow = newRowResolver(samples.width, scenery.volume, scenery.platform);
  const floorDown = Math.round(scenery.view[5] * -FACING_ONE);
  shadeSmallFacets(scenery.shading, samples.seen, progress.part(0, FACETS_SHARE));
  const resolving = progress.part(FACETS_SHARE, 1);
  for (let row = 0; row < samples.rows; row++) {
    if (row % ROWS_PER_REPORT === 0) resolving.report(row / samples.rows);
    const down = (samples.top + row + 0.5) / frameBuffer.height;
    const sky = lerp(SKY[0], SKY[1], down);
    shadeRow(scenery.shading, samples, row, shaded);
    const isFloor = resolveRow(samples, row, shaded, sky, frameBuffer);
    const y = samples.top + row;
    if (y % GBUFFER_STEP === 0) fillGBuffer(frameBuffer, y, shaded, isFloor, floorDown);
  }
}

/** Fills the places of a row in the G-buffer. */
function fillGBuffer(
  { gBuffer, nearness }: FrameBuffer,
  y: number,
  { facing }: ShadedPoints,
  isFloor: Uint8Array,
  floorDown: number,
): void {
  const start = y * isFloor.length;
  for (let column = 0; column < isFloor.length; column += GBUFFER_STEP) {
    const spot = (y / GBUFFER_STEP) * gBuffer.width + column / GBUFFER_STEP;
    const normal = facing[SAMPLES * column + SHADOWED_SAMPLE];
    gBuffer.nearness[spot] = nearness[start + column] / GBUFFER_STEP;
    gBuffer.facing[2 * spot] = isFloor[column] ? 0 : rightOf(normal);
    gBuffer.facing[2 * spot + 1] = isFloor[column] ? floorDown : -upOf(normal);
  }
}
