import assert from "node:assert/strict";
import { test } from "node:test";
import { loupeMiddle } from "../../src/page/view/loupe.ts";

const SIZE = { width: 400, height: 300 };

test("the loupe is above the finger, beside it at the upper edge, and always within the picture", () => {
  assert.deepEqual(loupeMiddle({ x: 200, y: 200 }, SIZE), { x: 200, y: 128 });
  assert.deepEqual(loupeMiddle({ x: 10, y: 200 }, SIZE), { x: 48, y: 128 });
  assert.deepEqual(loupeMiddle({ x: 395, y: 290 }, SIZE), { x: 352, y: 218 });
  assert.deepEqual(loupeMiddle({ x: 100, y: 60 }, SIZE), { x: 172, y: 60 });
  assert.deepEqual(loupeMiddle({ x: 390, y: 10 }, SIZE), { x: 318, y: 48 });
});
