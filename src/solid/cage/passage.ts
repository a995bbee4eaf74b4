import type { Progress } from "../../core/progress.ts";
import { convexHull } from "../../geometry/convex-hull.ts";
import { loadManifold } from "../../geometry/manifold.ts";
import { type Vec3, add, cosSin, cross, dot, exactLength, subtract, times, unit } from "../../geometry/vector.ts";
import {
  type Mesh,
  type Surface,
  cornersOf,
  facetNormal,
  triangleCount,
  vertexAt,
  vertexCount,
} from "../../mesh/mesh.ts";

/**
 * The side, mm, of a square opening in a thin wall through which the convex hull of a mesh cannot pass by any rigid motion. The mesh is
 * not scaled. Smaller openings stop it too; for a rectangular opening the longer side counts.
 *
 * The result is the larger of two bounds. Both are proven, also for motions with rotations, for every convex part K of the hull:
 *
 * 1. A slot of width a stops K if the minimum width of K is greater than a. Seen along the slot, K is a convex shape S that moves
 *    through a gap of a. Through each end of the gap there is a line that does not cross S. While S passes, these lines turn by 180°,
 *    in opposite senses. So at some moment they are parallel, with S between them, and the width of S is at most a. A rectangle is
 *    part of a slot as wide as its shorter side. The bound is exact for slots and for balls, else conservative.
 * 2. A hole of diameter D stops K if a plane section P of K has a minimum width, in its plane, greater than D. The plane of P meets
 *    the wall in a line, which has a gap of at most D: the argument of 1 applies in this plane. A square has the diameter s·√2. The
 *    bound is exact for thin plates across the diagonal, for which bound 1 is only their thickness. It is not the least diameter of
 *    the shadows: a regular tetrahedron passes through a round hole 5 % smaller than that, by turning (J. Itoh, Y. Tanoue,
 *    T. Zamfirescu, "Tetrahedra passing through a circular or square hole", 2006).
 *
 * The hull is approximated from inside, by its outermost points in {@link DIRECTIONS} directions, and only sections across its thinnest
 * direction are tried: both only lower the bounds. A part that is not convex may pass where its hull cannot, such as a bent rod that is
 * turned out bow first: this is not excluded.
 */
export async function stoppedOpeningMm(mesh: Mesh, progress: Progress): Promise<number> {
  const hull = await innerHull(mesh, progress);
  if (triangleCount(hull) === 0) return 0;
  const { widthMm, direction } = minimumWidth(hull, progress.silent());
  return Math.max(widthMm, widestSectionMm(hull, direction) * Math.SQRT1_2);
}

/** Neighbours are 13° apart: the bounds of a ball are 2 % low. */
const DIRECTIONS = 256;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The hull of the outermost vertices in directions of a spiral on the sphere; without facets for a flat mesh. */
async function innerHull({ vertices }: Mesh, progress: Progress): Promise<Surface> {
  const outermost = new Set<number>();
  for (let i = 0; i < DIRECTIONS; i++) {
    progress.report(i / DIRECTIONS);
    const z = 1 - (2 * i + 1) / DIRECTIONS;
    const radius = Math.sqrt(1 - z * z);
    const [cos, sin] = cosSin(GOLDEN_ANGLE * i);
    const [x, y] = [radius * cos, radius * sin];
    let best = 0;
    let most = -Infinity;
    for (let at = 0; at < vertices.length; at += 3) {
      const height = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
      if (height > most) [most, best] = [height, at];
    }
    outermost.add(best);
  }
  const { Manifold } = await loadManifold();
  const points = Array.from(outermost, (at): Vec3 => [vertices[at], vertices[at + 1], vertices[at + 2]]);
  const solid = Manifold.hull(points as [number, number, number][]);
  try {
    const { vertProperties, triVerts } = solid.getMesh();
    return { vertices: vertProperties.slice(), triangles: triVerts.slice() };
  } finally {
    solid.delete();
  }
}

interface Width {
  readonly widthMm: number;
  /** A unit vector. */
  readonly direction: Vec3;
}

/**
 * The minimum width of a convex polytope: between a facet and a vertex, or between two edges. Two edges count if parallel planes
 * through them touch the polytope from opposite sides: their arcs on the Gauss sphere, one of them mirrored, cross.
 */
function minimumWidth(hull: Surface, progress: Progress): Width {
  const count = vertexCount(hull);
  const points = Array.from({ length: count }, (_, i) => vertexAt(hull, i));
  const widthAlong = (direction: Vec3): number => {
    let [least, most] = [Infinity, -Infinity];
    for (const point of points) {
      const height = dot(point, direction);
      if (height < least) least = height;
      if (height > most) most = height;
    }
    return most - least;
  };
  const normals = Array.from({ length: triangleCount(hull) }, (_, facet) => facetNormal(hull, facet));
  let best: Width = { widthMm: Infinity, direction: [0, 0, 1] };
  const consider = (normal: Vec3): void => {
    const direction = unit(normal);
    const widthMm = widthAlong(direction);
    if (widthMm < best.widthMm) best = { widthMm, direction };
  };
  for (const normal of normals) if (exactLength(normal) > 0) consider(normal);
  const edges = ridges(hull, normals);
  for (const [i, one] of edges.entries()) {
    progress.report(0);
    for (let j = 0; j < i; j++) {
      const other = edges[j];
      // The arc of `one` is in the plane perpendicular to it: most other arcs are on one side of that plane.
      if (dot(one.along, other.left) > 0 === dot(one.along, other.right) > 0 || !areAntipodal(one, other)) continue;
      const normal = cross(one.along, other.along);
      // Nearly parallel edges belong to a width between facets.
      if (exactLength(normal) > PARALLEL * exactLength(one.along) * exactLength(other.along)) consider(normal);
    }
  }
  return best;
}

/** Sine of the angle between edges below which their common normal is not certain. */
const PARALLEL = 1e-9;

/** An edge of a convex polytope, and the normals of the adjacent facets. */
interface Ridge {
  readonly along: Vec3;
  readonly left: Vec3;
  readonly right: Vec3;
}

function ridges({ triangles, vertices }: Surface, normals: readonly Vec3[]): Ridge[] {
  const count = vertices.length / 3;
  const leftOf = new Map<number, number>();
  const found: Ridge[] = [];
  for (let at = 0; at < triangles.length; at++) {
    const [from, to] = [triangles[at], triangles[at % 3 === 2 ? at - 2 : at + 1]];
    const facet = Math.floor(at / 3);
    const left = leftOf.get(to * count + from);
    leftOf.set(from * count + to, facet);
    if (left === undefined) continue;
    const along = subtract(vertexAt({ vertices, triangles }, to), vertexAt({ vertices, triangles }, from));
    found.push({ along, left: normals[left], right: normals[facet] });
  }
  return found;
}

/** Whether the arc between the normals of one edge crosses the mirrored arc of the other on the Gauss sphere. */
function areAntipodal({ along, left, right }: Ridge, other: Ridge): boolean {
  const [overC, overD] = [-dot(along, other.left), -dot(along, other.right)];
  if (!(overC * overD < 0)) return false;
  const [overA, overB] = [dot(other.along, left), dot(other.along, right)];
  if (!(overA * overB < 0)) return false;
  // Both must be on one hemisphere: otherwise the arcs cross on opposite sides of the sphere.
  const meeting = add(times(left, Math.abs(overB)), times(right, Math.abs(overA)));
  const mirrored = add(times(other.left, -Math.abs(overD)), times(other.right, -Math.abs(overC)));
  return dot(meeting, mirrored) > 0;
}

/** Sections across the thinnest direction that are tried, evenly spaced. */
const SECTIONS = 9;

/** The greatest minimum width of sections across a direction. */
function widestSectionMm(hull: Surface, direction: Vec3): number {
  const [least, most] = directionRange(hull, direction);
  const heights = Array.from({ length: SECTIONS }, (_, i) => least + ((most - least) * (i + 0.5)) / SECTIONS);
  return Math.max(...heights.map((height) => planarWidthMm(sectionOf(hull, direction, height))));
}

function directionRange(hull: Surface, direction: Vec3): readonly [number, number] {
  const heights = Array.from({ length: vertexCount(hull) }, (_, i) => dot(vertexAt(hull, i), direction));
  return [Math.min(...heights), Math.max(...heights)];
}

/** x, y of the corners of a section. */
function sectionOf(hull: Surface, direction: Vec3, height: number): Float64Array {
  const least = direction.map(Math.abs).indexOf(Math.min(...direction.map(Math.abs)));
  const right = unit(cross([least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0], direction));
  const up = cross(direction, right);
  const points: Vec3[] = [];
  for (let facet = 0; facet < triangleCount(hull); facet++) {
    const corners = cornersOf(hull, facet);
    for (const [i, a] of corners.entries()) {
      const b = corners[(i + 1) % 3];
      const [overA, overB] = [dot(a, direction) - height, dot(b, direction) - height];
      if (overA < 0 !== overB < 0) points.push(add(a, times(subtract(b, a), overA / (overA - overB))));
    }
  }
  return convexHull(
    Float64Array.from(points, (point) => dot(point, right)),
    Float64Array.from(points, (point) => dot(point, up)),
  );
}

/** The minimum width of a convex polygon: between a side and a corner. */
function planarWidthMm(polygon: Float64Array): number {
  let width = Infinity;
  for (let i = 0; i < polygon.length; i += 2) {
    const j = (i + 2) % polygon.length;
    const [alongX, alongY] = [polygon[j] - polygon[i], polygon[j + 1] - polygon[i + 1]];
    const size = Math.sqrt(alongX * alongX + alongY * alongY);
    let farthest = 0;
    for (let k = 0; k < polygon.length; k += 2) {
      const area = alongX * (polygon[k + 1] - polygon[i + 1]) - alongY * (polygon[k] - polygon[i]);
      if (area > farthest) farthest = area;
    }
    if (size > 0) width = Math.min(width, farthest / size);
  }
  return Number.isFinite(width) ? width : 0;
}
