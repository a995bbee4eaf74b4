import assert from "node:assert/strict";
import { test } from "node:test";
import { newRecentColumns } from "../../src/feature/slice/recent-columns.ts";
import type { GroupColumns } from "../../src/slice/common-volume.ts";

/** Columns with crossings of 16 · `count` bytes. */
const columnsOf = (count: number): GroupColumns => {
  const region = { minX: 0, minY: 0, maxX: 1, maxY: 1 };
  const grid = { region, columns: 1, rows: 1, rowAt: new Float64Array(1), columnAt: new Float64Array(1) };
  const crossings = {
    starts: new Uint32Array(count),
    z: new Float64Array(count),
    side: new Uint32Array(count),
  };
  return { region, grid, bodies: [], crossings };
};

test("the columns that were not used for the longest time are dropped if all together take too much memory", () => {
  const recent = newRecentColumns(16 * 10);
  const [a, b, c] = [columnsOf(4), columnsOf(4), columnsOf(4)];
  recent.set("a", a);
  recent.set("b", b);
  assert.equal(recent.get("a"), a);
  recent.set("c", c);
  assert.deepEqual([recent.get("a"), recent.get("b"), recent.get("c")], [a, undefined, c]);
  const larger = columnsOf(6);
  recent.set("a", larger);
  assert.deepEqual([recent.get("a"), recent.get("c")], [larger, c]);
  recent.set("d", columnsOf(11));
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => recent.get(key)),
    [undefined, undefined, undefined, undefined],
  );
});
