import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { opticsSchema } from "../../src/catalog/optics.ts";
import { greyTable } from "../../src/job/grey-table.ts";

const PLAIN = { greyLevels: 256, leastGrey: 1 };

for (const response of [1, 2.2, 3]) {
  for (const greyLevels of [8, 16, 256]) {
    test(`exponent ${response}, ${greyLevels} levels: each grey has the nearest dose to its coverage`, () => {
      const table = greyTable({ ...PLAIN, response, greyLevels });
      const shown = Array.from({ length: greyLevels }, (_, k) => Math.round((255 * k) / (greyLevels - 1)));
      const off = (grey: number, cover: number): number => Math.abs((grey / 255) ** response - cover / 255);
      table.forEach((grey, cover) => {
        assert.ok(shown.includes(grey));
        assert.ok(off(grey, cover) <= Math.min(...shown.map((other) => off(other, cover))) + 1e-9);
      });
    });
  }
}

test("tables rise from black to white, with a blur as well", () => {
  for (const blurPx of [0.15, 0.3, 0.5, 0.7, 2]) {
    const table = greyTable({ ...PLAIN, response: 3, blurPx: [blurPx, blurPx / 2] });
    assert.deepEqual([table[0], table[255]], [0, 255]);
    assert.ok(table.every((grey, cover) => cover === 0 || grey >= table[cover - 1]));
  }
});

test("with a blur of half a pixel, a quarter of the dose is a coverage of 0.19, as simulated in the reference", () => {
  const table = greyTable({ ...PLAIN, response: 1, blurPx: [0.5, 0.5] });
  for (const [cover, dose] of [
    [0.19, 0.25],
    [0.5, 0.5],
    [0.81, 0.75],
  ] as const) {
    assert.ok(Math.abs(table[Math.round(255 * cover)] / 255 - dose) < 0.01);
  }
});

test("no grey is below the least one, and less than half of its dose is black", () => {
  const table = greyTable({ ...PLAIN, response: 1, leastGrey: 40 });
  assert.deepEqual([table[19], table[21], table[39], table[41]], [0, 40, 40, 41]);
});

test("a table of doses gives the greys of the exponent on whose curve it lies", () => {
  const doses = Array.from({ length: 16 }, (_, k) => k / 15);
  assert.deepEqual(greyTable({ ...PLAIN, response: doses }), greyTable({ ...PLAIN, response: 1 }));
});

test("optics without an origin, with falling doses and with an unknown exponent are refused", () => {
  const origin = { source: "a meter", date: "2026-11-29" };
  const isValid = (response: object): boolean => v.is(opticsSchema, { response });
  assert.ok(isValid({ value: 3, ...origin }));
  for (const bad of [
    { value: 3 },
    { value: 0, ...origin },
    { value: [0, 1], ...origin },
    { value: 3, ...origin, date: "May" },
  ]) {
    assert.ok(!isValid(bad));
  }
  const falling = Array.from({ length: 16 }, (_, k) => (k === 7 ? 0.1 : k / 15));
  assert.ok(!isValid({ value: falling, ...origin }));
});
