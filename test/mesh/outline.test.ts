import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { noProgress } from "../../src/core/progress.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { ORIGIN, type Vec3, add, subtract } from "../../src/geometry/vector.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Mesh, type Surface, vertexAt, vertexCount } from "../../src/mesh/mesh.ts";
import { outlineOf, slabsOf } from "../../src/mesh/outline.ts";
import { assertHull } from "../fixture/convex-hull.ts";
import { sectionsOf } from "../fixture/sections.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { insideOut, moved, shuffled, subdivided } from "../fixture/surface-edits.ts";
import { slowRuns } from "../fixture/long.ts";

const meshOf = (surface: Surface): Mesh => canonicalMesh(surface, 1, noProgress);
const SHAPES = [box([10, 20, 30]), cylinder(8, 25), uvSphere(15), torus(20, 6)].map((shape) =>
  meshOf(moved(shape, [3, -40, 12])),
);

const special = fc.constantFrom(0, 90, 180, -45, 30);
const anyAngle = fc.oneof(special, fc.double({ min: -180, max: 180, noNaN: true }));
const anyEuler = fc.record({ x: anyAngle, y: anyAngle, z: anyAngle });

test("the box is exactly the box of the rotated vertices", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), anyEuler, (mesh, turned) => {
      const rotation = rotationMatrix(turned);
      const points = Array.from({ length: vertexCount(mesh) }, (_, v) =>
        rotateVector(rotation, subtract(vertexAt(mesh, v), boxCentre(mesh.box))),
      );
      const bound = (pick: (...values: number[]) => number): Vec3 => [
        pick(...points.map(([x]) => x)),
        pick(...points.map(([, y]) => y)),
        pick(...points.map(([, , z]) => z)),
      ];
      const { box: found, hullXy } = outlineOf(mesh, rotation);
      assert.deepEqual(add(found.min, ORIGIN), add(bound(Math.min), ORIGIN));
      assert.deepEqual(add(found.max, ORIGIN), add(bound(Math.max), ORIGIN));
      assertHull(
        hullXy,
        points.map(([x, y]) => [x, y]),
      );
    }),
    { numRuns: slowRuns(100) },
  );
});

/** Hundredths of a degree, as the interface accepts. */
const angle = fc.oneof(
  special,
  fc.integer({ min: -17_999, max: 18_000 }).map((hundredths) => hundredths / 100),
);
const rotation = fc.record({ x: angle, y: angle, z: angle }).map(rotationMatrix);
const shape = fc.constantFrom(...SHAPES, meshOf(moved(tetrahedron(17), [3, -40, 12])));

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

function near(actual: number, expected: number, tolerance: number, what = ""): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what} ${actual} is not ${expected}`);
}

/** |n_z|, √(1 − n_z²) · area, lowest and highest point of each facet. */
function facetsOf(mesh: Mesh, turned: ReturnType<typeof rotationMatrix>) {
  const { triangles } = mesh;
  const points = Array.from({ length: vertexCount(mesh) }, (_, v) => rotateVector(turned, vertexAt(mesh, v)));
  const bottom = Math.min(...points.map(([, , z]) => z));
  return Array.from({ length: triangles.length / 3 }, (_, t) => {
    const [a, b, c] = [0, 1, 2].map((k) => points[triangles[3 * t + k]]);
    const [u, v] = [b, c].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const zs = [a[2], b[2], c[2]].map((z) => z - bottom);
    const flat = Math.abs(normal[2]) / Math.hypot(...normal);
    return { flat, wall: Math.hypot(normal[0], normal[1]) / 2, low: Math.min(...zs), high: Math.max(...zs) };
  });
}

test("slabs contain the whole volume, also of an inverted mesh, and the walls of all facets", () => {
  fc.assert(
    fc.property(shape, rotation, fc.boolean(), (mesh, turned, inverted) => {
      const { slabs } = outlineOf(inverted ? meshOf(insideOut(mesh)) : mesh, turned);
      near(sum(slabs.volumesMm3), mesh.volumeMm3, 1e-5 * mesh.volumeMm3);
      near(sum(slabs.wallAreasMm2), sum(facetsOf(mesh, turned).map(({ wall }) => wall)), 1e-5 * mesh.areaMm2);
    }),
  );
});

test("the volume and walls of each slab agree with sections through it", () => {
  const SECTIONS = 16;
  fc.assert(
    fc.property(shape, rotation, (mesh, turned) => {
      const { slabs, box: extent } = outlineOf(mesh, turned);
      const count = slabs.volumesMm3.length;
      const height = extent.max[2] - extent.min[2];
      const slabMm = height / count;
      const heights = Array.from({ length: count * SECTIONS }, (_, k) => ((k + 0.5) / SECTIONS) * slabMm);
      const sections = sectionsOf(mesh, turned, heights);
      for (let k = 0; k < count; k++) {
        const inside = sections.slice(k * SECTIONS, (k + 1) * SECTIONS);
        const volume = (slabMm * sum(inside.map(({ areaMm2 }) => areaMm2))) / SECTIONS;
        const wall = (slabMm * sum(inside.map(({ perimeterMm }) => perimeterMm))) / SECTIONS;
        // A level face can be anywhere between two sections.
        near(slabs.volumesMm3[k], volume, (1.1 * mesh.areaMm2 * slabMm) / SECTIONS, `volume of slab ${k}`);
        near(slabs.wallAreasMm2[k], wall, 0.02 * wall + 0.002 * mesh.areaMm2, `wall of slab ${k}`);
      }
    }),
    { numRuns: slowRuns(12) },
  );
});

test("the flatness of a slab is that of its flattest facet that is not level", () => {
  fc.assert(
    fc.property(shape, rotation, (mesh, turned) => {
      const { slabs, box: extent } = outlineOf(mesh, turned);
      const count = slabs.flatness.length;
      const slabMm = (extent.max[2] - extent.min[2]) / count;
      const steep = facetsOf(mesh, turned).filter(({ low, high }) => high - low > 1e-3);
      slabs.flatness.forEach((flatness, k) => {
        const through = (margin: number): number =>
          steep
            .filter(({ low, high }) => low < (k + 1) * slabMm - margin && high > k * slabMm + margin)
            .reduce((most, { flat }) => Math.max(most, flat), 0);
        assert.ok(flatness >= through(1e-9) - 1e-6 && flatness <= through(-1e-9) + 1e-6, `slab ${k}: ${flatness}`);
      });
    }),
    { numRuns: slowRuns(25) },
  );
});

test("a box has its volume spread evenly, upright walls and no slope", () => {
  const { slabs } = outlineOf(SHAPES[0], rotationMatrix({ x: 0, y: 0, z: 37 }));
  const count = slabs.volumesMm3.length;
  for (let k = 0; k < count; k++) {
    near(slabs.volumesMm3[k], 6000 / count, 1e-4);
    near(slabs.wallAreasMm2[k], 1800 / count, 1e-4);
    near(slabs.flatness[k], 0, 1e-6);
  }
});

test("a slope counts in the slabs that it passes through, not in those that it only touches", () => {
  // A roof of 45° from the middle of the height upward: its eaves are between the slabs 255 and 256.
  const house = Float64Array.from(
    [
      [0, 0],
      [8, 0],
      [8, 4],
      [4, 8],
      [0, 4],
    ].flatMap(([x, z]) => [x, 0, z, x, 9, z]),
  );
  const side = [0, 2, 4, 6, 8].flatMap((i) => [i, (i + 2) % 10, i + 1, i + 1, (i + 2) % 10, ((i + 2) % 10) + 1]);
  const fronts = [
    [0, 4, 2],
    [0, 6, 4],
    [0, 8, 6],
    [1, 3, 5],
    [1, 5, 7],
    [1, 7, 9],
  ].flat();
  const mesh = meshOf({ vertices: house, triangles: Uint32Array.from([...side, ...fronts]) });
  for (const x of [0, 180]) {
    const { flatness } = outlineOf(mesh, rotationMatrix({ x, y: 0, z: 0 })).slabs;
    assert.equal(flatness.length, 512);
    flatness.forEach((flat, k) => near(flat, k < 256 === (x === 0) ? 0 : Math.SQRT1_2, 1e-6, `${x}°, slab ${k}`));
  }
});

test("slabs do not depend on the order of facets, and hardly on the triangulation of faces", () => {
  fc.assert(
    fc.property(fc.constantFrom(torus(20, 6), uvSphere(15), cylinder(8, 25)), fc.integer(), (surface, seed) => {
      const cut = ({ vertices, triangles }: Surface) => {
        const along = (axis: number): Float64Array =>
          Float64Array.from({ length: vertices.length / 3 }, (_, i) => vertices[3 * i + axis]);
        const zs = along(2);
        return slabsOf({ xs: along(0), ys: along(1), zs }, triangles, Math.min(...zs), Math.max(...zs));
      };
      const plain = cut(surface);
      for (const other of [shuffled(surface, randomFrom(seed)), subdivided(surface)].map(cut)) {
        assert.equal(other.flatness.length, plain.flatness.length);
        plain.flatness.forEach((flatness, k) => near(other.flatness[k], flatness, 1e-6, `flatness ${k}`));
        plain.volumesMm3.forEach((volume, k) => near(other.volumesMm3[k], volume, 1e-3 * volume + 1e-4));
      }
    }),
    { numRuns: slowRuns(10) },
  );
});

test("a flat mesh and a mesh of one facet have slabs without volume", () => {
  const flat = outlineOf(
    meshOf({ vertices: Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0), triangles: Uint32Array.of(0, 1, 2) }),
    rotationMatrix({ x: 0, y: 0, z: 0 }),
  );
  for (const values of [flat.slabs.volumesMm3, flat.slabs.wallAreasMm2, flat.slabs.flatness]) {
    assert.ok(values.length > 0 && values.every((value) => value === 0));
  }
});

test("many tall facets take fewer slabs", () => {
  const tall = meshOf(cylinder(20, 100, 20_000));
  const { slabs } = outlineOf(tall, rotationMatrix({ x: 0, y: 0, z: 0 }));
  assert.ok(slabs.volumesMm3.length >= 32 && slabs.volumesMm3.length < 512, `${slabs.volumesMm3.length}`);
  near(sum(slabs.volumesMm3), tall.volumeMm3, 1e-5 * tall.volumeMm3);
});
