import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dot, unit, type Vec3 } from "../../../src/core/geometry.ts";
import { combine } from "../../../src/mesh/combine.ts";
import { type Air, airAround, INSIDE, OUTSIDE } from "../../../src/orient/cups/air.ts";
import { sealedAir } from "../../../src/orient/cups/sealed-air.ts";
import { type Shape, shapeOf } from "../../../src/orient/shape.ts";
import { moved } from "../../fixture/altered.ts";
import { MUG } from "../../fixture/orienting.ts";
import { box, torus } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

/** Few cubes, as every layer is flooded anew. */
const CUBES = 1500;
const FRAME = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6] as const;

/** The layer that first joins each cube to the air outside, by flooding the layers up to each. */
function opensOf(air: Air, layers: Int32Array): Int32Array {
  const { kinds, columns, rows } = air;
  const opens = new Int32Array(kinds.length);
  for (let layer = 1; layer <= Math.max(...layers); layer++) {
    const isMet = layers.map((own, cube) => Number(own > 0 && own <= layer && kinds[cube] === OUTSIDE));
    const waiting = [...isMet.keys()].filter((cube) => isMet[cube] === 1);
    while (waiting.length > 0) {
      const cube = waiting.pop()!;
      if (opens[cube] === 0) opens[cube] = layer;
      for (const away of [1, columns, columns * rows].flatMap((stride) => [-stride, stride])) {
        const next = cube + away;
        if (!(layers[next] > 0) || layers[next] > layer || isMet[next] === 1) continue;
        isMet[next] = 1;
        waiting.push(next);
      }
    }
  }
  return opens;
}

/** The layer of each cube of air; 0 for what is below the platform. */
const layersOf = ({ kinds, columns, rows, sideMm, frame, firstMm }: Air, up: Vec3, bottomMm: number): Int32Array =>
  Int32Array.from(kinds, (kind, cube) => {
    if (kind < INSIDE) return 0;
    const index = [cube % columns, Math.floor(cube / columns) % rows, Math.floor(cube / columns / rows)];
    const heightMm = index.reduce((sum, count, i) => {
      const axis: Vec3 = [frame[3 * i], frame[3 * i + 1], frame[3 * i + 2]];
      return sum + (firstMm[i] + count * sideMm) * dot(axis, up);
    }, -bottomMm);
    return Math.max(0, Math.floor(heightMm / sideMm + 0.5) + 1);
  });

const airOf = (shape: Shape): Air => airAround(shape.part, shape.extremes, FRAME, CUBES);
const size = fc.integer({ min: 2, max: 20 });
const place = fc.integer({ min: -12, max: 12 });
/** Cups, tunnels and caves as they happen. */
const heap = fc
  .array(fc.tuple(fc.tuple(size, size, size), fc.tuple(place, place, place)), { minLength: 3, maxLength: 7 })
  .map((boxes) => shapeOf(meshOf(combine(boxes.map(([sizes, by]) => moved(box(sizes), by)))), 1));
const mug = shapeOf(meshOf(MUG), 1);
const ring = shapeOf(meshOf(torus(20, 5)), 1);
const share = fc.double({ min: -1, max: 1, noNaN: true });
const direction = fc
  .oneof(fc.tuple(share, share, share), fc.constantFrom<Vec3>([0, 0, 1], [0, 0, -1], [0.01, 0, 1]))
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v): Vec3 => unit(v));

test("what is sealed, and which layer opens it, is what a flood of each layer tells", () => {
  let count = 0;
  fc.assert(
    fc.property(fc.oneof(heap, fc.constantFrom(mug, ring)), direction, (shape, up) => {
      const air = airOf(shape);
      const { vertices } = shape.part;
      const heights = Array.from({ length: vertices.length / 3 }, (_, i) =>
        dot([vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]], up),
      );
      const bottomMm = Math.min(...heights);
      const layers = layersOf(air, up, bottomMm);
      const opens = opensOf(air, layers);
      const sealed = sealedAir(air, up, bottomMm);
      const found = new Map(Array.from(sealed.cubes, (cube, i) => [cube, sealed.opens[i]]));
      layers.forEach((layer, cube) => {
        const isSealed = layer > 0 && air.kinds[cube] !== OUTSIDE && opens[cube] !== layer;
        assert.equal(found.get(cube), isSealed ? opens[cube] : undefined, `cube ${cube}`);
        assert.equal(sealed.layers[cube], isSealed ? layer : 0, `cube ${cube}`);
      });
      count += found.size;
    }),
    { numRuns: 60 },
  );
  assert.ok(count > 1000, `${count}`);
});
