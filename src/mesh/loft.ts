import { toPointLists, triangulatePolygons } from "../geometry/polygon-operations.ts";
import { type Polygon, type Polygons, cornerCount } from "../geometry/polygon.ts";
import type { Surface } from "./mesh.ts";

/** A cross-section of a loft and its height. */
export interface LoftLevel {
  readonly zMm: number;
  readonly region: Polygons;
}

/**
 * The closed body with given cross-sections at ascending heights. Each region is either the same object as the one below,
 * with a vertical wall between them, or contains the one below in its interior. Then the wall is a triangulation of the
 * area between the two boundaries, so the body has no self-intersections even where parts of the lower region merge.
 */
export async function loft(levels: readonly LoftLevel[]): Promise<Surface> {
  const vertices: number[] = [];
  const starts = levels.map(({ zMm, region }) => {
    const start = vertices.length / 3;
    for (const [x, y] of toPointLists(region).flat()) vertices.push(x, y, zMm);
    return start;
  });
  const last = levels.length - 1;
  const triangles: number[] = [];
  const add = (facets: Uint32Array, start: number): void => {
    for (const corner of facets) triangles.push(start + corner);
  };
  add((await triangulatePolygons(levels[0].region)).toReversed(), 0);
  for (let i = 0; i < last; i++) {
    const [lower, upper] = [levels[i].region, levels[i + 1].region];
    add(lower === upper ? straightWall(lower) : await wideningWall(lower, upper), starts[i]);
  }
  add(await triangulatePolygons(levels[last].region), starts[last]);
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

const cornerTotal = (region: Polygons): number => region.reduce((sum, ring) => sum + cornerCount(ring), 0);

/** A vertical wall from a region to a copy of it above; the indices of the upper corners follow those of the lower ones. */
function straightWall(region: Polygons): Uint32Array {
  const above = cornerTotal(region);
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

/** The underside between the boundaries of two regions; the indices of the upper corners follow those of the lower ones. */
async function wideningWall(lower: Polygons, upper: Polygons): Promise<Uint32Array> {
  const below = cornerTotal(lower);
  // Reversed, the boundary of the lower region is that of a hole in the upper one.
  const between = await triangulatePolygons([...lower.map(reversedPolygon), ...upper]);
  const corners: number[] = [];
  for (const ring of lower) {
    const [first, count] = [corners.length, cornerCount(ring)];
    for (let i = count - 1; i >= 0; i--) corners.push(first + i);
  }
  return between.map((corner) => (corner < below ? corners[corner] : corner)).toReversed();
}

const reversedPolygon = (ring: Polygon): Polygon =>
  ring.map((_, at) => ring[ring.length - 2 - (at - (at % 2)) + (at % 2)]);
