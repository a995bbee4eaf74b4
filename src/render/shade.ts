import type { Mat3 } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { multiply } from "./affine.ts";
import { KINDS } from "./colour.ts";
import { type Lit, type Looks, newLooks, setLook } from "./looks.ts";
import { facetCount, type OnScreen } from "./place-on-screen.ts";
import type { Body } from "./prepare.ts";
import { NOTHING, SAMPLES, type Samples } from "./samples.ts";

/** A body that can be shaded. */
interface Shaded extends Lit {
  readonly points: Float32Array;
  readonly triangles: Uint32Array;
  readonly normals: Int16Array;
  readonly firstFacet: number;
  readonly endFacet: number;
}

/** Bodies that are on the screen. */
export interface Shading {
  readonly bodies: readonly Shaded[];
  /** How their small facets look: those that were shaded. */
  readonly small: Looks;
}

/** Facets of less than so many pixels are shaded once, in their middle, and look so from edge to edge. */
const SMALL_PX = 4;

/** At most 2 ms of work. */
const FACETS_PER_REPORT = 32_768;

/** Of bodies that are on the screen from where `view` looks. */
export const newShading = (bodies: readonly OnScreen<Body>[], view: Mat3): Shading => ({
  bodies: bodies.map(({ points, triangles, normals, firstFacet, kind, place }) => ({
    points,
    triangles,
    normals,
    firstFacet,
    endFacet: firstFacet + triangles.length / 3,
    tint: KINDS.indexOf(kind),
    toView: multiply(view, place.linear),
    view,
  })),
  small: newLooks(facetCount(bodies)),
});

/** Shades those facets that are small and `seen`, as `Samples` has it: in the order in which they lie in memory. */
export function shadeSmallFacets({ bodies, small }: Shading, seen: Uint8Array, watch: Watch): void {
  for (const body of bodies) {
    const { firstFacet, endFacet } = body;
    for (let from = firstFacet; from < endFacet; from += FACETS_PER_REPORT) {
      watch.report(from / seen.length);
      shadeSmallFacetsOf(
        body,
        from - firstFacet,
        Math.min(endFacet, from + FACETS_PER_REPORT) - firstFacet,
        seen,
        small,
      );
    }
  }
}

function shadeSmallFacetsOf(body: Shaded, fromFacet: number, toFacet: number, seen: Uint8Array, into: Looks): void {
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
    setLook(into, firstFacet + facet, body, nx, ny, nz);
  }
}

/** Tells how the samples of one of their pixel rows look; nothing is told of samples that no facet covers. */
export function shadeRow({ bodies, small }: Shading, { facets, width, top }: Samples, row: number, into: Looks): void {
  const start = row * width * SAMPLES;
  // The middle of the pixels, as in `TO_THIN_ROWS`.
  const y = SAMPLES * (top + row + 0.5) - 0.5;
  let body = bodies[0];
  for (let column = 0; column < width; column++) {
    const first = column * SAMPLES;
    for (let place = first; place < first + SAMPLES; place++) {
      const facet = facets[start + place];
      if (facet === NOTHING) continue;
      const light = small.lights[facet];
      if (light !== 0) {
        into.lights[place] = light;
        into.facing[place] = small.facing[facet];
        continue;
      }
      let same = place - 1;
      while (same >= first && facets[start + same] !== facet) same--;
      if (same >= first) {
        into.lights[place] = into.lights[same];
        into.facing[place] = into.facing[same];
        continue;
      }
      if (facet < body.firstFacet || facet >= body.endFacet) body = bodies[lastAtMost(bodies, facet)];
      shadePlace(body, facet - body.firstFacet, column + 0.5, y, into, place);
    }
  }
}

/** Sets how a facet looks at a point of the screen, x in pixels and y in thin rows. */
function shadePlace(body: Shaded, facet: number, x: number, y: number, into: Looks, place: number): void {
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
  // Shares of the corners, with the sign that the facet's turning gives all of them. A pixel's middle may lie a little
  // outside of a facet that covers one of its samples; the nearest inside will do.
  const turning = ax * (by - cy) + bx * (cy - ay) + cx * (ay - by) < 0 ? -1 : 1;
  const p = Math.max(0, turning * (bx * cy - by * cx));
  const q = Math.max(0, turning * (cx * ay - cy * ax));
  const r = Math.max(0, turning * (ax * by - ay * bx));
  const n = 9 * facet;
  const nx = p * normals[n] + q * normals[n + 3] + r * normals[n + 6];
  const ny = p * normals[n + 1] + q * normals[n + 4] + r * normals[n + 7];
  const nz = p * normals[n + 2] + q * normals[n + 5] + r * normals[n + 8];
  setLook(into, place, body, nx, ny, nz);
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
