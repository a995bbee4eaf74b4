import type { Mat3, Vec3 } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { SKY, srgbByte, TINTS } from "./colour.ts";
import type { Ground, Slope } from "./ground.ts";
import { FACING_ONE, type Layers, RELIEF_STEP } from "./layers.ts";
import type { PaintPlatform, PlatformPaint } from "./platform.ts";
import { NOTHING, SAMPLE_X, SAMPLES, SHADOWED_SAMPLE, type Samples } from "./samples.ts";
import { LIGHT_ONE, litOf, type Looks, newLooks, rightOf, shineOf, tintOf, upOf } from "./looks.ts";
import { shadeRow, shadeSmallFacets, type Shading } from "./shade.ts";

export interface Scenery {
  readonly shading: Shading;
  readonly view: Mat3;
  /** Absent where the platform is seen from its edge. */
  readonly platform?: { readonly ground: Ground; readonly paint: PaintPlatform };
}

/** A facet nearer to the platform's plane than this, in pixels, lies on its upper side. */
const SLACK_PX = 0.1;

/** Where the platform is a line at most, it is behind everything. */
const NO_FLOOR: Slope = [0, 0, -Infinity];

/** Share of the progress at which small facets are shaded. */
const FACETS_SHADED = 0.2;
const ROWS_PER_REPORT = 8;

/** Turns samples into pixels: the mean of what each sample shows, behind the platform or before it. */
export function resolve(samples: Samples, scenery: Scenery, layers: Layers, watch: Watch): void {
  const shaded = newLooks(SAMPLES * samples.width);
  shadeSmallFacets(scenery.shading, samples.seen, watch.part(0, FACETS_SHADED));
  const resolving = watch.part(FACETS_SHADED, 1);
  for (let row = 0; row < samples.rows; row++) {
    if (row % ROWS_PER_REPORT === 0) resolving.report(row / samples.rows);
    const descent = (samples.top + row + 0.5) / layers.height;
    const sky = SKY[0].map((light, i) => light + descent * (SKY[1][i] - light)) as unknown as Vec3;
    shadeRow(scenery.shading, samples, row, shaded);
    resolveRow(samples, row, shaded, sky, scenery, layers);
  }
}

function resolveRow(
  { width, top, nearness, facets }: Samples,
  row: number,
  shaded: Looks,
  [skyR, skyG, skyB]: Vec3,
  { view, platform }: Scenery,
  layers: Layers,
): void {
  const { rgba, relief } = layers;
  const { lights, facing } = shaded;
  const floor: PlatformPaint = { r: 0, g: 0, b: 0, opacity: 0 };
  const isFromAbove = platform?.ground.fromAbove === true;
  const [floorX, floorY, floorStart] = platform?.ground.nearness ?? NO_FLOOR;
  const slack = isFromAbove ? SLACK_PX : -SLACK_PX;
  const floorReach = (Math.abs(floorX) + Math.abs(floorY)) / 2 - slack;
  const floorToShadowed =
    floorX * (SAMPLE_X[SHADOWED_SAMPLE] - 0.5) + floorY * ((SHADOWED_SAMPLE + 0.5) / SAMPLES - 0.5);
  const floorDown = Math.round(view[5] * -FACING_ONE);
  const y = top + row;
  const isReliefRow = y % RELIEF_STEP === 0;
  for (let column = 0; column < width; column++) {
    const place = column * SAMPLES;
    const at = row * width * SAMPLES + place;
    const floorMiddle = floorX * (column + 0.5) + floorY * (y + 0.5) + floorStart;
    const most = floorMiddle + floorReach;
    let r = 0;
    let g = 0;
    let b = 0;
    floor.opacity = 0;
    const l = lights[place];
    const m = lights[place + 1];
    const n = lights[place + 2];
    const o = lights[place + 3];
    const kind = tintOf(l);
    const isCovered =
      nearness[at] > most && nearness[at + 1] > most && nearness[at + 2] > most && nearness[at + 3] > most;
    if (isCovered && tintOf(m) === kind && tintOf(n) === kind && tintOf(o) === kind) {
      // So it is for most pixels of most pictures.
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
        const isSky = facets[at + sample] === NOTHING;
        const lit = isSky ? 0 : litOf(lights[place + sample]) / LIGHT_ONE;
        const shine = isSky ? 0 : shineOf(lights[place + sample]) / LIGHT_ONE;
        const tint = TINTS[tintOf(lights[place + sample])];
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
    layers.nearness[pixel] = isFloor ? floorNear : near;
    if (!isReliefRow || column % RELIEF_STEP !== 0) continue;
    const spot = (y / RELIEF_STEP) * relief.width + column / RELIEF_STEP;
    relief.nearness[spot] = layers.nearness[pixel] / RELIEF_STEP;
    relief.facing[2 * spot] = isFloor ? 0 : rightOf(facing[place + SHADOWED_SAMPLE]);
    relief.facing[2 * spot + 1] = isFloor ? floorDown : -upOf(facing[place + SHADOWED_SAMPLE]);
  }
}

const isAllSky = (facets: Int32Array, first: number): boolean =>
  facets[first] === NOTHING &&
  facets[first + 1] === NOTHING &&
  facets[first + 2] === NOTHING &&
  facets[first + 3] === NOTHING;
