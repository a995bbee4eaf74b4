import assert from "node:assert/strict";
import { test } from "node:test";
import { facetPoints } from "../../src/check/facet-points.ts";
import { type Vec3, distance, exactLength, cross, subtract } from "../../src/geometry/vector.ts";
import { cornersOf } from "../../src/mesh/mesh.ts";
import { fc } from "../fixture/property.ts";

const oneFacet = (corners: readonly Vec3[]) => ({
  vertices: Float32Array.from(corners.flat()),
  triangles: Uint32Array.from([0, 1, 2]),
});

const coordinate = fc.double({ min: -20, max: 20, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate);

test("points cover a facet of any shape with its corners, and their number follows from its size", () => {
  const CELL_MM = 1;
  const weights = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
  // The third corner of a narrow triangle is near its first.
  const near = fc.double({ min: 0.001, max: 1, noNaN: true });
  fc.assert(
    fc.property(point, point, point, near, weights, fc.nat(2), (p, q, r, share, [u, v], turn) => {
      const third = p.map((x, axis) => x + share * (r[axis] - x)) as unknown as Vec3;
      const corners = [p, q, third];
      const surface = oneFacet([...corners.slice(turn), ...corners.slice(0, turn)]);
      const [a, b, c] = cornersOf(surface, 0);
      const points = facetPoints(surface, 0, CELL_MM);
      for (const corner of [a, b, c]) assert.ok(points.some((one) => distance(one, corner) < 1e-9));
      const [s, t] = u + v > 1 ? [1 - u, 1 - v] : [u, v];
      const within = a.map((x, axis) => x + s * (b[axis] - x) + t * (c[axis] - x)) as unknown as Vec3;
      // One cell to the next row, and half a cell along the row.
      assert.ok(Math.min(...points.map((one) => distance(one, within))) <= CELL_MM * Math.hypot(1, 0.5) + 1e-9);
      const area = exactLength(cross(subtract(b, a), subtract(c, a))) / 2;
      const around = distance(a, b) + distance(b, c) + distance(c, a);
      assert.ok(points.length <= 5 + around / CELL_MM + area / CELL_MM ** 2, `${points.length} points`);
    }),
  );
});
