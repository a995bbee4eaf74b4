import { memoize } from "../core/memoize.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { type Mat3, type Vec3, cosSin, cross, dot, unit } from "../geometry/vector.ts";
import { type Mesh, facetNormal, triangleCount, vertexAt } from "../mesh/mesh.ts";

/** Rotations of a part that packing may use: any, about z and upside down, about z, none. */
export type AllowedTurns = "all" | "z-and-flip" | "z" | "none";

/** A rotation that permutes and reverses the axes: row i has `signs[i]` in column `axes[i]`. */
export interface AxisTurn {
  readonly axes: readonly [number, number, number];
  readonly signs: readonly [number, number, number];
}

/** Rotations of a part that packing tries: each axis turn after the rotation `base`. */
export interface TurnGroup {
  readonly base: Mat3;
  readonly turns: readonly AxisTurn[];
}

const EVEN_AXES = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
] as const;
const ODD_AXES = [
  [1, 0, 2],
  [0, 2, 1],
  [2, 1, 0],
] as const;
const SIGNS = [-1, 1] as const;

/** The 24 rotations of a cube. */
export const AXIS_TURNS: readonly AxisTurn[] = [
  ...EVEN_AXES.map((axes) => ({ axes, parity: 1 })),
  ...ODD_AXES.map((axes) => ({ axes, parity: -1 })),
].flatMap(({ axes, parity }) =>
  SIGNS.flatMap((x) => SIGNS.map((y): AxisTurn => ({ axes, signs: [x, y, (parity * x * y) as number] }))),
);

const keepsAxis = ({ axes }: AxisTurn): boolean => axes[2] === 2;
const staysUp = (turn: AxisTurn): boolean => keepsAxis(turn) && turn.signs[2] === 1;

export const FLAT_TURNS = AXIS_TURNS.filter(keepsAxis);
const QUARTER_TURNS = AXIS_TURNS.filter(staysUp);
export const NO_TURN: AxisTurn = { axes: [0, 1, 2], signs: [1, 1, 1] };

/** Number of rotations about z within a quarter turn. */
const STEPS_IN_QUARTER = 3;

/**
 * The rotations to try for a mesh that now has the rotation `present`. Parts that may rotate freely start from their smallest box, those
 * that rotate about z only from the smallest rectangle around them, seen from above.
 */
export function turnGroupsOf(mesh: Mesh, present: Mat3, allowed: AllowedTurns): TurnGroup[] {
  if (allowed === "none") return [{ base: present, turns: [NO_TURN] }];
  if (allowed === "all") return [{ base: smallestBox(mesh), turns: AXIS_TURNS }];
  const turns = allowed === "z" ? QUARTER_TURNS : FLAT_TURNS;
  const [across, along] = smallestRectangle(extremeVertices(mesh), rowOf(present, 0), rowOf(present, 1));
  return Array.from({ length: STEPS_IN_QUARTER }, (_, step) => {
    const [c, s] = cosSin((step * Math.PI) / 2 / STEPS_IN_QUARTER);
    return { base: matrixOf(combine(across, c, along, -s), combine(across, s, along, c), rowOf(present, 2)), turns };
  });
}

/** Guides to sintering advise to tilt large level faces by 10° to 20°. The smallest tilt takes the least height. */
const TILT_DEG = 10;

/**
 * The rotations of a group after a tilt about the longest side of its box, of `sizeMm`, that keep this side level: no face of the box is
 * level then.
 */
export function tiltedGroup({ base, turns }: TurnGroup, sizeMm: Vec3): TurnGroup {
  const longest = sizeMm.indexOf(Math.max(...sizeMm));
  const [c, s] = cosSin((TILT_DEG * Math.PI) / 180);
  const rows = [rowOf(base, 0), rowOf(base, 1), rowOf(base, 2)];
  const [a, b] = [(longest + 1) % 3, (longest + 2) % 3];
  [rows[a], rows[b]] = [combine(rows[a], c, rows[b], -s), combine(rows[a], s, rows[b], c)];
  return { base: matrixOf(rows[0], rows[1], rows[2]), turns: turns.filter(({ axes }) => axes[2] !== longest) };
}

/** The product of an axis turn and a matrix. */
export function applyTurn({ axes, signs }: AxisTurn, m: Mat3): Mat3 {
  const row = (i: 0 | 1 | 2): Vec3 => {
    const [x, y, z] = rowOf(m, axes[i]);
    return [signs[i] * x, signs[i] * y, signs[i] * z];
  };
  return matrixOf(row(0), row(1), row(2));
}

const rowOf = (m: Mat3, i: number): Vec3 => [m[3 * i], m[3 * i + 1], m[3 * i + 2]];
const matrixOf = (x: Vec3, y: Vec3, z: Vec3): Mat3 => [...x, ...y, ...z];
const combine = (a: Vec3, s: number, b: Vec3, t: number): Vec3 => [
  s * a[0] + t * b[0],
  s * a[1] + t * b[1],
  s * a[2] + t * b[2],
];

/** Number of directions over the half sphere for which the farthest vertex is taken: enough that no corner that matters is missed. */
const DIRECTIONS = 256;
/** Maximum number of vertices and facets that are read: of larger meshes only every nth. */
const MAX_SAMPLES = 20_000;

/** The vertices of a mesh that are farthest in some of many even directions (a Fibonacci spiral): nearly its convex hull. */
export function extremeVertices(mesh: Mesh): Vec3[] {
  const { vertices } = mesh;
  const stride = 3 * Math.ceil(vertices.length / 3 / MAX_SAMPLES);
  const found = new Set<number>();
  for (let k = 0; k < DIRECTIONS; k++) {
    const z = 1 - (k + 0.5) / DIRECTIONS;
    const [c, s] = cosSin(k * Math.PI * (3 - Math.sqrt(5)));
    const r = Math.sqrt(1 - z * z);
    const [dx, dy] = [r * c, r * s];
    let [low, high] = [0, 0];
    let [least, most] = [Infinity, -Infinity];
    for (let at = 0; at < vertices.length; at += stride) {
      const along = dx * vertices[at] + dy * vertices[at + 1] + z * vertices[at + 2];
      if (along < least) [least, low] = [along, at / 3];
      if (along > most) [most, high] = [along, at / 3];
    }
    found.add(low).add(high);
  }
  return [...found].sort((a, b) => a - b).map((vertex) => vertexAt(mesh, vertex));
}

/** Cosine of 5°, within which normals count as one direction. */
const SAME_DIRECTION = 0.996;
/** Directions of the largest faces that are tried as a side of the box. */
const MAX_FACES = 12;

/**
 * The rotation that aligns the smallest box around a mesh with the axes, among the boxes with a side along one of its largest faces or
 * its principal axes. The smallest of all boxes has a face or two edges of the hull on it (J. O'Rourke, 1985).
 */
const smallestBox = memoize((mesh: Mesh): Mat3 => {
  const extremes = extremeVertices(mesh);
  let best: { readonly size: number; readonly rotation: Mat3 } | undefined;
  for (const up of [[0, 0, 1] as const, [1, 0, 0] as const, [0, 1, 0] as const, ...faceDirections(mesh)]) {
    const [across, along] = smallestRectangle(extremes, ...sidesOf(up));
    const rotation = matrixOf(across, along, up);
    const [x, y, z] = [across, along, up].map((axis) => extentAlong(extremes, axis));
    // The first of nearly equal boxes: rounding must not decide.
    if (best && x * y * z >= best.size * (1 - 1e-6)) continue;
    best = { size: x * y * z, rotation };
  }
  // There is always the box along the axes.
  return best!.rotation;
});

/** Two unit vectors across a direction and each other. */
export function sidesOf(up: Vec3): [Vec3, Vec3] {
  const y = unit(cross(up, Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
  return [cross(y, up), y];
}

/** The length of points along a unit vector. */
export function extentAlong(points: readonly Vec3[], axis: Vec3): number {
  let [least, most] = [Infinity, -Infinity];
  for (const point of points) {
    const along = dot(point, axis);
    if (along < least) least = along;
    if (along > most) most = along;
  }
  return most - least;
}

/** The directions of the faces with the largest areas, opposite ones counted together. */
function faceDirections(mesh: Mesh): Vec3[] {
  const found: { readonly direction: Vec3; area: number }[] = [];
  for (let facet = 0; facet < triangleCount(mesh); facet += Math.ceil(triangleCount(mesh) / MAX_SAMPLES)) {
    const normal = facetNormal(mesh, facet);
    const size = Math.sqrt(dot(normal, normal));
    if (size === 0) continue;
    const known = found.find(({ direction }) => Math.abs(dot(direction, normal)) > SAME_DIRECTION * size);
    if (known) known.area += size;
    else if (found.length < DIRECTIONS) found.push({ direction: unit(normal), area: size });
  }
  return found
    .sort((a, b) => b.area - a.area)
    .slice(0, MAX_FACES)
    .map(({ direction }) => direction);
}

/**
 * The two perpendicular directions along which the smallest rectangle around the points is aligned, in the plane of two axes (Freeman,
 * Shapira, 1975).
 */
function smallestRectangle(points: readonly Vec3[], across: Vec3, along: Vec3): [Vec3, Vec3] {
  const hull = convexHull(
    Float64Array.from(points, (point) => dot(point, across)),
    Float64Array.from(points, (point) => dot(point, along)),
  );
  let best: [Vec3, Vec3] = [across, along];
  let least = extentAlong(points, across) * extentAlong(points, along) * (1 - 1e-6);
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    const [u, v] = [hull[j] - hull[i], hull[j + 1] - hull[i + 1]];
    const size = Math.sqrt(u * u + v * v);
    if (size === 0) continue;
    const [c, s] = [u / size, v / size];
    let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < hull.length; k += 2) {
      const a = c * hull[k] + s * hull[k + 1];
      const b = c * hull[k + 1] - s * hull[k];
      if (a < minU) minU = a;
      if (a > maxU) maxU = a;
      if (b < minV) minV = b;
      if (b > maxV) maxV = b;
    }
    const area = (maxU - minU) * (maxV - minV);
    if (area >= least) continue;
    least = area * (1 - 1e-6);
    best = [combine(across, c, along, s), combine(along, c, across, -s)];
  }
  return best;
}
