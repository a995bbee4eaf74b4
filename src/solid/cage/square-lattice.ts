import type { Progress } from "../../core/progress.ts";
import { type Vec3, withCoordinate } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { AxisPlan, CageShape } from "./cage-plan.ts";
import { type FacetList, QUARTER_SEGMENTS, addBallOctant, newFacetList, quarterSine } from "./facet-list.ts";
import type { LabelPlate } from "./label-plate.ts";

/** The cells of a grid along an axis: cell i is between entries i and i + 1 of `bounds`. The first and last are the walls. */
interface Cells {
  readonly bounds: readonly number[];
  readonly isBar: readonly boolean[];
}

/**
 * The surface of a lattice of square bars, centred on the origin: the faces between solid and empty cells of a grid. It is a closed
 * manifold, because openings are separated by bars, which are cells. With rounded edges, a quarter of a cylinder replaces the outer
 * faces of each edge, and an eighth of a ball those of each corner.
 */
export function squareLattice(
  plan: readonly AxisPlan[],
  { barThicknessMm, roundsEdges }: Pick<CageShape, "barThicknessMm" | "roundsEdges">,
  plate: LabelPlate | undefined,
  progress: Progress,
): Surface {
  const cells = plan.map((axis) => cellsOf(axis, barThicknessMm));
  const counts = cells.map(({ isBar }) => isBar.length);
  const isWall = (axis: number, i: number): boolean => i === 0 || i === counts[axis] - 1;
  const middle = (axis: number, i: number): number => (cells[axis].bounds[i] + cells[axis].bounds[i + 1]) / 2;
  const isSolid = (index: Vec3): boolean => {
    if (index.some((i, axis) => i < 0 || i >= counts[axis])) return false;
    return index.some((i, axis) => {
      if (!isWall(axis, i)) return false;
      const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
      return (
        cells[a].isBar[index[a]] ||
        cells[b].isBar[index[b]] ||
        (plate !== undefined && plate.axis === axis && plate.covers([0, 1, 2].map((one) => middle(one, index[one]))))
      );
    });
  };
  const facets = newFacetList();
  for (const index of wallCells(counts, progress)) {
    if (isSolid(index)) addCell(facets, index, cells, isSolid, roundsEdges);
  }
  return facets.toSurface();
}

function cellsOf({ lengthMm, bars }: AxisPlan, thicknessMm: number): Cells {
  const half = lengthMm / 2;
  const inner = [-half + thicknessMm, half - thicknessMm];
  const bounds = [...new Set([...bars.flat(), ...inner])].sort((a, b) => a - b);
  const isBar = bounds.slice(1).map((to, i) => bars.some(([from, end]) => from <= bounds[i] && to <= end));
  return { bounds, isBar };
}

/** The cells of the six walls, each once. */
function* wallCells([columns, rows, layers]: readonly number[], progress: Progress): Generator<Vec3> {
  for (let x = 0; x < columns; x++) {
    progress.report(x / columns);
    for (let y = 0; y < rows; y++) {
      const isInner = x > 0 && x < columns - 1 && y > 0 && y < rows - 1;
      for (let z = 0; z < layers; z += isInner ? layers - 1 : 1) yield [x, y, z];
    }
  }
}

/** Adds the faces of a solid cell that are adjacent to empty ones. */
function addCell(
  facets: FacetList,
  index: Vec3,
  cells: readonly Cells[],
  isSolid: (index: Vec3) => boolean,
  roundsEdges: boolean,
): void {
  const outer = [0, 1, 2].flatMap((axis) => {
    const last = cells[axis].isBar.length - 1;
    return index[axis] === 0 ? [{ axis, side: -1 }] : index[axis] === last ? [{ axis, side: 1 }] : [];
  });
  const rounded = roundsEdges && outer.length > 1 ? outer : [];
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const neighbour = withCoordinate(index, axis, index[axis] + side);
      const isRounded = rounded.some((face) => face.axis === axis && face.side === side);
      if (!isRounded && !isSolid(neighbour)) addFace(facets, index, cells, axis, side);
    }
  }
  if (rounded.length === 0) return;
  const sideOf = (axis: number): number => rounded.find((face) => face.axis === axis)?.side ?? 0;
  const outward: Vec3 = [sideOf(0), sideOf(1), sideOf(2)];
  const bound = (axis: number, end: 0 | 1): number => cells[axis].bounds[index[axis] + end];
  /** Coordinate at a share of the way from the inner face of a wall to its outer face, where it is exact. */
  const place = (axis: number, share: number): number => {
    const isLow = outward[axis] < 0;
    const [inner, face] = [bound(axis, isLow ? 1 : 0), bound(axis, isLow ? 0 : 1)];
    return share === 1 ? face : inner + (face - inner) * share;
  };
  if (rounded.length === 3) {
    addBallOctant(facets, place, outward);
    return;
  }
  const [{ axis: a }, { axis: b }] = rounded;
  const point = (i: number, end: 0 | 1): Vec3 => {
    const at: [number, number, number] = [0, 0, 0];
    at[a] = place(a, quarterSine(i));
    at[b] = place(b, quarterSine(QUARTER_SEGMENTS - i));
    at[3 - a - b] = bound(3 - a - b, end);
    return at;
  };
  for (let i = 0; i < QUARTER_SEGMENTS; i++) {
    facets.quad(point(i, 0), point(i + 1, 0), point(i + 1, 1), point(i, 1), outward);
  }
}

/** Adds one face of a cell. */
function addFace(facets: FacetList, index: Vec3, cells: readonly Cells[], axis: number, side: number): void {
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  const corner = (endA: 0 | 1, endB: 0 | 1): Vec3 => {
    const at: [number, number, number] = [0, 0, 0];
    at[axis] = cells[axis].bounds[index[axis] + (side > 0 ? 1 : 0)];
    at[a] = cells[a].bounds[index[a] + endA];
    at[b] = cells[b].bounds[index[b] + endB];
    return at;
  };
  const outward: [number, number, number] = [0, 0, 0];
  outward[axis] = side;
  facets.quad(corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), outward);
}
