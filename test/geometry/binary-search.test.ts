import assert from "node:assert/strict";
import { test } from "node:test";
import { lowerBound, partitionPoint, upperBound } from "../../src/geometry/binary-search.ts";
import { fc } from "../fixture/property.ts";

const value = fc.integer({ min: -5, max: 5 });
const ascending = fc.array(value, { maxLength: 20 }).map((list) => list.toSorted((a, b) => a - b));

test("the bounds are the number of smaller values, and of values that are not greater", () => {
  fc.assert(
    fc.property(ascending, value, (values, wanted) => {
      const less = values.filter((one) => one < wanted).length;
      assert.equal(lowerBound(values, wanted), less);
      assert.equal(
        partitionPoint(values.length, (index) => values[index] < wanted),
        less,
      );
      assert.equal(upperBound(Float64Array.from(values), wanted), values.filter((one) => one <= wanted).length);
    }),
  );
});
