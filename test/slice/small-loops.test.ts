import assert from "node:assert/strict";
import { test } from "node:test";
import { newSegments, pushSegment } from "../../src/slice/outline-segments.ts";
import { newSmallLoopFinder } from "../../src/slice/small-loops.ts";
import { randomFrom } from "../fixture/random.ts";

const STRIDE = 8;

test("a loop is small if it passes through no sampled row from top to bottom, or leaves the layer", () => {
  const random = randomFrom(1);
  const find = newSmallLoopFinder(100, 60, STRIDE);
  let count = 0;
  for (let round = 0; round < 50; round++) {
    const segments = newSegments();
    const expected: { first: number; end: number }[] = [];
    const sides: [number, number, number, number][] = [];
    for (let loop = 0; loop < 20; loop++) {
      const [x, y, radius] = [100 * random(), 60 * random(), 10 * random()];
      const turn = random();
      const corners = Array.from({ length: 5 }, (_, i) => {
        const angle = 2 * Math.PI * (turn + i / 5);
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
      });
      corners.forEach((corner, i) => sides.push([...corner, ...corners[(i + 1) % 5]]));
      const ys = corners.map(([, at]) => at);
      const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
      const leaves = top < 0 || bottom > 60 || corners.some(([at]) => at < 0 || at > 100);
      const isSampled = Array.from({ length: 8 }, (_, i) => STRIDE * i).some((row) => top <= row && row + 1 <= bottom);
      const isBeside = corners.some(([at]) => at < 0 || at > 100);
      if (isSampled && !leaves) continue;
      expected.push({ first: isBeside ? 0 : Math.max(0, Math.floor(top)), end: Math.min(60, Math.floor(bottom) + 1) });
    }
    for (const [x0, y0, x1, y1] of sides.sort(() => random() - 0.5)) pushSegment(segments, x0, y0, x1, y1, 0);
    const order = (ranges: readonly { first: number; end: number }[]): string[] =>
      ranges.map(({ first, end }) => `${first} ${end}`).sort();
    assert.deepEqual(order(find(segments)), order(expected));
    count += expected.length;
  }
  assert.ok(count > 120, `${count} small loops`);
});
