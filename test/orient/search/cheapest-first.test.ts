import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cheapestFirst } from "../../../src/orient/search/cheapest-first.ts";
import type { Choice } from "../../../src/orient/search/refine.ts";

interface Priced extends Choice {
  /** What comes on top; undefined for one that will not do. */
  readonly more: number | undefined;
}

const choices = fc.array(
  fc.record({
    up: fc.constant([0, 0, 1] as const),
    cost: fc.integer({ min: 0, max: 30 }),
    more: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  }),
);

test("choices come in the order of what they cost in all, and none is asked for before it may be next", () => {
  fc.assert(
    fc.property(choices, (all: Priced[]) => {
      const asked: Priced[] = [];
      const inAll = (one: Priced): number | undefined => {
        asked.push(one);
        return one.more === undefined ? undefined : one.cost + one.more;
      };
      const found: number[] = [];
      for (const { cost } of cheapestFirst(all, inAll)) {
        found.push(cost);
        assert.ok(asked.every((one) => one.cost <= cost));
      }
      const expected = all.flatMap(({ cost, more }) => (more === undefined ? [] : [cost + more]));
      assert.deepEqual(
        found,
        expected.sort((a, b) => a - b),
      );
      assert.equal(asked.length, all.length);
    }),
  );
});
