import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distancesToFree } from "../../../../src/place/layout/nest/distances.ts";

test("each pixel is as far from the nearest free one as a search of all of them tells", () => {
  const grid = fc.integer({ min: 1, max: 14 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      // Mostly full, so that distances grow.
      full: fc.array(
        fc.integer({ min: 0, max: 11 }).map((n) => n > 0),
        { minLength: columns, maxLength: 14 * columns },
      ),
    }),
  );
  fc.assert(
    fc.property(grid, ({ columns, full }) => {
      const rows = Math.floor(full.length / columns);
      const pixels = Array.from({ length: rows * columns }, (_, i) => ({ x: i % columns, y: Math.floor(i / columns) }));
      const free = pixels.filter((_, i) => !full[i]);
      fc.pre(free.length > 0);
      const distances = distancesToFree((column, row) => !full[row * columns + column], columns, rows);
      const nearest = pixels.map(({ x, y }) => Math.min(...free.map((one) => Math.hypot(one.x - x, one.y - y))));
      for (const [i, distance] of nearest.entries()) assert.ok(Math.abs(distances[i] - distance) < 1e-5);
    }),
    { numRuns: 300, seed: 2 },
  );
});
