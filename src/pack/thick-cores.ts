import type { Progress } from "../core/progress.ts";
import { squaredDistances } from "../geometry/distance-transform.ts";
import { type Vec3, distance } from "../geometry/vector.ts";
import type { PartField } from "./part-shape.ts";
import type { AxisTurn } from "./turns.ts";

/** A largest ball inside a thick part. Thick bodies keep their heat, and others near them deform and discolour. */
export interface Core {
  readonly centre: Vec3;
  readonly radiusMm: number;
}

/**
 * Least thickness of a thick body: Materialise hollows such walls out, since they deform and discolour in sintering ("PA 12 (SLS), design
 * guidelines": more than 9 mm).
 */
const THICK_MM = 9;

/** The core of a part before its rotation, from the centre of its box; undefined for thin parts. */
export function coreOf(field: PartField, cellMm: number, progress: Progress): Core | undefined {
  const size = { columns: field.columns / 2, rows: field.rows / 2, layers: field.layers / 2 };
  const isOutside = field.covered.map((covered) => 1 - covered);
  const longest = Math.max(size.columns, size.rows, size.layers);
  const squares = squaredDistances(isOutside, size, longest, progress);
  let deepest = 0;
  for (let cell = 0; cell < squares.length; cell++) if (squares[cell] > squares[deepest]) deepest = cell;
  // Distances are those from the centres of the cells outside, half a cell beyond the surface.
  const radiusMm = (Math.sqrt(squares[deepest]) - 0.5) * cellMm;
  if (2 * radiusMm <= THICK_MM) return undefined;
  const x = deepest % size.columns;
  const y = Math.floor(deepest / size.columns) % size.rows;
  const z = Math.floor(deepest / (size.columns * size.rows));
  const fromMiddle = (cell: number, count: number): number => (cell + 0.5 - count / 2) * cellMm;
  const centre: Vec3 = [fromMiddle(x, size.columns), fromMiddle(y, size.rows), fromMiddle(z, size.layers)];
  return { centre, radiusMm };
}

/** A core after its part is rotated and the centre of its box is at `at`. */
export function placedCore({ centre, radiusMm }: Core, { axes, signs }: AxisTurn, at: Vec3): Core {
  const along = (i: 0 | 1 | 2): number => at[i] + signs[i] * centre[axes[i]];
  return { centre: [along(0), along(1), along(2)], radiusMm };
}

/** Height that equals two cores which touch, mm. Measured: twice as much costs a point of density. */
const APART_WEIGHT_MM = 1;

/**
 * Share of the heat of other cores that a core would get, in millimetres of height. Cores at least as far apart as they are thick do not
 * count.
 */
export function nearnessPenalty(others: readonly Core[], core: Core): number {
  let nearness = 0;
  for (const other of others) {
    const thickMm = core.radiusMm + other.radiusMm;
    nearness += Math.max(0, 2 - distance(core.centre, other.centre) / thickMm);
  }
  return APART_WEIGHT_MM * nearness;
}
