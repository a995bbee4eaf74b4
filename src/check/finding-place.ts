import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { type Vec3, distance, vec3Of } from "../geometry/vector.ts";

/** Kinds of defects of a mesh: at edges, at self-intersections, of facets, or of bodies. */
export type DefectKind = "EDGES" | "CROSSING" | "TURNED" | "DUPLICATE" | "INVERTED";

/** The side of the build volume that a part reaches beyond, or only one of the rounded edges between its sides. */
export type VolumeSide = "LEFT" | "RIGHT" | "FRONT" | "BACK" | "PLATFORM" | "TOP" | "CORNER";

/** The place of a finding, mm. */
export interface FindingPlace {
  /** The kind of the finding, for checks that find several kinds. */
  readonly kind?: DefectKind | VolumeSide;
  /** The point of the finding nearest to its middle. */
  readonly point: Vec3;
  /** Radius of a ball around `point` that contains the whole finding. */
  readonly radiusMm: number;
  /** Some points of the finding, evenly spread: x, y, z of each. */
  readonly dots: Float32Array<ArrayBuffer>;
  /** Spacing of the dots. Squares of this width cover the finding. */
  readonly dotMm: number;
  /** Amount of the finding, in the measure of the check. */
  readonly size: number;
}

/** Gathers the points that a check finds. */
export interface PlaceFinder {
  /** `size`: the amount that the point represents. */
  add(x: number, y: number, z: number, size?: number): void;
  /** One place for all points; undefined where there is no point. */
  whole(): FindingPlace | undefined;
  /** Clusters of points at most two cells apart, largest first. */
  parts(): FindingPlace[];
}

/** Maximum number of distinct cells: 90 × 90 on a square surface. */
const MAX_CELLS = 8192;
/** Maximum number of dots of a place, or of all parts together. */
const MAX_DOTS = 512;
/** Maximum number of places: users do not read more, and each needs memory for about eight large cells around the origin. */
export const MAX_PARTS = 30;
/** Cells are counted from a point far outside of every machine: three coordinates of 17 bits make one exact number. */
const CELL_ORIGIN = 2 ** 16;
const CELL_RANGE = 2 ** 17;

interface Cell {
  readonly at: Vec3;
  /** The point in the cell that is nearest to the middle of the cell. */
  point: Vec3;
  squaredFromMiddle: number;
  size: number;
}

type Cells = ReadonlyMap<number, Cell>;

/** Groups points by cells of this width, which is doubled while there are too many. */
export function newPlaceFinder(leastCellMm: number): PlaceFinder {
  let cellMm = leastCellMm;
  let cells = new Map<number, Cell>();
  let last: Cell | undefined;
  return {
    add(x, y, z, size = 1) {
      last = addPoint(cells, last, [x, y, z], size, cellMm);
      if (cells.size <= MAX_CELLS) return;
      cellMm *= 2;
      cells = coarser(cells.values(), cellMm);
      last = undefined;
    },
    whole: () => (cells.size === 0 ? undefined : placesOf([[...cells.values()]], cellMm)[0]),
    parts: () => placesOf(connectedCells(cells), cellMm),
  };
}

/** Returns the cell of the point, which may be `last`. Unrolled: it runs for every pixel of an overhang. */
function addPoint(
  cells: Map<number, Cell>,
  last: Cell | undefined,
  [x, y, z]: Vec3,
  size: number,
  cellMm: number,
): Cell {
  const i = Math.floor(x / cellMm);
  const j = Math.floor(y / cellMm);
  const k = Math.floor(z / cellMm);
  const [u, v, w] = [x - (i + 0.5) * cellMm, y - (j + 0.5) * cellMm, z - (k + 0.5) * cellMm];
  const squaredFromMiddle = u * u + v * v + w * w;
  // Successive points are mostly in the same cell.
  const isLast = last !== undefined && last.at[0] === i && last.at[1] === j && last.at[2] === k;
  const known = isLast ? last : cells.get(keyOf(i, j, k));
  if (!known) {
    const cell = { at: [i, j, k], point: [x, y, z], squaredFromMiddle, size } as const;
    cells.set(keyOf(i, j, k), cell);
    return cell;
  }
  known.size += size;
  if (squaredFromMiddle < known.squaredFromMiddle) {
    known.point = [x, y, z];
    known.squaredFromMiddle = squaredFromMiddle;
  }
  return known;
}

const keyOf = (i: number, j: number, k: number): number =>
  ((i + CELL_ORIGIN) * CELL_RANGE + (j + CELL_ORIGIN)) * CELL_RANGE + (k + CELL_ORIGIN);

function coarser(cells: Iterable<Cell>, cellMm: number): Map<number, Cell> {
  const joined = new Map<number, Cell>();
  for (const { point, size } of cells) addPoint(joined, undefined, point, size, cellMm);
  return joined;
}

/** Half of the 26 neighbours of a cell: the other half find this cell among their neighbours. */
const NEIGHBOURS = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Vec3 => [x, y, z])))
  .slice(0, 13);

function connectedCells(cells: Cells): Cell[][] {
  const indices = new Map([...cells.keys()].map((key, i) => [key, i]));
  const all = [...cells.values()];
  const sets = newDisjointSets(all.length);
  for (const [i, { at }] of all.entries()) {
    for (const [x, y, z] of NEIGHBOURS) {
      const other = indices.get(keyOf(at[0] + x, at[1] + y, at[2] + z));
      if (other !== undefined) sets.join(i, other);
    }
  }
  return [...Map.groupBy(all.keys(), (i) => sets.find(i)).values()].map((part) => part.map((i) => all[i]));
}

/** The largest parts. The number of dots of all parts together is limited, so that they are quickly sent and drawn. */
function placesOf(parts: readonly (readonly Cell[])[], cellMm: number): FindingPlace[] {
  const sized = parts.map((cells) => ({ cells, size: cells.reduce((sum, { size }) => sum + size, 0) }));
  const largest = sized.toSorted((a, b) => b.size - a.size).slice(0, MAX_PARTS);
  let dotMm = cellMm;
  let dotted: readonly (readonly Cell[])[] = largest.map(({ cells }) => cells);
  while (dotted.reduce((count, { length }) => count + length, 0) > MAX_DOTS) {
    dotMm *= 2;
    dotted = dotted.map((cells) => [...coarser(cells, dotMm).values()]);
  }
  return largest.map(({ cells, size }, i) => {
    const point = middleOf(cells);
    return {
      point,
      radiusMm: cells.reduce((most, cell) => Math.max(most, distance(cell.point, point)), 0) + cellMm / 2,
      dots: Float32Array.from(dotted[i].flatMap((cell) => cell.point)),
      dotMm,
      size,
    };
  });
}

/** The point nearest to the centroid of all points. */
function middleOf(cells: readonly Cell[]): Vec3 {
  const centroid = vec3Of((axis) => cells.reduce((sum, { point }) => sum + point[axis], 0) / cells.length);
  const distances = cells.map(({ point }) => distance(point, centroid));
  return cells[distances.indexOf(Math.min(...distances))].point;
}
