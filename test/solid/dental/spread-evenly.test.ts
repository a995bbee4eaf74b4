import assert from "node:assert/strict";
import { test } from "node:test";
import { spreadEvenly } from "../../../src/solid/dental/spread-evenly.ts";
import { randomFrom } from "../../fixture/altered.ts";

const gapsOf = (places: readonly number[], chosen: readonly number[], lengthMm: number): number[] => {
  const sorted = chosen.map((i) => places[i]).toSorted((a, b) => a - b);
  return sorted.map((place, i) => (i + 1 < sorted.length ? sorted[i + 1] : sorted[0] + lengthMm) - place);
};

test("where every place will do, places are spread evenly", () => {
  const places = Array.from({ length: 1000 }, (_, i) => i / 10);
  for (const most of [1, 2, 3, 7, 50]) {
    const chosen = spreadEvenly(places, 100, 1, most);
    assert.equal(chosen.length, most);
    for (const gap of gapsOf(places, chosen, 100)) assert.ok(Math.abs(gap - 100 / most) <= 0.2, `${most}: ${gap}`);
  }
});

test("no two are nearer than they may be, and none is left out that could stand", () => {
  const random = randomFrom(3);
  for (let round = 0; round < 300; round++) {
    const lengthMm = 20 + 100 * random();
    const places = Array.from({ length: 1 + Math.floor(12 * random()) }, () => random() * lengthMm).sort(
      (a, b) => a - b,
    );
    const apartMm = 30 * random();
    const most = 1 + Math.floor(6 * random());
    const chosen = spreadEvenly(places, lengthMm, apartMm, most);
    assert.equal(new Set(chosen).size, chosen.length);
    assert.ok(chosen.length >= 1 && chosen.length <= most);
    if (chosen.length > 1) for (const gap of gapsOf(places, chosen, lengthMm)) assert.ok(gap >= apartMm - 1e-9);
  }
});

test("two of any places are the pair that lies farthest apart, or nearly", () => {
  const random = randomFrom(8);
  for (let round = 0; round < 100; round++) {
    const places = Array.from({ length: 9 }, () => 100 * random()).sort((a, b) => a - b);
    const apart = (a: number, b: number): number => Math.min(Math.abs(a - b), 100 - Math.abs(a - b));
    const best = Math.max(...places.flatMap((a) => places.map((b) => apart(a, b))));
    const chosen = spreadEvenly(places, 100, 0, 2);
    assert.equal(chosen.length, 2);
    assert.ok(apart(places[chosen[0]], places[chosen[1]]) >= best - 0.11);
  }
});
