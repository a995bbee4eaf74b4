import type { Progress } from "../core/progress.ts";
import { EMPTY_RECTANGLE, type Rectangle, unionRectangles } from "../geometry/box.ts";
import { type ColumnCrossings, cutColumns } from "./column-crossings.ts";
import { type ColumnGrid, cellMm2Of, cellOf } from "./column-grid.ts";
import type { Surface } from "./mesh.ts";

/** The volume that closed surfaces enclose more than once. */
export interface OverlapVolume {
  /**
   * Volume that surfaces enclose repeatedly by themselves, mm³: the integral of each surface's winding number minus the volume that it
   * encloses.
   */
  readonly withinMm3: number;
  /** Volume that several surfaces enclose, mm³: the sum of their volumes minus the volume of their union. */
  readonly betweenMm3: number;
  /** `betweenMm3` in slabs of equal height from `bottomMm` to `topMm`. */
  readonly slabsMm3: Float32Array;
  /** The lowest and the highest crossing of a column with a surface, mm; both 0 if there is none. */
  readonly bottomMm: number;
  readonly topMm: number;
  /** The cells of the grid that have any of both volumes; empty if there are none. */
  readonly region: Rectangle;
}

/** Shorter lengths in a column are rounding errors of bodies that touch. */
const MIN_LENGTH_MM = 1e-5;
/** Enough to distinguish layers in which bodies overlap from others. */
const SLABS = 64;
/** Share of the progress for finding the crossings. */
const CUT_SHARE = 0.9;
const REPORT_EVERY = 65_536;

/**
 * The volumes that outward closed surfaces have in common above and below the region of a grid. All facets cut the vertical lines
 * through the cells of the grid; a point is in a surface if its winding number is above 0, as in slices. Each line represents the area
 * of its cell: exact for upright boxes that end at the region's border. The lines of each row of cells have other positions in their
 * cells, so that parts in rows are not met by all lines or by none. Each surface is made when it is cut, so that only one is in memory
 * at a time.
 */
export function overlapVolume(
  surfaces: readonly (() => Surface)[],
  grid: ColumnGrid,
  progress: Progress,
): OverlapVolume {
  const indexed = surfaces.map((surfaceOf, index) => ({ index, surfaceOf }));
  const crossings = cutColumns(indexed, grid, progress.part(0, CUT_SHARE));
  return sweepColumns(crossings, grid, surfaces.length, progress.part(CUT_SHARE, 1));
}

/** {@link overlapVolume} from the crossings of the surfaces. */
export function sweepColumns(
  { starts, z, side }: ColumnCrossings,
  grid: ColumnGrid,
  surfaceCount: number,
  progress: Progress,
): OverlapVolume {
  const [bottomMm, topMm] = heightsOf({ starts, z });
  const perMm = SLABS / (topMm - bottomMm);
  const profile = newProfile();
  const windings = new Int32Array(surfaceCount);
  let [within, between] = [0, 0];
  let found = EMPTY_RECTANGLE;
  for (let column = 0; column + 1 < starts.length; column++) {
    if (column % REPORT_EVERY === 0) progress.report(column / starts.length);
    const [from, to] = [starts[column], starts[column + 1]];
    let [ownWithin, ownBetween, sum, inside, height] = [0, 0, 0, 0, 0];
    for (let i = from; i < to; i++) {
      const length = z[i] - height;
      ownWithin += (sum - inside) * length;
      if (inside > 1 && length > 0) {
        ownBetween += (inside - 1) * length;
        addFrom(profile, (height - bottomMm) * perMm, inside - 1);
        addFrom(profile, (z[i] - bottomMm) * perMm, 1 - inside);
      }
      const body = side[i] >>> 1;
      const before = windings[body];
      const after = before + ((side[i] & 1) === 1 ? -1 : 1);
      windings[body] = after;
      sum += after - before;
      inside += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
      height = z[i];
    }
    for (let i = from; i < to; i++) windings[side[i] >>> 1] = 0;
    // A line that enters a surface with gaps may not leave it.
    if (sum !== 0) ownWithin = 0;
    within += ownWithin;
    between += ownBetween;
    if (Math.abs(ownWithin) + ownBetween > MIN_LENGTH_MM) found = unionRectangles(found, cellOf(grid, column));
  }
  const areaMm2 = cellMm2Of(grid);
  const slabsMm3 = amountsOf(profile).map((slabs) => (slabs / perMm) * areaMm2);
  return { withinMm3: within * areaMm2, betweenMm3: between * areaMm2, slabsMm3, bottomMm, topMm, region: found };
}

/** The lowest and the highest crossing, mm. */
function heightsOf({ starts, z }: Pick<ColumnCrossings, "starts" | "z">): readonly [bottomMm: number, topMm: number] {
  let [bottom, top] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let column = 0; column + 1 < starts.length; column++) {
    if (starts[column] === starts[column + 1]) continue;
    bottom = Math.min(bottom, z[starts[column]]);
    top = Math.max(top, z[starts[column + 1] - 1]);
  }
  return bottom <= top ? [bottom, top] : [0, 0];
}

/** A sum of lengths by slab. A length adds to its first slab and to all slabs above; its end subtracts the same from there. */
interface Profile {
  /** Lengths within the slabs in which they begin or end. */
  readonly within: Float64Array;
  /** Number of lengths that fill this slab and all slabs above. */
  readonly from: Float64Array;
}

const newProfile = (): Profile => ({ within: new Float64Array(SLABS + 1), from: new Float64Array(SLABS + 2) });

/** Adds `count` lengths from a height upward without end. `height` is in slabs. */
function addFrom({ within, from }: Profile, height: number, count: number): void {
  const slab = Math.min(SLABS, Math.floor(height));
  within[slab] += count * (slab + 1 - height);
  from[slab + 1] += count;
}

/** The length in each slab, as a multiple of the slab's height. */
function amountsOf({ within, from }: Profile): Float32Array {
  let lengths = 0;
  return Float32Array.from({ length: SLABS }, (_, slab) => {
    lengths += from[slab];
    return within[slab] + lengths;
  });
}
