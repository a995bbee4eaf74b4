import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { type Outermost, outermostAlong, vertexCells } from "../../src/orient/vertex-cells.ts";
import { fc } from "../fixture/property.ts";
import { randomFrom } from "../fixture/random.ts";
import { uvSphere } from "../fixture/shapes.ts";

function amongAll(vertices: Float64Array, [x, y, z]: Vec3): Outermost {
  let [least, most, nearest, farthest] = [Infinity, -Infinity, 0, 0];
  for (let i = 0; 3 * i < vertices.length; i++) {
    const along = x * vertices[3 * i]! + y * vertices[3 * i + 1]! + z * vertices[3 * i + 2]!;
    if (along < least) [least, nearest] = [along, i];
    if (along > most) [most, farthest] = [along, i];
  }
  return { least, most, nearest, farthest };
}

const component = fc.constantFrom(0, -0, 1, -1, 0.6, -0.8, 0.123, -1e-9);
const direction = fc.tuple(component, component, component);

test("the outermost vertices are those among all, ties included", () => {
  // On a lattice many vertices are equally far out; with size 0 along an axis the part is flat, a line or a point.
  const parts = fc.record({
    count: fc.integer({ min: 1, max: 5000 }),
    seed: fc.nat(1000),
    steps: fc.constantFrom(1, 3, 10, 1e6),
    size: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 0.1, 30))),
  });
  fc.assert(
    fc.property(parts, fc.array(direction, { minLength: 1, maxLength: 5 }), ({ count, seed, steps, size }, all) => {
      const random = randomFrom(seed);
      const vertices = Float64Array.from({ length: 3 * count }, (_, at) => {
        return (size[at % 3]! * Math.floor(steps * (random() - 0.5))) / steps;
      });
      const cells = vertexCells(vertices);
      for (const up of all) assert.deepEqual(outermostAlong(cells, up), amongAll(vertices, up));
    }),
  );
});

test("few vertices of a finely divided part are examined", () => {
  const vertices = Float64Array.from(uvSphere(10, 200, 100).vertices);
  const cells = vertexCells(vertices);
  let read = 0;
  const counted = new Proxy(vertices, {
    get(target, key) {
      read++;
      return Reflect.get(target, key);
    },
  });
  outermostAlong({ ...cells, vertices: counted }, [0.6, 0, 0.8]);
  assert.ok(read < vertices.length / 10, `${read}`);
});
