import type { Progress } from "../core/progress.ts";
import { type Mat3, type Vec3, lerp } from "../geometry/vector.ts";
import { SKY, TINTS, srgbByte } from "./colour.ts";
import { FACING_ONE, type FrameBuffer, GBUFFER_STEP } from "./frame-buffer.ts";
import type { LinearField, PlatformColour, PlatformPainter, PlatformPlane } from "./platform.ts";
import { NO_FACET, SAMPLES, SAMPLE_X, SHADOWED_SAMPLE, type Samples } from "./rasterise.ts";
import {
  LIGHT_ONE,
  type ShadedPoints,
  type Shading,
  litOf,
  newShadedPoints,
  rightOf,
  shadeRow,
  shadeSmallFacets,
  shineOf,
  tintOf,
  upOf,
} from "./shade.ts";

/** Everything visible, with its light. */
export interface Scenery {
  readonly shading: Shading;
  readonly view: Mat3;
  /** Undefined if the platform is seen edge-on. */
  readonly platform: { readonly plane: PlatformPlane; readonly paint: PlatformPainter } | undefined;
}

/** A facet less than this below the platform's plane, pixels, counts as on its upper side. */
const SLACK_PX = 0.1;

/** A platform seen edge-on is hidden by everything. */
const NO_FLOOR: LinearField = [0, 0, -Infinity];

/** Fraction of the progress for the shading of small facets; the pixels take the rest. */
const FACETS_SHARE = 0.2;
const ROWS_PER_REPORT = 8;

/** Computes pixels as the means of their samples, behind the platform or in front of it. */
export function resolve(samples: Samples, scenery: Scenery, frameBuffer: FrameBuffer, progress: Progress): void {
  const shaded = newShadedPoints(SAMPLES * samples.width);
  shadeSmallFacets(scenery.shading, samples.seen, progress.part(0, FACETS_SHARE));
  const resolving = progress.part(FACETS_SHARE, 1);
  for (let row = 0; row < samples.rows; row++) {
    if (row % ROWS_PER_REPORT === 0) resolving.report(row / samples.rows);
    const down = (samples.top + row + 0.5) / frameBuffer.height;
    const sky = lerp(SKY[0], SKY[1], down);
    shadeRow(scenery.shading, samples, row, shaded);
    resolveRow(samples, row, shaded, sky, scenery, frameBuffer);
  }
}

/** Computes the pixels of a row. One long loop: functions for its parts would take more than ten arguments each. */
function resolveRow(
  { width, top, nearness, facets }: Samples,
  row: number,
  shaded: ShadedPoints,
  [skyR, skyG, skyB]: Vec3,
  { view, platform }: Scenery,
  frameBuffer: FrameBuffer,
): void {
  const { rgba, gBuffer } = frameBuffer;
  const { lights, facing } = shaded;
  const floor: PlatformColour = { r: 0, g: 0, b: 0, opacity: 0 };
  const isFromAbove = platform?.plane.fromAbove === true;
  const [floorX, floorY, floorStart] = platform?.plane.nearness ?? NO_FLOOR;
  const slack = isFromAbove ? SLACK_PX : -SLACK_PX;
  const floorReach = (Math.abs(floorX) + Math.abs(floorY)) / 2 - slack;
  const floorToShadowed =
    floorX * (SAMPLE_X[SHADOWED_SAMPLE] - 0.5) + floorY * ((SHADOWED_SAMPLE + 0.5) / SAMPLES - 0.5);
  const floorDown = Math.round(view[5] * -FACING_ONE);
  const y = top + row;
  const isGBufferRow = y % GBUFFER_STEP === 0;
  for (let column = 0; column < width; column++) {
    const firstSample = column * SAMPLES;
    const at = row * width * SAMPLES + firstSample;
    const floorMiddle = floorX * (column + 0.5) + floorY * (y + 0.5) + floorStart;
    const nearestFloor = floorMiddle + floorReach;
    let r = 0;
    let g = 0;
    let b = 0;
    floor.opacity = 0;
    const l = lights[firstSample];
    const m = lights[firstSample + 1];
    const n = lights[firstSample + 2];
    const o = lights[firstSample + 3];
    const kind = tintOf(l);
    const isCovered =
      nearness[at] > nearestFloor &&
      nearness[at + 1] > nearestFloor &&
      nearness[at + 2] > nearestFloor &&
      nearness[at + 3] > nearestFloor;
    if (isCovered && tintOf(m) === kind && tintOf(n) === kind && tintOf(o) === kind) {
      // Fast path: most pixels of most pictures show one kind of body only.
      const lit = (litOf(l) + litOf(m) + litOf(n) + litOf(o)) / LIGHT_ONE;
      const shine = (shineOf(l) + shineOf(m) + shineOf(n) + shineOf(o)) / LIGHT_ONE;
      const tint = TINTS[kind];
      r = lit * tint[0] + shine;
      g = lit * tint[1] + shine;
      b = lit * tint[2] + shine;
    } else if (isAllSky(facets, at)) {
      platform?.paint(column + 0.5, y + 0.5, floor);
      r = SAMPLES * (skyR + floor.opacity * (floor.r - skyR));
      g = SAMPLES * (skyG + floor.opacity * (floor.g - skyG));
      b = SAMPLES * (skyB + floor.opacity * (floor.b - skyB));
    } else {
      platform?.paint(column + 0.5, y + 0.5, floor);
      for (let sample = 0; sample < SAMPLES; sample++) {
        const isSky = facets[at + sample] === NO_FACET;
        const lit = isSky ? 0 : litOf(lights[firstSample + sample]) / LIGHT_ONE;
        const shine = isSky ? 0 : shineOf(lights[firstSample + sample]) / LIGHT_ONE;
        const tint = TINTS[tintOf(lights[firstSample + sample])];
        const lightR = isSky ? skyR : lit * tint[0] + shine;
        const lightG = isSky ? skyG : lit * tint[1] + shine;
        const lightB = isSky ? skyB : lit * tint[2] + shine;
        const floorNear = floorX * (column + SAMPLE_X[sample]) + floorY * (y + (sample + 0.5) / SAMPLES) + floorStart;
        const opacity = floorNear > nearness[at + sample] + slack ? floor.opacity : 0;
        r += lightR + opacity * (floor.r - lightR);
        g += lightG + opacity * (floor.g - lightG);
        b += lightB + opacity * (floor.b - lightB);
      }
    }
    const pixel = y * width + column;
    rgba[4 * pixel] = srgbByte(r / SAMPLES);
    rgba[4 * pixel + 1] = srgbByte(g / SAMPLES);
    rgba[4 * pixel + 2] = srgbByte(b / SAMPLES);
    rgba[4 * pixel + 3] = 255;
    const near = nearness[at + SHADOWED_SAMPLE];
    const floorNear = floorMiddle + floorToShadowed;
    const isFloor = isFromAbove && floor.opacity > 0 && floorNear > near + slack;
    frameBuffer.nearness[pixel] = isFloor ? floorNear : near;
    if (!isGBufferRow || column % GBUFFER_STEP !== 0) continue;
    const spot = (y / GBUFFER_STEP) * gBuffer.width + column / GBUFFER_STEP;
    gBuffer.nearness[spot] = frameBuffer.nearness[pixel] / GBUFFER_STEP;
    gBuffer.facing[2 * spot] = isFloor ? 0 : rightOf(facing[firstSample + SHADOWED_SAMPLE]);
    gBuffer.facing[2 * spot + 1] = isFloor ? floorDown : -upOf(facing[firstSample + SHADOWED_SAMPLE]);
  }
}

const isAllSky = (facets: Int32Array, first: number): boolean =>
  facets[first] === NO_FACET &&
  facets[first + 1] === NO_FACET &&
  facets[first + 2] === NO_FACET &&
  facets[first + 3] === NO_FACET;
