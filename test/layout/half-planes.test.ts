import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { type HalfPlane, shortestMove } from "../../src/layout/half-planes.ts";

const limit = fc
  .tuple(fc.integer({ min: 0, max: 359 }), fc.integer({ min: -300, max: 300 }))
  .map(([degrees, hundredths]): HalfPlane => {
    const angle = (degrees * Math.PI) / 180;
    return { x: Math.cos(angle), y: Math.sin(angle), least: hundredths / 100 };
  });

const within = (limits: readonly HalfPlane[], x: number, y: number, slack: number): boolean =>
  limits.every((one) => one.x * x + one.y * y >= one.least - slack);

test("the move is the shortest one in all half-planes, compared with a fine grid; without a move, the grid has none either", () => {
  let none = 0;
  fc.assert(
    fc.property(fc.array(limit, { maxLength: 6 }), (limits) => {
      const move = shortestMove(limits);
      if (!move) none++;
      else assert.ok(within(limits, move.x, move.y, 1e-6));
      const length = move ? Math.hypot(move.x, move.y) : Infinity;
      for (let x = -8; x <= 8; x += 0.125) {
        for (let y = -8; y <= 8; y += 0.125) {
          if (Math.hypot(x, y) < length - 1e-6) assert.ok(!within(limits, x, y, -1e-6), `${x}, ${y} would do`);
        }
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(none > 10);
});
