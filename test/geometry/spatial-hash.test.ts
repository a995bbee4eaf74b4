import assert from "node:assert/strict";
import { test } from "node:test";
import { newSpatialHash, visitNearSegment } from "../../src/geometry/spatial-hash.ts";
import { add, lerp, times, unit, type Vec3 } from "../../src/geometry/vector.ts";
import { slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";

function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const [u, v] = [0, 1].map((k) => [0, 1, 2].map((axis) => (k === 0 ? b : p)[axis] - a[axis])) as [number[], number[]];
  const dot = (x: number[], y: number[]): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const share = Math.min(1, Math.max(0, dot(u, v) / (dot(u, u) || 1)));
  return Math.hypot(...v.map((value, axis) => value - share * u[axis]));
}

test("all points near a segment are visited, and most others are not", () => {
  const random = randomFrom(1);
  for (const [cellMm, reach] of [
    [0.7, 1e-9],
    [0.7, 0.3],
    [5, 4],
    [5, 0.3],
    [300, 4],
  ] as const) {
    const pick = (size: number): Vec3 => [size * (random() - 0.5), size * (random() - 0.5), size * (random() - 0.5)];
    const segments = Array.from({ length: 30 }, (_, i): [from: Vec3, to: Vec3] => {
      const from = pick(100);
      // Some segments are a single point, some are parallel to an axis.
      return [from, i % 5 === 0 ? from : i % 5 === 1 ? [from[0], from[1] + 30, from[2]] : pick(100)];
    });
    const beside = segments.flatMap(([from, to]) =>
      Array.from({ length: slowRuns(400) }, (): Vec3 => {
        const [share, off] = [random(), unit(pick(1))];
        return add(lerp(from, to, share), times(off, 0.999 * reach));
      }),
    );
    const points = [...beside, ...Array.from({ length: 200 }, () => pick(100))];
    const grid = newSpatialHash(Float64Array.from(points.flat()), cellMm);
    for (const [from, to] of segments) {
      const seen = new Set<number>();
      const before = grid.lookups();
      visitNearSegment(grid, from, to, reach, (point, x, y, z) => {
        const place = points[point];
        if (x !== place[0] || y !== place[1] || z !== place[2]) assert.fail(`${point} is elsewhere`);
        seen.add(point);
      });
      const missed = points.some((place, i) => distanceToSegment(place, from, to) <= reach && !seen.has(i));
      assert.equal(missed, false, `${cellMm} mm, ${reach} mm`);
      assert.ok(grid.lookups() > before);
      if (cellMm < 1) assert.ok(seen.size < points.length / 2, `${seen.size}`);
    }
  }
});
