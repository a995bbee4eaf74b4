import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf } from "../../src/geometry/box.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { type Vec3, add, distance, lerp, subtract, times } from "../../src/geometry/vector.ts";
import type { PackedMesh } from "../../src/page/view/packed-mesh.ts";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { firstHit } from "../../src/page/view/surface-hits.ts";
import { fc } from "../fixture/property.ts";
import type { Random } from "../../src/core/random.ts";
import { randomFrom } from "../fixture/random.ts";
import { type Shape, uvSphere } from "../fixture/shapes.ts";

// The surface under the pointer: a ray of the page that is aimed at an edge or a corner never passes between the facets there.

/** One within a block of the search, and one of several blocks. */
const SPHERES: readonly Shape[] = [uvSphere(10, 7, 5), uvSphere(10, 40, 20)];
const RAYS_PER_BODY = 200;
/** A hit at the aim, relative to its distance from the origin of the ray. */
const SAME = 1e-9;

/** A body whose surface is seen whole from a point inside. */
interface StarBody {
  readonly mesh: PackedMesh;
  readonly inside: Vec3;
}

const cornerAt = ({ positions }: PackedMesh, vertex: number): Vec3 => [
  positions[3 * vertex],
  positions[3 * vertex + 1],
  positions[3 * vertex + 2],
];

/** Moves the corners of a shape, and rounds them to single precision. */
function packed({ vertices, triangles }: Surface, moved: (corner: Vec3) => Vec3): PackedMesh {
  const positions = new Float32Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3) positions.set(moved([vertices[i], vertices[i + 1], vertices[i + 2]]), i);
  return { positions, triangles: new Uint32Array(triangles), box: boxOf(positions) };
}

/** A sphere with dents and spikes, turned and away from the origin. */
function bumpySphere(random: Random): StarBody {
  const turn = rotationMatrix({ x: 360 * random(), y: 360 * random(), z: 360 * random() });
  const at: Vec3 = [200 * (random() - 0.5), 200 * (random() - 0.5), 200 * random()];
  const shape = SPHERES[Math.floor(SPHERES.length * random())];
  return { mesh: packed(shape, (corner) => add(rotateVector(turn, times(corner, 0.6 + random())), at)), inside: at };
}

/** Cells along each side of a cuboid: each side has several blocks of the search, whose boxes are flat. */
const CELLS = 16;

/** The square from −1 to 1 in cells, at 1 on an axis; the other axes follow in the order of a right-handed system. */
function dividedSide(axis: number, sign: number): Surface {
  const ends = Array.from({ length: CELLS + 1 }, (_, i) => (2 * i) / CELLS - 1);
  const corners = ends.flatMap((v) =>
    ends.map((u) => {
      const corner = [0, 0, 0];
      [corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]] = [sign, sign * u, v];
      return corner;
    }),
  );
  const cells = Array.from({ length: CELLS * CELLS }, (_, i) => i + Math.floor(i / CELLS));
  const triangles = cells.flatMap((at) => [at, at + 1, at + CELLS + 2, at, at + CELLS + 2, at + CELLS + 1]);
  return { vertices: new Float64Array(corners.flat()), triangles: new Uint32Array(triangles) };
}

const DIVIDED_CUBE = concatenateSurfaces([0, 1, 2].flatMap((axis) => [dividedSide(axis, 1), dividedSide(axis, -1)]));

/** A divided cuboid along the axes. */
function cuboid(random: Random): StarBody {
  const at: Vec3 = [200 * (random() - 0.5), 200 * (random() - 0.5), 200 * random()];
  const [width, depth, height] = [1 + 20 * random(), 1 + 20 * random(), 1 + 20 * random()];
  const mesh = packed(DIVIDED_CUBE, ([x, y, z]) => add([width * x, depth * y, height * z], at));
  const share = (axis: 0 | 1 | 2): number =>
    mesh.box.min[axis] + (0.1 + 0.8 * random()) * (mesh.box.max[axis] - mesh.box.min[axis]);
  return { mesh, inside: [share(0), share(1), share(2)] };
}

/** A corner of a mesh, or a point of an edge. */
function edgePoint(mesh: PackedMesh, random: Random): Vec3 {
  const facet = Math.floor((random() * mesh.triangles.length) / 3);
  const end = (i: number): Vec3 => cornerAt(mesh, mesh.triangles[3 * facet + (i % 3)]);
  const from = Math.floor(3 * random());
  return random() < 0.3 ? end(from) : lerp(end(from), end(from + 1), random());
}

function assertStopped({ mesh, inside }: StarBody, random: Random): void {
  for (let i = 0; i < RAYS_PER_BODY; i++) {
    const aim = edgePoint(mesh, random);
    const origin = add(inside, times(subtract(aim, inside), 1.5 + 100 * random()));
    const direction = subtract(inside, origin);
    const hit = firstHit(mesh, { origin, direction }, { from: 0, to: 10 });
    assert.ok(hit, `a ray to ${aim} passes through`);
    const passedMm = distance(add(origin, times(direction, hit.at)), aim);
    assert.ok(passedMm <= SAME * (1 + distance(origin, aim)), `a ray to ${aim} ends ${passedMm} mm away`);
  }
}

test("rays at edges and corners of closed surfaces hit them there", () => {
  const property = fc.property(fc.nat(), fc.constantFrom(bumpySphere, cuboid), (seed, bodyOf) => {
    const random = randomFrom(seed);
    assertStopped(bodyOf(random), random);
  });
  fc.assert(property);
});

test("rays along the sides of a cuboid hit the facets that begin there", () => {
  const property = fc.property(fc.nat(), fc.nat(), fc.constantFrom(0, 1, 2), (seed, vertex, axis: 0 | 1 | 2) => {
    const { mesh } = cuboid(randomFrom(seed));
    const { min, max } = mesh.box;
    const aim = cornerAt(mesh, vertex % (mesh.positions.length / 3));
    const toward = aim[axis] < (min[axis] + max[axis]) / 2 ? 1 : -1;
    const direction = [0, 1, 2].map((one) => (one === axis ? toward : 0)) as unknown as Vec3;
    const hit = firstHit(mesh, { origin: subtract(aim, times(direction, 500)), direction }, { from: 0, to: 1000 });
    const first = 500 + toward * ((toward > 0 ? min : max)[axis] - aim[axis]);
    assert.ok(hit && Math.abs(hit.at - first) < SAME * 500, `a ray to ${aim}`);
  });
  fc.assert(property);
});
