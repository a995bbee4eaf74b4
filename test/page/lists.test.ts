import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_SELECTION, clicked, withoutGone } from "../../src/page/state/selection.ts";
import { scrollTo, visibleRows } from "../../src/page/widget/visible-rows.ts";
import { fc } from "../fixture/property.ts";

const ORDER = ["a", "b", "c", "d", "e"];

test("a click selects one, Ctrl adds and removes, Shift selects from the anchor on", () => {
  const one = clicked(NO_SELECTION, ["b"], ORDER);
  assert.deepEqual(one.ids, ["b"]);
  const range = clicked(one, ["d"], ORDER, { isRange: true });
  assert.deepEqual(range.ids, ["b", "c", "d"]);
  assert.deepEqual(clicked(range, ["a"], ORDER, { isRange: true }).ids, ["a", "b"], "the anchor stays");
  const more = clicked(range, ["a"], ORDER, { isToggle: true });
  assert.deepEqual(more.ids, ["a", "b", "c", "d"], "in the order of the list");
  assert.deepEqual(clicked(more, ["c"], ORDER, { isToggle: true }).ids, ["a", "b", "d"]);
  assert.deepEqual(
    clicked(clicked(NO_SELECTION, ["a"], ORDER), ["e"], ORDER, { isToggle: true, isRange: true }).ids,
    ORDER,
  );
});

test("models that a search hides stay selected when another is added", () => {
  assert.deepEqual(clicked({ ids: ["x"], anchor: "x" }, ["b"], ORDER, { isToggle: true }).ids, ["b", "x"]);
});

test("deleted models are removed from the selection", () => {
  const selection = { ids: ["a", "b"], anchor: "b" };
  assert.equal(withoutGone(selection, new Set(ORDER)), selection);
  assert.deepEqual(withoutGone(selection, new Set(["a"])), { ids: ["a"], anchor: undefined });
});

test("a long list renders every row of its window, and few others", () => {
  const window = fc.record({
    total: fc.integer({ min: 0, max: 10_000 }),
    scrolledPx: fc.integer({ min: 0, max: 300_000 }),
    windowPx: fc.integer({ min: 0, max: 2000 }),
  });
  fc.assert(
    fc.property(window, ({ total, scrolledPx, windowPx }) => {
      const { first, count, heightPx } = visibleRows(total, 28, scrolledPx, windowPx);
      assert.equal(heightPx, total * 28);
      assert.ok(first >= 0 && first <= total && first + count <= total);
      assert.ok(count <= windowPx / 28 + 14);
      for (const y of [scrolledPx, scrolledPx + windowPx]) {
        const row = Math.floor(y / 28);
        if (row < total) assert.ok(row >= first && row <= first + count, `row ${row} of ${total}`);
      }
    }),
  );
});

test("a row is scrolled into the window by the shortest distance", () => {
  assert.equal(scrollTo(10, 28, 0, 400), 0, "it is there");
  assert.equal(scrollTo(20, 28, 0, 400), 21 * 28 - 400);
  assert.equal(scrollTo(1, 28, 500, 400), 28);
});
