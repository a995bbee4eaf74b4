import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { VertexWelder } from "../../src/mesh/welder.ts";

const coordinate = fc.oneof(
  fc.float({ noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-0, 0, 1e-45, -1e-45, 3e38),
);
const points = fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 400 });

/** The first index of each distinct position, found with text keys. */
function weldBySearch(places: readonly (readonly number[])[]): { indices: number[]; vertices: number[] } {
  const seen = new Map<string, number>();
  const vertices: number[] = [];
  const indices = places.map((place) => {
    const rounded = place.map((value) => Math.fround(value) + 0);
    const key = rounded.join(" ");
    if (!seen.has(key)) vertices.push(...rounded);
    return seen.get(key) ?? seen.set(key, seen.size).size - 1;
  });
  return { indices, vertices };
}

test("each position gets one index, in order of occurrence, for any batch size and expected number", () => {
  fc.assert(
    fc.property(points, fc.integer({ min: 1, max: 200 }), fc.nat(500), (places, batch, expected) => {
      const welder = new VertexWelder(expected);
      const indices = new Uint32Array(places.length);
      for (let from = 0; from < places.length; from += batch) {
        const some = places.slice(from, from + batch);
        welder.add(Float32Array.from(some.flat()), some.length, indices, from);
      }
      const wanted = weldBySearch(places);
      assert.deepEqual([...indices], wanted.indices);
      assert.deepEqual([...welder.vertices()], wanted.vertices);
    }),
  );
});

test("−0 equals 0, and neighbouring numbers differ", () => {
  const welder = new VertexWelder(1);
  const indices = new Uint32Array(4);
  welder.add(Float32Array.of(-0, 0, -0, 0, -0, 0, 1, 1, 1, 1, 1, 1 + 2 ** -23), 4, indices, 0);
  assert.deepEqual([...indices], [0, 0, 1, 2]);
  assert.ok(welder.vertices().every((value) => !Object.is(value, -0)));
});

test("a welder grows far beyond the expected number, on a grid that would cluster under a weak hash", () => {
  const side = 60;
  const grid = Float32Array.from({ length: 3 * side ** 3 }, (_, i) => Math.floor(i / 3 / side ** (i % 3)) % side);
  const indices = new Uint32Array(2 * side ** 3);
  const welder = new VertexWelder(0);
  welder.add(grid, side ** 3, indices, 0);
  welder.add(grid, side ** 3, indices, side ** 3);
  assert.deepEqual(
    indices,
    Uint32Array.from({ length: 2 * side ** 3 }, (_, i) => i % side ** 3),
  );
  assert.deepEqual(welder.vertices(), grid);
});

test("returned vertices do not change when more are added", () => {
  const welder = new VertexWelder(8);
  const indices = new Uint32Array(1);
  welder.add(Float32Array.of(1, 2, 3), 1, indices, 0);
  const before = welder.vertices();
  welder.add(Float32Array.of(4, 5, 6), 1, indices, 0);
  assert.deepEqual([...before], [1, 2, 3]);
  assert.deepEqual([...welder.vertices()], [1, 2, 3, 4, 5, 6]);
});
