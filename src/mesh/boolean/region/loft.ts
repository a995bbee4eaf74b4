import type { Surface } from "../../mesh.ts";
import { polygonsOf } from "./plane.ts";
import { cornerCount, type Region, type Ring } from "./region.ts";
import { triangulated } from "./triangulated.ts";

export interface Level {
  readonly zMm: number;
  readonly region: Region;
}

/**
 * The closed body whose sections at ascending levels are regions, each the same value as the one below or strictly around
 * it. A wall stands between the same regions. Between others the body widens along a triangulation of what lies between
 * their rims, so it cannot pass through itself, whatever joins on the way.
 */
export async function loft(levels: readonly Level[]): Promise<Surface> {
  const vertices: number[] = [];
  const starts = levels.map(({ zMm, region }) => {
    const start = vertices.length / 3;
    for (const [x, y] of polygonsOf(region).flat()) vertices.push(x, y, zMm);
    return start;
  });
  const last = levels.length - 1;
  const triangles: number[] = [];
  const add = (facets: Uint32Array, start: number): void => {
    for (const corner of facets) triangles.push(start + corner);
  };
  add((await triangulated(levels[0].region)).toReversed(), 0);
  for (let i = 0; i < last; i++) {
    const [lower, upper] = [levels[i].region, levels[i + 1].region];
    add(lower === upper ? wall(lower) : await widening(lower, upper), starts[i]);
  }
  add(await triangulated(levels[last].region), starts[last]);
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

const sizeOf = (region: Region): number => region.reduce((sum, ring) => sum + cornerCount(ring), 0);

/** From each side of a region to the same one above; the corners above follow those below. */
function wall(region: Region): Uint32Array {
  const above = sizeOf(region);
  const triangles: number[] = [];
  let first = 0;
  for (const ring of region) {
    const count = cornerCount(ring);
    for (let i = 0; i < count; i++) {
      const [a, b] = [first + i, first + ((i + 1) % count)];
      triangles.push(a, b, b + above, a, b + above, a + above);
    }
    first += count;
  }
  return Uint32Array.from(triangles);
}

/** The underside between the rims of two regions; the corners of the upper follow those of the lower. */
async function widening(lower: Region, upper: Region): Promise<Uint32Array> {
  const below = sizeOf(lower);
  // Turned round, the rim of the lower region is one of openings: what is left lies between.
  const between = await triangulated([...lower.map(turnedRound), ...upper]);
  const corners: number[] = [];
  for (const ring of lower) corners.push(...backwards(corners.length, cornerCount(ring)));
  return between.map((corner) => (corner < below ? corners[corner] : corner)).toReversed();
}

const backwards = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + count - 1 - i);

const turnedRound = (ring: Ring): Ring => ring.map((_, at) => ring[ring.length - 2 - (at - (at % 2)) + (at % 2)]);
