import type { Watch } from "../../core/watch.ts";
import { triangulated } from "../../mesh/boolean/region/triangulated.ts";
import type { Ring } from "../../mesh/boolean/region/region.ts";
import { levelsBelow, placesOf } from "./levels.ts";
import { sidesOf } from "./sides.ts";
import type { Trimmed } from "./trim.ts";

export interface BaseShape {
  readonly heightMm: number;
  readonly extrudeMm: number;
  readonly isSmoothed: boolean;
}

/** A trimmed surface on a base: closed where it was closed above the cut. */
export interface Based {
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  /** From this facet on they are those of the bottom. */
  readonly bottomFrom: number;
  readonly bottomMm: number;
  /** The outlines of the base from the cut down to the bottom, each at a height of its own. */
  readonly outlines: readonly (readonly Ring[])[];
}

/** The surface with a base below its contours: sides down to the bottom, and the bottom. */
export async function based(
  { vertices, triangles }: Trimmed,
  contours: readonly (readonly number[])[],
  { heightMm, extrudeMm, isSmoothed }: BaseShape,
  watch: Watch,
): Promise<Based> {
  const rings = contours.map((loop) => Float64Array.from(loop.flatMap((v) => [vertices[3 * v], vertices[3 * v + 1]])));
  const levels = levelsBelow(rings, heightMm, extrudeMm, isSmoothed, watch);
  const places = levels.flatMap(({ zMm, rings: outlines }) => placesOf(outlines, zMm));
  let next = vertices.length / 3;
  const loops = [contours, ...levels.map(() => contours.map((loop) => loop.map(() => next++)))];
  const facets = sidesOf(loops);
  const outlines = [rings, ...levels.map((level) => level.rings)];
  const bottomFrom = (triangles.length + facets.length) / 3;
  const corners = loops.at(-1)!.flat();
  // Seen from below.
  for (const corner of (await triangulated(outlines.at(-1)!)).toReversed()) facets.push(corners[corner]);
  return {
    vertices: withMore(vertices, places),
    triangles: withMore(triangles, facets),
    bottomFrom,
    bottomMm: levels.at(-1)?.zMm ?? heightMm,
    outlines,
  };
}

function withMore<T extends Float64Array | Uint32Array>(values: T, more: readonly number[]): T {
  const all = new (values.constructor as new (length: number) => T)(values.length + more.length);
  all.set(values);
  all.set(more, values.length);
  return all;
}
