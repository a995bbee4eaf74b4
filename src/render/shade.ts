import type { Mat3, Vec3 } from "../core/geometry.ts";
import { multiply } from "./affine.ts";
import { KINDS } from "./colour.ts";
import { FACING_ONE, RELIEF_STEP } from "./layers.ts";
import type { OnScreen } from "./place-on-screen.ts";
import type { Body } from "./prepare.ts";
import { NOTHING, SAMPLES, SHADOWED_SAMPLE, type Samples } from "./samples.ts";

/** What a pixel row shows of bodies, sample by sample; nothing is told of samples that no facet covers. */
export interface ShadedRow {
  /** The light on the surface in the upper half and its shine in the lower, in parts of `LIGHT_ONE`. */
  readonly lights: Int32Array;
  /** Which tint of `TINTS` the surface has. */
  readonly tints: Uint8Array;
  /** Which way the surface faces, where `Relief` wants to know: right and up, in parts of `FACING_ONE`. */
  readonly right: Int8Array;
  readonly up: Int8Array;
}

/** No surface is twice as bright as a white one in full light. */
export const LIGHT_ONE = 16383;

export function newShadedRow(width: number): ShadedRow {
  const count = SAMPLES * width;
  return {
    lights: new Int32Array(count),
    tints: new Uint8Array(count),
    right: new Int8Array(count),
    up: new Int8Array(count),
  };
}

/** A body that can be shaded. */
export interface Shaded {
  readonly points: Float32Array;
  readonly triangles: Uint32Array;
  readonly normals: Int16Array;
  readonly firstFacet: number;
  readonly endFacet: number;
  readonly tint: number;
  readonly toView: Mat3;
  readonly small: SmallFacets;
}

/** What is remembered of the small facets that were shaded. */
interface SmallFacets {
  /** As in `ShadedRow`; 0 before it is shaded. */
  readonly lights: Int32Array;
  /** Right and up, in parts of `FACING_ONE`. */
  readonly facing: Int8Array;
}

// The lights hang at the camera, so bodies look alike from every side: a large one over the left shoulder, a faint one
// low on the right. The sky is the world's: what faces up is lighter.
const unit = ([x, y, z]: Vec3): Vec3 => {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
};
const KEY = unit([-0.5, 0.75, 0.75]);
const FILL = unit([0.85, -0.15, 0.5]);
/** Half way between the key light and the camera: surfaces that face there shine. */
const SHINE = unit([KEY[0], KEY[1], KEY[2] + 1]);
const [KEY_LIGHT, FILL_LIGHT, SHINE_LIGHT] = [0.86, 0.16, 0.08];
const [SKY_LIGHT, GROUND_LIGHT] = [0.38, 0.14];

/** Facets of less than so many pixels are shaded once, in their middle, and look so from edge to edge. */
const SMALL_PX = 4;

/** Samples from one pixel of the relief to the next in its row. */
const RELIEF_SAMPLES = SAMPLES * RELIEF_STEP;

/** Bodies that are on the screen from where `view` looks. */
export const toShaded = (bodies: readonly OnScreen<Body>[], view: Mat3): Shaded[] =>
  bodies.map(({ points, triangles, normals, firstFacet, kind, place }) => {
    const count = triangles.length / 3;
    return {
      points,
      triangles,
      normals,
      firstFacet,
      endFacet: firstFacet + count,
      tint: KINDS.indexOf(kind),
      toView: multiply(view, place.linear),
      small: { lights: new Int32Array(count), facing: new Int8Array(2 * count) },
    };
  });

/** Shades what the samples of one of their pixel rows show. */
export function shadeRow(bodies: readonly Shaded[], view: Mat3, samples: Samples, row: number, into: ShadedRow): void {
  const start = row * samples.width * SAMPLES;
  const end = start + samples.width * SAMPLES;
  for (let at = start; at < end;) {
    if (samples.facets[at] === NOTHING) at++;
    else at = shadeRun(bodies[lastAtMost(bodies, samples.facets[at])], view, samples, row, at, into);
  }
}

/** Shades samples of a row from number `first` to before the first that shows another body, whose number it gives. */
function shadeRun(
  { points, triangles, normals, firstFacet, endFacet, tint, toView, small: { lights, facing } }: Shaded,
  view: Mat3,
  { facets, width, top }: Samples,
  row: number,
  first: number,
  into: ShadedRow,
): number {
  const start = row * width * SAMPLES;
  const end = start + width * SAMPLES;
  // The middle of the pixels, as in `TO_THIN_ROWS`.
  const y = SAMPLES * (top + row + 0.5) - 0.5;
  for (let at = first; at < end; at++) {
    const number = facets[at];
    if (number === NOTHING) continue;
    if (number < firstFacet || number >= endFacet) return at;
    const place = at - start;
    const facet = number - firstFacet;
    const isOfRelief = place % RELIEF_SAMPLES === SHADOWED_SAMPLE;
    into.tints[place] = tint;
    if (lights[facet] !== 0) {
      into.lights[place] = lights[facet];
      if (!isOfRelief) continue;
      into.right[place] = facing[2 * facet];
      into.up[place] = facing[2 * facet + 1];
      continue;
    }
    if (place % SAMPLES > 0 && facets[at - 1] === number && !isOfRelief) {
      into.lights[place] = into.lights[place - 1];
      continue;
    }
    const x = ((place / SAMPLES) | 0) + 0.5;
    const a = 3 * triangles[3 * facet];
    const b = 3 * triangles[3 * facet + 1];
    const c = 3 * triangles[3 * facet + 2];
    const ax = points[a] - x;
    const ay = points[a + 1] - y;
    const bx = points[b] - x;
    const by = points[b + 1] - y;
    const cx = points[c] - x;
    const cy = points[c + 1] - y;
    // Shares of the corners, with the sign that the facet's turning gives all of them. A pixel's middle may lie a little
    // outside of a facet that covers one of its samples; the nearest inside will do.
    const twiceArea = ax * (by - cy) + bx * (cy - ay) + cx * (ay - by);
    const isSmall = Math.abs(twiceArea) < 2 * SAMPLES * SMALL_PX;
    const turning = twiceArea < 0 ? -1 : 1;
    const p = isSmall ? 1 : Math.max(0, turning * (bx * cy - by * cx));
    const q = isSmall ? 1 : Math.max(0, turning * (cx * ay - cy * ax));
    const r = isSmall ? 1 : Math.max(0, turning * (ax * by - ay * bx));
    const n = 9 * facet;
    const nx = p * normals[n] + q * normals[n + 3] + r * normals[n + 6];
    const ny = p * normals[n + 1] + q * normals[n + 4] + r * normals[n + 7];
    const nz = p * normals[n + 2] + q * normals[n + 5] + r * normals[n + 8];
    const viewX = toView[0] * nx + toView[1] * ny + toView[2] * nz;
    const viewY = toView[3] * nx + toView[4] * ny + toView[5] * nz;
    const viewZ = toView[6] * nx + toView[7] * ny + toView[8] * nz;
    const length = Math.sqrt(viewX * viewX + viewY * viewY + viewZ * viewZ);
    // Whatever is seen is seen from its front; a facet without area faces the camera.
    const side = viewZ < 0 ? -1 / length : 1 / length;
    const right = length > 0 ? viewX * side : 0;
    const up = length > 0 ? viewY * side : 0;
    const toward = length > 0 ? viewZ * side : 1;
    const lit = (lightOn(right, up, toward, view) * LIGHT_ONE + 0.5) | 0;
    const shine = (shineOf(right, up, toward) * LIGHT_ONE + 0.5) | 0;
    into.lights[place] = (lit << 16) | shine;
    into.right[place] = Math.round(right * FACING_ONE);
    into.up[place] = Math.round(up * FACING_ONE);
    if (!isSmall) continue;
    lights[facet] = into.lights[place];
    facing[2 * facet] = into.right[place];
    facing[2 * facet + 1] = into.up[place];
  }
  return end;
}

function lightOn(right: number, up: number, toward: number, view: Mat3): number {
  const sky = 0.5 + 0.5 * (view[5] * up + view[8] * toward);
  const key = Math.max(0, KEY[0] * right + KEY[1] * up + KEY[2] * toward);
  const fill = Math.max(0, FILL[0] * right + FILL[1] * up + FILL[2] * toward);
  return GROUND_LIGHT + (SKY_LIGHT - GROUND_LIGHT) * sky + KEY_LIGHT * key + FILL_LIGHT * fill;
}

/** Blinn's highlight, to the power of 32. */
function shineOf(right: number, up: number, toward: number): number {
  const cosine = Math.max(0, SHINE[0] * right + SHINE[1] * up + SHINE[2] * toward);
  const p2 = cosine * cosine;
  const p8 = p2 * p2 * p2 * p2;
  return SHINE_LIGHT * p8 * p8 * p8 * p8;
}

/** The body that a facet's number falls to. */
function lastAtMost(bodies: readonly { readonly firstFacet: number }[], facet: number): number {
  let [low, high] = [0, bodies.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bodies[middle].firstFacet <= facet) low = middle;
    else high = middle - 1;
  }
  return low;
}
