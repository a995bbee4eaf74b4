import assert from "node:assert/strict";
import { test } from "node:test";
import { cheapestFirst } from "../../src/orient/cheapest-first.ts";
import type { CostedDirection } from "../../src/orient/refine-direction.ts";
import { fc } from "../fixture/property.ts";

interface Priced extends CostedDirection {
  /** Added to the cost; undefined for an unacceptable choice. */
  readonly more: number | undefined;
}

const choices = fc.array(
  fc.record({
    up: fc.constant([0, 0, 1] as const),
    cost: fc.integer({ min: 0, max: 30 }),
    more: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  }),
);

test("choices are yielded by total cost, and a total is computed only once it can be the next", () => {
  fc.assert(
    fc.property(choices, (all: Priced[]) => {
      const examined: Priced[] = [];
      const totalCost = (one: Priced): number | undefined => {
        examined.push(one);
        return one.more === undefined ? undefined : one.cost + one.more;
      };
      const found: number[] = [];
      for (const { cost } of cheapestFirst(all, totalCost)) {
        found.push(cost);
        assert.ok(examined.every((one) => one.cost <= cost));
      }
      const expected = all.flatMap(({ cost, more }) => (more === undefined ? [] : [cost + more]));
      assert.deepEqual(
        found,
        expected.sort((a, b) => a - b),
      );
      assert.equal(examined.length, all.length);
    }),
  );
});
