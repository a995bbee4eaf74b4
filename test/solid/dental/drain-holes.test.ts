import assert from "node:assert/strict";
import { test } from "node:test";
import { spreadEvenly } from "../../../src/solid/dental/drain-holes.ts";
import { randomFrom } from "../../fixture/random.ts";

const gapsOf = (positions: readonly number[], chosen: readonly number[], lengthMm: number): number[] => {
  const sorted = chosen.map((i) => positions[i]).toSorted((a, b) => a - b);
  return sorted.map((position, i) => (i + 1 < sorted.length ? sorted[i + 1] : sorted[0] + lengthMm) - position);
};

test("holes are spread evenly if all positions are possible", () => {
  const positions = Array.from({ length: 1000 }, (_, i) => i / 10);
  for (const most of [1, 2, 3, 7, 50]) {
    const chosen = spreadEvenly(positions, 100, 1, most);
    assert.equal(chosen.length, most);
    for (const gap of gapsOf(positions, chosen, 100)) assert.ok(Math.abs(gap - 100 / most) <= 0.2, `${most}: ${gap}`);
  }
});

test("no two holes are closer than permitted, and no possible hole is left out", () => {
  const random = randomFrom(3);
  for (let round = 0; round < 300; round++) {
    const lengthMm = 20 + 100 * random();
    const positions = Array.from({ length: 1 + Math.floor(12 * random()) }, () => random() * lengthMm).sort(
      (a, b) => a - b,
    );
    const apartMm = 30 * random();
    const most = 1 + Math.floor(6 * random());
    const chosen = spreadEvenly(positions, lengthMm, apartMm, most);
    assert.equal(new Set(chosen).size, chosen.length);
    assert.ok(chosen.length >= 1 && chosen.length <= most);
    if (chosen.length > 1) for (const gap of gapsOf(positions, chosen, lengthMm)) assert.ok(gap >= apartMm - 1e-9);
  }
});

test("two holes are at nearly the most distant pair of the positions", () => {
  const random = randomFrom(8);
  for (let round = 0; round < 100; round++) {
    const positions = Array.from({ length: 9 }, () => 100 * random()).sort((a, b) => a - b);
    const apart = (a: number, b: number): number => Math.min(Math.abs(a - b), 100 - Math.abs(a - b));
    const best = Math.max(...positions.flatMap((a) => positions.map((b) => apart(a, b))));
    const chosen = spreadEvenly(positions, 100, 0, 2);
    assert.equal(chosen.length, 2);
    assert.ok(apart(positions[chosen[0]], positions[chosen[1]]) >= best - 0.11);
  }
});
