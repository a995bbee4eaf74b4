import type { Progress } from "../core/progress.ts";
import { EMPTY_RECTANGLE, type Rectangle, unionRectangles } from "../geometry/box.ts";
import { type ColumnCrossings, cutColumns } from "./column-crossings.ts";
import { type ColumnGrid, cellMm2Of, cellOf } from "./column-grid.ts";
import type { Surface } from "./mesh.ts";

/** What closed surfaces enclose more than once. */
export interface OverlapVolume {
  /** What a surface encloses several times itself: the sum of its winding numbers less what it encloses, mm³. */
  readonly withinMm3: number;
  /** What several surfaces enclose: the sum of their volumes less that of their union, mm³. */
  readonly betweenMm3: number;
  /** `betweenMm3` by height: of slabs of equal height from `bottomMm` to `topMm`. */
  readonly slabsMm3: Float32Array;
  /** The lowest and the highest place where a column crosses a surface, mm; both 0 where none does. */
  readonly bottomMm: number;
  readonly topMm: number;
  /** The cells of the grid with anything of either; empty where there is nothing. */
  readonly region: Rectangle;
}

/** Shorter lengths in a column are rounding where bodies touch. */
const MIN_LENGTH_MM = 1e-5;
/** Enough to tell the layers in which bodies overlap from others. */
const SLABS = 64;
/** Share of the progress after which the crossings are known. */
const CUT_SHARE = 0.9;
const REPORT_EVERY = 65_536;

/**
 * The volumes that outward closed surfaces have in common above and below the region of a grid. Lines through its cells are cut by all facets;
 * a point is in a surface where its winding number is above 0, as in slices. Each line stands for the area of its cell: exact for upright
 * boxes that end at the region's border. Lines stand at other places in each row of cells, so that parts in rows are not met by all of them
 * or by none. Surfaces are made when they are looked at, so that only one is in memory at a time.
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

/** {@link overlapVolume} of surfaces whose crossings are known. */
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
    // A surface with gaps is entered and not left again.
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

/** A sum of lengths by slab. What a length adds at a height and to all slabs above is taken off again where it ends. */
interface Profile {
  /** In the slab of that height. */
  readonly within: Float64Array;
  /** In each slab from here on. */
  readonly from: Float64Array;
}

const newProfile = (): Profile => ({ within: new Float64Array(SLABS + 1), from: new Float64Array(SLABS + 2) });

/** Adds `count` lengths that begin at a height, in slabs, and have no end. */
function addFrom({ within, from }: Profile, height: number, count: number): void {
  const slab = Math.min(SLABS, Math.floor(height));
  within[slab] += count * (slab + 1 - height);
  from[slab + 1] += count;
}

/** The length in each slab, in heights of a slab. */
function amountsOf({ within, from }: Profile): Float32Array {
  let lengths = 0;
  return Float32Array.from({ length: SLABS }, (_, slab) => {
    lengths += from[slab];
    return within[slab] + lengths;
  });
}
