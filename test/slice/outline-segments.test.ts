import assert from "node:assert/strict";
import { test } from "node:test";
import { type Segments, closeGaps, newSegments, pushSegment } from "../../src/slice/outline-segments.ts";
import { randomFrom } from "../fixture/random.ts";

type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

function segmentsOf(outlines: readonly (readonly Segment[])[]): Segments {
  const segments = newSegments();
  outlines.forEach((outline, model) =>
    outline.forEach(([x0, y0, x1, y1]) => pushSegment(segments, x0, y0, x1, y1, model)),
  );
  return segments;
}

const segmentsFrom = ({ ends, count, models }: Segments, first: number, model: number): Segment[] =>
  Array.from({ length: count }, (_, s) => s)
    .filter((s) => s >= first && models[s] === model)
    .map((s) => [ends[4 * s], ends[4 * s + 1], ends[4 * s + 2], ends[4 * s + 3]]);

/** A regular polygon around a point. */
const ring = (x: number, y: number, radius: number, corners: number): Segment[] => {
  const at = (i: number): [number, number] => {
    const angle = (2 * Math.PI * (i % corners)) / corners;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  };
  return Array.from({ length: corners }, (_, i): Segment => [...at(i), ...at(i + 1)]);
};

function assertClosed(outline: readonly Segment[]): void {
  const balances = new Map<string, number>();
  const count = (x: number, y: number, step: number): unknown =>
    balances.set(`${x} ${y}`, (balances.get(`${x} ${y}`) ?? 0) + step);
  for (const [x0, y0, x1, y1] of outline) {
    count(x0, y0, -1);
    count(x1, y1, 1);
  }
  assert.ok([...balances.values()].every((balance) => balance === 0));
}

test("outlines with random gaps have no loose ends after closing", () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = randomFrom(seed);
    const share = random();
    const models = Array.from({ length: 3 }, () =>
      [ring(10, 10, 8, 40), ring(10, 10, 3, 12), ring(30, 9, 5, 30)].flat().filter(() => random() < share),
    );
    const segments = segmentsOf(models);
    const before = segments.count;
    closeGaps(segments, (model) => model !== 1);
    for (const model of [0, 2]) assertClosed(segmentsFrom(segments, 0, model));
    assert.deepEqual(segmentsFrom(segments, before, 1), [], "a model without gaps is left alone");
  }
});

test("a gap is closed by the missing segment if that is the shortest", () => {
  const whole = [...ring(10, 10, 8, 40), ...ring(40, 10, 8, 40)];
  const missing = new Set([3, 17, 18, 19, 50]);
  const segments = segmentsOf([whole.filter((_, i) => !missing.has(i))]);
  const before = segments.count;
  closeGaps(segments, () => true);
  const straight = (from: number, to: number): Segment => [whole[from][0], whole[from][1], whole[to][2], whole[to][3]];
  const expected = [straight(3, 3), straight(50, 50), straight(17, 19)];
  const order = (a: Segment, b: Segment): number => a[0] - b[0] || a[1] - b[1];
  assert.deepEqual(segmentsFrom(segments, before, 0).sort(order), expected.sort(order));
});

test("thousands of gaps are closed", () => {
  const dashes = Array.from({ length: 40 }, (_, i) => ring(20 * (i % 8), 20 * Math.floor(i / 8), 8, 99)).flat();
  const segments = segmentsOf([dashes.filter((_, i) => i % 3 !== 0)]);
  const before = segments.count;
  closeGaps(segments, () => true);
  assertClosed(segmentsFrom(segments, 0, 0));
  const chord = 2 * 8 * Math.sin(Math.PI / 99);
  for (const [x0, y0, x1, y1] of segmentsFrom(segments, before, 0)) {
    assert.ok(Math.hypot(x1 - x0, y1 - y0) < 1.01 * chord);
  }
});
