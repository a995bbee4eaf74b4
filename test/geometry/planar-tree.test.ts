import assert from "node:assert/strict";
import { test } from "node:test";
import { newPlanarTree } from "../../src/geometry/planar-tree.ts";
import { fc } from "../fixture/property.ts";

/** Few different coordinates, so that points coincide and are on edges. */
const coordinate = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.double({ min: 0, max: 4, noNaN: true }));
const place = fc.tuple(coordinate, coordinate);

test("a search finds a point if and only if one of the remaining points is in the triangle", () => {
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 1, maxLength: 80 }),
      fc.array(fc.record({ corners: fc.tuple(place, place, place), removed: fc.nat() }), { maxLength: 20 }),
      (places, searches) => {
        const [xs, ys] = [0, 1].map((axis) => Float64Array.from(places, (point) => point[axis]));
        const points = Array.from(places.keys()).filter((point) => point % 3 !== 1 || places.length < 3);
        const tree = newPlanarTree(xs, ys, points);
        const left = new Set(points);
        for (const { corners, removed } of searches) {
          const [[ax, ay], [bx, by], [cx, cy]] = corners;
          const side = (px: number, py: number, qx: number, qy: number, point: number): number =>
            (qx - px) * (ys[point] - py) - (xs[point] - px) * (qy - py);
          const isInside = (point: number): boolean =>
            side(ax, ay, bx, by, point) >= 0 && side(bx, by, cx, cy, point) >= 0 && side(cx, cy, ax, ay, point) >= 0;
          const box = (values: readonly number[], value: number): boolean =>
            value >= Math.min(...values) && value <= Math.max(...values);
          const test = (point: number): boolean =>
            isInside(point) && box([ax, bx, cx], xs[point]) && box([ay, by, cy], ys[point]);
          const found = tree.findInside([ax, ay, bx, by, cx, cy], test);
          assert.equal(found >= 0, [...left].some(test));
          if (found >= 0) assert.ok(left.has(found) && test(found));
          const next = [...left][removed % Math.max(1, left.size)];
          if (next !== undefined) {
            tree.remove(next);
            left.delete(next);
          }
        }
      },
    ),
  );
});
