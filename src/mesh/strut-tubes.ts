import type { Box } from "../geometry/box.ts";
import { type Transform, isMirror } from "../geometry/transform.ts";
import { type Vec3, cross, subtract, times, unit } from "../geometry/vector.ts";
import type { Surface } from "./mesh.ts";
import type { StrutLattice } from "./mesh.ts";
import { strutCount, valueOf } from "./strut-lattice.ts";

/** Facets of the tubes that stand in for struts in pictures, checks and packing; more would make these slow. */
const MAX_FACETS = 600_000;
/** Sides of a tube: the most for which the facets suffice. */
const SIDES = [8, 4, 3] as const;
/** A tube has two facets for each side, and a tip at each end with as many. */
const FACETS_PER_SIDE = 4;
const BALL_FACETS = 8;
/** BUTT of {@link StrutLattice.caps}. */
const BUTT = 2;

interface Tubes {
  readonly surface: Surface;
  /** Only one of so many struts and balls is drawn, beside those at the ends of the lattice. */
  readonly step: number;
}

/** A coarse mesh of lattices, in the coordinates of their parts: closed tubes inside of the struts, which overlap. */
export function strutTubes(lattices: readonly StrutLattice[]): Tubes {
  const counts = lattices.map((lattice) => strutCount(lattice) + lattice.balls.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const sides = SIDES.find((some) => FACETS_PER_SIDE * some * total <= MAX_FACETS) ?? SIDES[2];
  const step = Math.max(1, Math.ceil((FACETS_PER_SIDE * sides * total) / MAX_FACETS));
  const vertices: number[] = [];
  const triangles: number[] = [];
  lattices.forEach((lattice, i) => {
    const outermost = step === 1 ? new Set<number>() : outermostItems(lattice, counts[i]);
    const add = newTubeWriter(lattice, sides, vertices, triangles);
    for (let item = 0; item < counts[i]; item++) if (item % step === 0 || outermost.has(item)) add(item);
  });
  return { surface: { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) }, step };
}

/** The items with the extreme coordinates along axes and diagonals, so that the stand-in has about the hull of the lattice. */
function outermostItems({ vertices, struts, balls }: StrutLattice, count: number): Set<number> {
  const directions = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Vec3 => [x, y, z])));
  const all = struts.length / 2;
  return new Set(
    directions.map(([x, y, z]) => {
      let [most, best] = [-Infinity, 0];
      for (let item = 0; item < count; item++) {
        const ends = item < all ? [struts[2 * item], struts[2 * item + 1]] : [balls[item - all]];
        for (const end of ends) {
          const reach = x * vertices[3 * end] + y * vertices[3 * end + 1] + z * vertices[3 * end + 2];
          if (reach > most) [most, best] = [reach, item];
        }
      }
      return best;
    }),
  );
}

function newTubeWriter(lattice: StrutLattice, sides: number, vertices: number[], triangles: number[]) {
  const { transform, struts, radii, caps, balls, ballRadii, clip } = lattice;
  const box = clip?.keeps === "inside" ? clip.mesh.box : undefined;
  const ring = Array.from({ length: sides }, (_, i) => (2 * Math.PI * i) / sides).map((angle) => [
    Math.fround(Math.cos(angle)),
    Math.fround(Math.sin(angle)),
  ]);
  const isMirrored = isMirror(transform);
  const push = (point: Vec3): number => vertices.push(...inPart(transform, point)) / 3 - 1;
  const face = (a: number, b: number, c: number): void => void triangles.push(...(isMirrored ? [a, c, b] : [a, b, c]));

  const tube = (from: Vec3, to: Vec3, r1: number, r2: number, reach1: number, reach2: number): void => {
    const axis = unit(subtract(to, from));
    const across = unit(cross(axis, Math.abs(axis[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
    const up = cross(axis, across);
    const at = (centre: Vec3, radius: number, [c, s]: readonly number[]): Vec3 => [
      centre[0] + radius * (c * across[0] + s * up[0]),
      centre[1] + radius * (c * across[1] + s * up[1]),
      centre[2] + radius * (c * across[2] + s * up[2]),
    ];
    const along = (centre: Vec3, length: number): Vec3 => [
      centre[0] + length * axis[0],
      centre[1] + length * axis[1],
      centre[2] + length * axis[2],
    ];
    const first = ring.map((one) => push(at(from, r1, one)));
    const second = ring.map((one) => push(at(to, r2, one)));
    const [tip1, tip2] = [push(along(from, -reach1)), push(along(to, reach2))];
    first.forEach((a, i) => {
      const next = (i + 1) % sides;
      face(a, first[next], second[i]);
      face(first[next], second[next], second[i]);
      face(first[next], a, tip1);
      face(second[i], second[next], tip2);
    });
  };

  return (item: number): void => {
    const ball = item - struts.length / 2;
    if (ball >= 0) {
      const centre = vertexOf(lattice, balls[ball]);
      if (box && !isIn(box, inPart(transform, centre))) return;
      octahedron(centre, valueOf(ballRadii, ball), push, face);
      return;
    }
    const [r1, r2] = [valueOf(radii, 2 * item), valueOf(radii, 2 * item + 1)];
    const cap = valueOf(caps, item);
    const [start, end] = [vertexOf(lattice, struts[2 * item]), vertexOf(lattice, struts[2 * item + 1])];
    const [low, high] = box ? trimmed(box, inPart(transform, start), inPart(transform, end)) : [0, 1];
    if (!(low < high)) return;
    const between = (share: number): Vec3 => [
      start[0] + share * (end[0] - start[0]),
      start[1] + share * (end[1] - start[1]),
      start[2] + share * (end[2] - start[2]),
    ];
    const radiusAt = (share: number): number => r1 + share * (r2 - r1);
    const reach1 = low > 0 || (cap & 3) === BUTT ? 0 : r1;
    const reach2 = high < 1 || cap >> 2 === BUTT ? 0 : r2;
    tube(between(low), between(high), radiusAt(low), radiusAt(high), reach1, reach2);
  };
}

const vertexOf = ({ vertices }: StrutLattice, vertex: number): Vec3 => [
  vertices[3 * vertex],
  vertices[3 * vertex + 1],
  vertices[3 * vertex + 2],
];

function inPart([a, b, c, d, e, f, g, h, i, x, y, z]: Transform, [u, v, w]: Vec3): Vec3 {
  return [a * u + d * v + g * w + x, b * u + e * v + h * w + y, c * u + f * v + i * w + z];
}

const isIn = ({ min, max }: Box, point: Vec3): boolean =>
  point.every((value, axis) => value >= min[axis] && value <= max[axis]);

/** The shares of a segment between which it is in a box; the first not below the second if it is not. */
function trimmed({ min, max }: Box, from: Vec3, to: Vec3): [number, number] {
  let [low, high] = [0, 1];
  for (let axis = 0; axis < 3; axis++) {
    const length = to[axis] - from[axis];
    if (length === 0) {
      if (from[axis] < min[axis] || from[axis] > max[axis]) return [1, 0];
      continue;
    }
    const [a, b] = [(min[axis] - from[axis]) / length, (max[axis] - from[axis]) / length];
    [low, high] = [Math.max(low, Math.min(a, b)), Math.min(high, Math.max(a, b))];
  }
  return [low, high];
}

function octahedron(
  centre: Vec3,
  radius: number,
  push: (point: Vec3) => number,
  face: (a: number, b: number, c: number) => void,
): void {
  const axes: readonly Vec3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const corner = (axis: Vec3, sign: number): number => {
    const [x, y, z] = times(axis, sign * radius);
    return push([centre[0] + x, centre[1] + y, centre[2] + z]);
  };
  const corners = axes.map((axis) => [corner(axis, -1), corner(axis, 1)]);
  for (let i = 0; i < BALL_FACETS; i++) {
    const [x, y, z] = [i & 1, (i >> 1) & 1, i >> 2];
    const isOdd = (x + y + z) % 2 === 0;
    if (isOdd) face(corners[0][x], corners[2][z], corners[1][y]);
    else face(corners[0][x], corners[1][y], corners[2][z]);
  }
}
