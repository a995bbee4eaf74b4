import type { Progress } from "../core/progress.ts";
import { partitionPoint } from "../geometry/binary-search.ts";
import { type Mat3, unit } from "../geometry/vector.ts";
import { multiplyMatrices } from "./camera.ts";
import { KINDS } from "./colour.ts";
import { FACING_ONE } from "./frame-buffer.ts";
import type { RenderBody } from "./prepare.ts";
import { NO_FACET, SAMPLES, type Samples, type ScreenBody, facetCount } from "./rasterise.ts";

/** Light and normals of points on surfaces, packed. */
export interface ShadedPoints {
  /** Diffuse light, highlight and tint: read by `litOf`, `shineOf` and `tintOf`. 0 before a point is shaded. */
  readonly lights: Int32Array;
  /** The normal on the screen: read by `rightOf` and `upOf`. */
  readonly facing: Uint16Array;
}

export const newShadedPoints = (count: number): ShadedPoints => ({
  lights: new Int32Array(count),
  facing: new Uint16Array(count),
});

/** Unit of `litOf` and `shineOf`: light 1. Values are below twice this. */
export const LIGHT_ONE = 16383;

const LIT_SHIFT = 16;
const SHINE_SHIFT = 3;
const SHINE_MASK = (1 << (LIT_SHIFT - SHINE_SHIFT)) - 1;
const TINT_MASK = (1 << SHINE_SHIFT) - 1;

export const litOf = (light: number): number => light >> LIT_SHIFT;
export const shineOf = (light: number): number => (light >> SHINE_SHIFT) & SHINE_MASK;
/** Index in `TINTS`. */
export const tintOf = (light: number): number => light & TINT_MASK;

const FACING_BITS = 8;
const FACING_MASK = (1 << FACING_BITS) - 1;
/** Added to signed components, so that they are stored without a sign. */
const FACING_OFFSET = 128;

/** Component of the normal to the right on the screen, in units of 1 / `FACING_ONE`. */
export const rightOf = (facing: number): number => (facing >> FACING_BITS) - FACING_OFFSET;
/** Component of the normal up on the screen, in units of 1 / `FACING_ONE`. */
export const upOf = (facing: number): number => (facing & FACING_MASK) - FACING_OFFSET;

// The lights move with the camera, so that bodies look similar from every direction: a key light over the left shoulder and a
// faint fill light low on the right. Sky light is fixed in the world: surfaces that face up are lighter.
const [KEY_X, KEY_Y, KEY_Z] = unit([-0.5, 0.75, 0.75]);
const [FILL_X, FILL_Y, FILL_Z] = unit([0.85, -0.15, 0.5]);
/** Half vector between the key light and the camera: surfaces that face it have a highlight. */
const [SHINE_X, SHINE_Y, SHINE_Z] = unit([KEY_X, KEY_Y, KEY_Z + 1]);
const [KEY_LIGHT, FILL_LIGHT, SHINE_LIGHT] = [0.86, 0.16, 0.08];
const [SKY_LIGHT, GROUND_LIGHT] = [0.38, 0.14];

/** Everything that a point's light depends on, except its normal. */
interface ShadingInput {
  readonly tint: number;
  /** From the body's coordinates to the view, at any scale. */
  readonly toView: Mat3;
  /** From the world to the view. */
  readonly view: Mat3;
}

/** Shades the point with index `index`, whose normal, of any length, is (x, y, z) in the body's coordinates. */
export function shadePoint(
  { lights, facing }: ShadedPoints,
  index: number,
  { tint, toView, view }: ShadingInput,
  x: number,
  y: number,
  z: number,
): void {
  const viewX = toView[0] * x + toView[1] * y + toView[2] * z;
  const viewY = toView[3] * x + toView[4] * y + toView[5] * z;
  const viewZ = toView[6] * x + toView[7] * y + toView[8] * z;
  const length = Math.sqrt(viewX * viewX + viewY * viewY + viewZ * viewZ);
  // Normals are turned toward the camera. A facet without area faces the camera.
  const side = viewZ < 0 ? -1 / length : 1 / length;
  const right = length > 0 ? viewX * side : 0;
  const up = length > 0 ? viewY * side : 0;
  const toward = length > 0 ? viewZ * side : 1;
  const sky = 0.5 + 0.5 * (view[5] * up + view[8] * toward);
  const key = KEY_X * right + KEY_Y * up + KEY_Z * toward;
  const fill = FILL_X * right + FILL_Y * up + FILL_Z * toward;
  const light =
    GROUND_LIGHT +
    (SKY_LIGHT - GROUND_LIGHT) * sky +
    (key > 0 ? KEY_LIGHT * key : 0) +
    (fill > 0 ? FILL_LIGHT * fill : 0);
  // Blinn–Phong highlight with exponent 32.
  const cosine = SHINE_X * right + SHINE_Y * up + SHINE_Z * toward;
  const p2 = cosine > 0 ? cosine * cosine : 0;
  const p8 = p2 * p2 * p2 * p2;
  const shine = SHINE_LIGHT * p8 * p8 * p8 * p8;
  lights[index] =
    (((light * LIGHT_ONE + 0.5) | 0) << LIT_SHIFT) | (((shine * LIGHT_ONE + 0.5) | 0) << SHINE_SHIFT) | tint;
  facing[index] = ((right * FACING_ONE + FACING_OFFSET + 0.5) << FACING_BITS) | (up * FACING_ONE + FACING_OFFSET + 0.5);
}

/** A body to shade. */
interface ShadedBody extends ShadingInput {
  readonly points: Float32Array;
  readonly triangles: Uint32Array;
  readonly normals: Int16Array;
  readonly firstFacet: number;
  readonly endFacet: number;
}

/** The bodies on the screen and the light of their small facets. */
export interface Shading {
  readonly bodies: readonly ShadedBody[];
  /** By facet: the small facets that are shaded already. */
  readonly small: ShadedPoints;
}

/** Facets with a smaller area, pixels, are shaded once, with the mean of their corners' normals. */
const SMALL_PX = 4;

/** At most 2 ms of work. */
const FACETS_PER_REPORT = 32_768;

export const newShading = (bodies: readonly ScreenBody<RenderBody>[], view: Mat3): Shading => ({
  bodies: bodies.map(({ points, triangles, normals, firstFacet, kind, toWorld }) => ({
    points,
    triangles,
    normals,
    firstFacet,
    endFacet: firstFacet + triangles.length / 3,
    tint: KINDS.indexOf(kind),
    toView: multiplyMatrices(view, toWorld.linear),
    view,
  })),
  small: newShadedPoints(facetCount(bodies)),
});

/** Shades the small facets in `seen` (see `Samples`), in the order in which they are in memory. */
export function shadeSmallFacets({ bodies, small }: Shading, seen: Uint8Array, progress: Progress): void {
  for (const body of bodies) {
    const { firstFacet, endFacet } = body;
    for (let from = firstFacet; from < endFacet; from += FACETS_PER_REPORT) {
      progress.report(from / seen.length);
      const to = Math.min(endFacet, from + FACETS_PER_REPORT);
      shadeSmallFacetsOf(body, from - firstFacet, to - firstFacet, seen, small);
    }
  }
}

function shadeSmallFacetsOf(
  body: ShadedBody,
  fromFacet: number,
  toFacet: number,
  seen: Uint8Array,
  into: ShadedPoints,
): void {
  const { points, triangles, normals, firstFacet } = body;
  for (let facet = fromFacet; facet < toFacet; facet++) {
    if (seen[firstFacet + facet] === 0) continue;
    const a = 3 * triangles[3 * facet];
    const b = 3 * triangles[3 * facet + 1];
    const c = 3 * triangles[3 * facet + 2];
    const x = points[a];
    const y = points[a + 1];
    const twiceArea = (points[b] - x) * (points[c + 1] - y) - (points[c] - x) * (points[b + 1] - y);
    if (Math.abs(twiceArea) >= 2 * SAMPLES * SMALL_PX) continue;
    const n = 9 * facet;
    const nx = normals[n] + normals[n + 3] + normals[n + 6];
    const ny = normals[n + 1] + normals[n + 4] + normals[n + 7];
    const nz = normals[n + 2] + normals[n + 5] + normals[n + 8];
    shadePoint(into, firstFacet + facet, body, nx, ny, nz);
  }
}

/** Shades the samples of one pixel row, except those that no facet covers. */
export function shadeRow(
  { bodies, small }: Shading,
  { facets, width, top }: Samples,
  row: number,
  into: ShadedPoints,
): void {
  const start = row * width * SAMPLES;
  // The middle of the pixels in thin rows, see `TO_THIN_ROWS`.
  const y = SAMPLES * (top + row + 0.5) - 0.5;
  let body = bodies[0];
  for (let column = 0; column < width; column++) {
    const first = column * SAMPLES;
    for (let index = first; index < first + SAMPLES; index++) {
      const facet = facets[start + index];
      if (facet === NO_FACET) continue;
      const light = small.lights[facet];
      if (light !== 0) {
        into.lights[index] = light;
        into.facing[index] = small.facing[facet];
        continue;
      }
      let same = index - 1;
      while (same >= first && facets[start + same] !== facet) same--;
      if (same >= first) {
        into.lights[index] = into.lights[same];
        into.facing[index] = into.facing[same];
        continue;
      }
      if (facet < body.firstFacet || facet >= body.endFacet) body = bodies[bodyOf(bodies, facet)];
      shadeSample(body, facet - body.firstFacet, column + 0.5, y, into, index);
    }
  }
}

/** Shades a facet at a point of the screen, x in pixels and y in thin rows. */
function shadeSample(body: ShadedBody, facet: number, x: number, y: number, into: ShadedPoints, index: number): void {
  const { points, triangles, normals } = body;
  const a = 3 * triangles[3 * facet];
  const b = 3 * triangles[3 * facet + 1];
  const c = 3 * triangles[3 * facet + 2];
  const ax = points[a] - x;
  const ay = points[a + 1] - y;
  const bx = points[b] - x;
  const by = points[b + 1] - y;
  const cx = points[c] - x;
  const cy = points[c + 1] - y;
  // Barycentric coordinates, which all have the sign of the facet's winding. The middle of a pixel may be slightly outside of a
  // facet that covers one of its samples: the coordinates are clamped to the facet.
  const winding = ax * (by - cy) + bx * (cy - ay) + cx * (ay - by) < 0 ? -1 : 1;
  const p = Math.max(0, winding * (bx * cy - by * cx));
  const q = Math.max(0, winding * (cx * ay - cy * ax));
  const r = Math.max(0, winding * (ax * by - ay * bx));
  const n = 9 * facet;
  const nx = p * normals[n] + q * normals[n + 3] + r * normals[n + 6];
  const ny = p * normals[n + 1] + q * normals[n + 4] + r * normals[n + 7];
  const nz = p * normals[n + 2] + q * normals[n + 5] + r * normals[n + 8];
  shadePoint(into, index, body, nx, ny, nz);
}

/** Index of the body that has the facet. */
const bodyOf = (bodies: readonly ShadedBody[], facet: number): number =>
  partitionPoint(bodies.length, (i) => bodies[i].firstFacet <= facet) - 1;
