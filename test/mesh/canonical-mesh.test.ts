import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { canonicalMesh, rescaleMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type Shape, box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { facetsOf, insideOut, moved, shuffled, unwelded } from "../fixture/surface-edits.ts";

const SHAPES: Record<string, Shape> = {
  box: box([10, 20, 30]),
  tetrahedron: tetrahedron(12),
  cylinder: cylinder(8, 25),
  sphere: uvSphere(15),
  torus: torus(20, 6),
  // One vertex has more facets than any short run, so that the sorts take their long path.
  fan: cylinder(50, 1, 5000),
};

const meshOf = (surface: Surface, unitMm = 1) => canonicalMesh(surface, unitMm, noProgress);

const corner = (count: number): fc.Arbitrary<number> => fc.nat(count - 1);

/** Coordinates on a small grid, so that vertices coincide, facets repeat and collapse. */
const soup: fc.Arbitrary<Surface> = fc.integer({ min: 1, max: 14 }).chain((count) =>
  fc.record({
    vertices: fc
      .array(fc.integer({ min: -1, max: 1 }), { minLength: 3 * count, maxLength: 3 * count })
      .map((values) => Float64Array.from(values, (value) => (value === 0 ? -0 : value))),
    triangles: fc
      .array(fc.tuple(corner(count), corner(count), corner(count)), { minLength: 1, maxLength: 25 })
      .map((facets) => Uint32Array.from(facets.flat())),
  }),
);

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`a ${name} has its analytic volume and box, also far from the origin`, () => {
    const far: Vec3 = [512, -1024, 256];
    for (const surface of [shape, moved(shape, far)]) {
      const mesh = meshOf(surface);
      assert.ok(Math.abs(mesh.volumeMm3 / shape.volume - 1) < 1e-4, `${mesh.volumeMm3} against ${shape.volume}`);
      for (const axis of [0, 1, 2]) {
        const values = Array.from(
          surface.vertices.filter((_, i) => i % 3 === axis),
          Math.fround,
        );
        assert.equal(
          mesh.box.min[axis],
          values.reduce((a, b) => Math.min(a, b)),
        );
        assert.equal(
          mesh.box.max[axis],
          values.reduce((a, b) => Math.max(a, b)),
        );
      }
    }
  });

  test(`the hash of a ${name} does not depend on the order of vertices and facets`, () => {
    const random = randomFrom(7);
    const { hash } = meshOf(shape);
    assert.equal(meshOf(shuffled(shape, random)).hash, hash);
    assert.equal(meshOf(unwelded(shuffled(shape, random))).hash, hash);
    assert.equal(meshOf({ ...shape, vertices: Float64Array.from([...shape.vertices, 1, 2, 3]) }).hash, hash);
    assert.equal(meshOf(meshOf(shape)).hash, hash);
    assert.notEqual(meshOf(insideOut(shape)).hash, hash);
    assert.notEqual(meshOf(moved(shape, [0, 0, 0.01])).hash, hash);
  });
}

test("areas are the analytic ones", () => {
  assert.equal(meshOf(box([10, 20, 30])).areaMm2, 2200);
  assert.ok(Math.abs(meshOf(tetrahedron(12)).areaMm2 - Math.sqrt(3) * 144) < 1e-4);
});

test("an inside-out body has a negative volume", () => {
  assert.equal(meshOf(insideOut(box([10, 20, 30]))).volumeMm3, -6000);
});

test("vertices are sorted and unique, facets are sorted and start at their smallest corner, and none is lost or flipped", () => {
  fc.assert(
    fc.property(soup, (surface) => {
      const mesh = meshOf(surface);
      const { vertices } = mesh;
      for (let v = 1; v < vertices.length / 3; v++) assert.equal(compare(at(vertices, v - 1), at(vertices, v)), -1);
      assert.ok(vertices.every((value) => !Object.is(value, -0)));
      assert.deepEqual(
        [...new Set(mesh.triangles)].sort((a, b) => a - b),
        [...Array(vertices.length / 3).keys()],
      );
      const facets = facetsOf(mesh);
      facets.forEach((facet, i) => assert.ok(i === 0 || compare(facets[i - 1], facet) <= 0));
      for (const facet of facets) assert.deepEqual(facet, leastRotation(facet));
      assert.deepEqual(facetsInPlace(mesh), facetsInPlace(surface));
    }),
    { numRuns: 300 },
  );
});

test("the hash is SHA-256 over counts, vertices and triangles, little-endian", () => {
  const { vertices, triangles, hash } = meshOf(torus(20, 6));
  const bytes = new DataView(new ArrayBuffer(8 + 4 * vertices.length + 4 * triangles.length));
  bytes.setUint32(0, vertices.length / 3, true);
  bytes.setUint32(4, triangles.length / 3, true);
  vertices.forEach((value, i) => bytes.setFloat32(8 + 4 * i, value, true));
  triangles.forEach((value, i) => bytes.setUint32(8 + 4 * vertices.length + 4 * i, value, true));
  assert.equal(createHash("sha256").update(bytes).digest("hex"), hash);
});

test("arrays are in shared memory", () => {
  const { vertices, triangles } = meshOf(box([1, 1, 1]));
  assert.ok(vertices.buffer instanceof SharedArrayBuffer && triangles.buffer instanceof SharedArrayBuffer);
});

test("a unit scales before rounding, and rescaling a mesh gives the same", () => {
  assert.equal(meshOf(box([1, 2, 3]), 25.4).hash, meshOf(box([25.4, 50.8, 3 * 25.4])).hash);
  const inch = meshOf(box([1, 2, 3]));
  assert.equal(rescaleMesh(inch, 25.4, noProgress).hash, meshOf(box([1, 2, 3]), 25.4).hash);
  assert.equal(rescaleMesh(inch, 1, noProgress), inch);
});

test("invalid numbers, a missing vertex, no facets and too large a model are refused with their codes", () => {
  const of = (x: number, corner = 2): Surface => ({
    vertices: Float64Array.of(0, 0, 0, x, 0, 0, 0, 1, 0),
    triangles: Uint32Array.of(0, 1, corner),
  });
  const code = (wanted: string) => (error: { code: string }) => error.code === wanted;
  assert.throws(() => meshOf(of(NaN)), code("OPERATION_FAILED"));
  assert.throws(() => meshOf(of(Infinity)), code("OPERATION_FAILED"));
  assert.throws(() => meshOf(of(1, 3)), code("OPERATION_FAILED"));
  assert.throws(() => meshOf({ ...of(1), triangles: new Uint32Array(0) }), code("OPERATION_FAILED"));
  assert.throws(() => meshOf(of(1_000_001)), code("INPUT_ERROR"));
  assert.throws(() => meshOf(of(40_000), 25.4 * 1.01), code("INPUT_ERROR"));
  assert.equal(meshOf(of(1_000_000)).box.max[0], 1_000_000);
});

test("a cancelled task stops", () => {
  const state = newTaskState();
  cancelTask(state);
  assert.throws(() => canonicalMesh(box([1, 1, 1]), 1, taskProgress(state)), CancelledError);
});

test("a concatenation of surfaces has all their facets", () => {
  const single = { ...box([2, 2, 2]), vertices: Float32Array.from(box([2, 2, 2]).vertices) };
  const parts = [box([1, 1, 1]), moved(tetrahedron(1), [5, 0, 0]), single];
  const whole = meshOf(concatenateSurfaces(parts));
  assert.equal(whole.triangles.length, 3 * (12 + 4 + 12));
  assert.ok(Math.abs(whole.volumeMm3 - (1 + tetrahedron(1).volume + 8)) < 1e-5);
  assert.equal(concatenateSurfaces([parts[0]]), parts[0]);
});

/** Every facet by the coordinates of its corners, independent of the order of facets and corners. */
function facetsInPlace(surface: Surface): string[] {
  const place = (v: number): string => at(surface.vertices, v).join(" ");
  return facetsOf(surface)
    .map(([a, b, c]) => leastRotation([place(a), place(b), place(c)]).join(", "))
    .sort();
}

const at = (values: ArrayLike<number>, v: number): [number, number, number] => [
  Math.fround(values[3 * v]) + 0,
  Math.fround(values[3 * v + 1]) + 0,
  Math.fround(values[3 * v + 2]) + 0,
];

function compare<T>(a: readonly T[], b: readonly T[]): number {
  const i = a.findIndex((value, place) => value !== b[place]);
  return i < 0 ? 0 : a[i] < b[i] ? -1 : 1;
}

const leastRotation = <T>([a, b, c]: readonly [T, T, T]): T[] =>
  [
    [a, b, c],
    [b, c, a],
    [c, a, b],
  ].sort(compare)[0];
