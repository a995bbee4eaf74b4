import type { Mat3 } from "../core/geometry.ts";
import { SKY, srgbByte } from "./colour.ts";
import type { Ground, Slope } from "./ground.ts";
import { FACING_ONE, type Layers } from "./layers.ts";
import type { PaintPlatform, PlatformPaint } from "./platform.ts";
import { NOTHING, SAMPLE_X, SAMPLES, type Samples } from "./samples.ts";
import type { Shade, ShadeFacet } from "./shade.ts";

export interface Scenery {
  readonly shade: ShadeFacet;
  readonly view: Mat3;
  /** Absent where the platform is seen from its edge. */
  readonly platform?: { readonly ground: Ground; readonly paint: PaintPlatform };
}

/** Shadows are worked out for the surface at this sample: the same in each pixel, so that planes stay plane. */
const SHADOWED_SAMPLE = 1;

/** A facet nearer to the platform's plane than this, in pixels, lies on its upper side. */
const SLACK_PX = 0.1;

/** Where the platform is a line at most, it is behind everything. */
const NO_FLOOR: Slope = [0, 0, -Infinity];

/**
 * Turns samples into pixels: each facet in a pixel is shaded once and counts by its samples. Where facets are smaller
 * than pixels, every other sample goes by its neighbour: their shades differ little and half of the time is won.
 */
export function resolve(samples: Samples, { shade, view, platform }: Scenery, layers: Layers): void {
  const { width, top, rows, nearness, facets } = samples;
  const { rgba, facing, height } = layers;
  const surface: Shade = { r: 0, g: 0, b: 0, right: 0, up: 0, toward: 1 };
  const floor: PlatformPaint = { r: 0, g: 0, b: 0, opacity: 0 };
  const isFromAbove = platform?.ground.fromAbove === true;
  const slope = platform?.ground.nearness ?? NO_FLOOR;
  const floorSteps = SAMPLE_X.map((x, sample) => slope[0] * x + (slope[1] * (sample + 0.5)) / SAMPLES);
  const slack = isFromAbove ? SLACK_PX : -SLACK_PX;
  for (let row = 0; row < rows; row++) {
    const descent = (top + row + 0.5) / height;
    const [skyR, skyG, skyB] = SKY[0].map((light, i) => light + descent * (SKY[1][i] - light));
    for (let column = 0; column < width; column++) {
      const floorCorner = slope[0] * column + slope[1] * (top + row) + slope[2];
      const pixel = (top + row) * width + column;
      const first = row * SAMPLES * width + column;
      const isFine = areAllDifferent(facets, first, width);
      let isFloorPainted = false;
      let r = 0;
      let g = 0;
      let b = 0;
      let facet = NOTHING;
      let lightR = skyR;
      let lightG = skyG;
      let lightB = skyB;
      for (let sample = 0; sample < SAMPLES; sample++) {
        const at = first + sample * width;
        if (facets[at] !== facet && !(isFine && sample % 2 === 1)) {
          facet = facets[at];
          if (facet === NOTHING) {
            lightR = skyR;
            lightG = skyG;
            lightB = skyB;
          } else {
            shade(facet, column + 0.5, top + row + 0.5, surface);
            lightR = surface.r;
            lightG = surface.g;
            lightB = surface.b;
          }
        }
        const near = nearness[at];
        const floorNear = floorCorner + floorSteps[sample];
        const isBehindFloor = floorNear > near + slack;
        if (isBehindFloor && !isFloorPainted) {
          platform!.paint(column + 0.5, top + row + 0.5, floor);
          isFloorPainted = true;
        }
        const opacity = isBehindFloor ? floor.opacity : 0;
        r += lightR + opacity * (floor.r - lightR);
        g += lightG + opacity * (floor.g - lightG);
        b += lightB + opacity * (floor.b - lightB);
        if (sample !== SHADOWED_SAMPLE) continue;
        const isFloor = opacity > 0 && isFromAbove;
        layers.nearness[pixel] = isFloor ? floorNear : near;
        facing[2 * pixel] = isFloor ? 0 : Math.round(surface.right * FACING_ONE);
        facing[2 * pixel + 1] = Math.round((isFloor ? view[5] : surface.up) * -FACING_ONE);
      }
      rgba[4 * pixel] = srgbByte(r / SAMPLES);
      rgba[4 * pixel + 1] = srgbByte(g / SAMPLES);
      rgba[4 * pixel + 2] = srgbByte(b / SAMPLES);
      rgba[4 * pixel + 3] = 255;
    }
  }
}

/** Whether a pixel's samples show a facet each, none the same as the one before. */
const areAllDifferent = (facets: Uint32Array, first: number, width: number): boolean =>
  facets[first] !== facets[first + width] &&
  facets[first + width] !== facets[first + 2 * width] &&
  facets[first + 2 * width] !== facets[first + 3 * width] &&
  facets[first] !== NOTHING &&
  facets[first + width] !== NOTHING &&
  facets[first + 2 * width] !== NOTHING &&
  facets[first + 3 * width] !== NOTHING;
