import type { Progress } from "../../core/progress.ts";
import { type Vec3, withCoordinate } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type AxisPlan, type CageShape, edgeBarMm } from "./cage-plan.ts";
import { type FacetList, QUARTER_SEGMENTS, addBallOctant, newFacetList, quarterSine } from "./facet-list.ts";

/** A direction along an axis. */
interface Way {
  readonly axis: number;
  readonly sign: 1 | -1;
}

const WAYS: readonly Way[] = [0, 1, 2].flatMap((axis): Way[] => [
  { axis, sign: 1 },
  { axis, sign: -1 },
]);

/** A point at which bars cross. */
interface Node {
  readonly at: Vec3;
  /** Half the extent of the bars along each axis, in mm. */
  readonly half: Vec3;
  /** The bars that leave it. */
  readonly ways: readonly Way[];
}

/**
 * The surface of a lattice of round bars, centred on the origin. Bars are prisms of 16 sides. At a node, each line of a bar begins
 * where it leaves the other bars: cylinders of one radius whose axes meet intersect each other in planes between the axes, so a point
 * c of the section begins at a distance along the bar that is the largest of c · w over the directions w of the other bars. Equal
 * points of bars are equal to the last bit, so the lines join to a closed manifold without a boolean. Bars along the edges are as wide
 * as the larger of width and thickness; those inside a wall have an elliptic section, which keeps planes planar.
 */
export function roundLattice(plan: readonly AxisPlan[], shape: CageShape, progress: Progress): Surface {
  const places = plan.map(({ bars }) => bars.map(([from, to]) => (from + to) / 2));
  const counts = places.map(({ length }) => length);
  const isEdge = (axis: number, i: number): boolean => i === 0 || i === counts[axis] - 1;
  const nodeAt = (index: Vec3): Node => {
    const walls = [0, 1, 2].filter((axis) => isEdge(axis, index[axis]));
    const halfMm = (axis: number): number => {
      if (walls.length > 1) return edgeBarMm(shape) / 2;
      return (walls[0] === axis ? shape.barThicknessMm : shape.barWidthMm) / 2;
    };
    return {
      at: [places[0][index[0]], places[1][index[1]], places[2][index[2]]],
      half: [halfMm(0), halfMm(1), halfMm(2)],
      ways: WAYS.filter(({ axis, sign }) => {
        const next = index[axis] + sign;
        return next >= 0 && next < counts[axis] && walls.some((wall) => wall !== axis);
      }),
    };
  };
  const facets = newFacetList();
  for (let x = 0; x < counts[0]; x++) {
    progress.report(x / counts[0]);
    for (let y = 0; y < counts[1]; y++) {
      const isInner = !isEdge(0, x) && !isEdge(1, y);
      for (let z = 0; z < counts[2]; z += isInner ? counts[2] - 1 : 1) {
        const index: Vec3 = [x, y, z];
        const node = nodeAt(index);
        for (const way of node.ways) {
          if (way.sign < 0) continue;
          const next = nodeAt(withCoordinate(index, way.axis, index[way.axis] + 1));
          addBar(facets, ringOf(node, way), ringOf(next, { axis: way.axis, sign: -1 }), way.axis);
        }
        if (node.ways.length === 3) addCorner(facets, node);
      }
    }
  }
  return facets.toSurface();
}

/** Sides of a bar. */
const SIDES = 4 * QUARTER_SEGMENTS;

/** Cosine and sine of side `i`, exact at right angles and symmetric. */
function circlePoint(i: number): readonly [cos: number, sin: number] {
  const step = i % QUARTER_SEGMENTS;
  const [sin, cos] = [quarterSine(step), quarterSine(QUARTER_SEGMENTS - step)];
  const quarters = [
    [cos, sin],
    [-sin, cos],
    [-cos, -sin],
    [sin, -cos],
  ] as const;
  return quarters[Math.floor(i / QUARTER_SEGMENTS) % 4];
}

/** The points at which the lines of a bar begin at a node, around the bar. */
function ringOf({ at, half, ways }: Node, { axis, sign }: Way): Vec3[] {
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  return Array.from({ length: SIDES }, (_, i): Vec3 => {
    const [cos, sin] = circlePoint(i);
    const across = (other: Way): number => (other.axis === axis ? 0 : other.sign * (other.axis === a ? cos : sin));
    const along = Math.max(0, ...ways.map(across));
    const point: [number, number, number] = [0, 0, 0];
    point[axis] = at[axis] + sign * (half[axis] * along);
    point[a] = at[a] + half[a] * cos;
    point[b] = at[b] + half[b] * sin;
    return point;
  });
}

function addBar(facets: FacetList, from: readonly Vec3[], to: readonly Vec3[], axis: number): void {
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  for (let i = 0; i < SIDES; i++) {
    const next = (i + 1) % SIDES;
    const [cos, sin] = circlePoint(i).map((value, part) => value + circlePoint(next)[part]);
    const outward: [number, number, number] = [0, 0, 0];
    outward[a] = cos;
    outward[b] = sin;
    facets.quad(from[i], from[next], to[next], to[i], outward);
  }
}

/** Closes a corner of the cage, at which three bars end. */
function addCorner(facets: FacetList, { at, half, ways }: Node): void {
  const outward = (axis: number): number => -(ways.find((way) => way.axis === axis)?.sign ?? 0);
  addBallOctant(facets, (axis, share) => at[axis] + outward(axis) * (half[axis] * share), [
    outward(0),
    outward(1),
    outward(2),
  ]);
}
