import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "opentype.js/dist/opentype.mjs";
import { assetBytes } from "../../src/core/asset.ts";
import { areaOf, signedArea } from "../../src/mesh/boolean/region/region.ts";
import { rangeOf } from "../../src/mesh/boolean/region/range-of.ts";
import { CAPITAL, EM, glyphOf } from "../../src/text/font.ts";
import { textRegion } from "../../src/text/text-region.ts";

const font = parse(assetBytes("DejaVuSans-Bold.ttf").buffer);

test("the measures of the font are those that it has", () => {
  assert.equal(font.unitsPerEm, EM);
  assert.equal(font.charToGlyph("H").getBoundingBox().y2, CAPITAL);
  const licence = new TextDecoder().decode(assetBytes("DejaVu-LICENSE.txt"));
  assert.match(licence, /Bitstream Vera[\s\S]*permission notice shall\s+be included in all copies/);
});

test("it has the letters of Latin, Greek and Cyrillic languages", () => {
  const letters =
    "ABCXYZabcxyz0123456789.,:;!?+-*/=()[]{}@#%&$€£§°±×÷µ№–—„“”’«»ÀÅÆÇÉÑÖØÜßþðĀąćčďęěğħıłńňőœřśşšťůűżžȘț" +
    "ΑΒΓΔΘΛΞΠΣΦΨΩαβγδθλμπςστφψωάέήίόύώϊΐ" +
    "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяЂЄІЇЈЉЊЋЎЏґєіїјљњћўџ";
  assert.deepEqual(
    [...letters].filter((letter) => glyphOf(letter) === 0),
    [],
  );
  assert.equal(glyphOf("漢"), 0);
});

test("outlines enclose what the font's curves do, openings left out", async () => {
  for (const [text, openings] of [
    ["H", 0],
    ["O", 1],
    ["B8", 4],
    ["g", 1],
    ["Ж", 0],
    ["Ω", 0],
    ["é", 1],
    ["@", 1],
  ] as const) {
    const { region } = await textRegion(text);
    assert.equal(region.filter((ring) => signedArea(ring) < 0).length, openings, text);
  }
  // Two bars and what joins them.
  const { region } = await textRegion("I");
  const { x1, x2, y1, y2 } = font.charToGlyph("I").getBoundingBox();
  assert.equal(areaOf(region), (x2 - x1) * (y2 - y1));
  // Against curves in many more pieces.
  for (const letter of ["O", "S", "8", "σ", "ф"]) {
    assert.ok(Math.abs(areaOf((await textRegion(letter)).region) / exactArea(letter) - 1) < 0.004, letter);
  }
});

/** The area between curves in a thousand pieces each, of a glyph whose outlines do not overlap. */
function exactArea(letter: string): number {
  let [doubled, x, y, startX, startY] = [0, 0, 0, 0, 0];
  const to = (nextX: number, nextY: number): void => {
    doubled += x * nextY - y * nextX;
    [x, y] = [nextX, nextY];
  };
  for (const command of font.charToGlyph(letter).path.commands) {
    if (command.type === "M") [x, y, startX, startY] = [command.x, command.y, command.x, command.y];
    else if (command.type === "L") to(command.x, command.y);
    else if (command.type === "Z") to(startX, startY);
    else if (command.type === "Q") {
      const [fromX, fromY] = [x, y];
      for (let i = 1; i <= 1000; i++) {
        const [t, u] = [i / 1000, 1 - i / 1000];
        to(
          u * u * fromX + 2 * u * t * command.x1 + t * t * command.x,
          u * u * fromY + 2 * u * t * command.y1 + t * t * command.y,
        );
      }
    }
  }
  return Math.abs(doubled) / 2;
}

test("letters stand one after the other, and nearer where the font kerns them", async () => {
  const width = async (text: string): Promise<number> => (await textRegion(text)).width;
  assert.equal(await width("HH"), 2 * font.charToGlyph("H").advanceWidth!);
  assert.equal(await width("a b"), (await width("a")) + (await width(" ")) + (await width("b")));
  for (const pair of ["AV", "To", "LT"])
    assert.ok((await width(pair)) < (await width(pair[0])) + (await width(pair[1])) - EM / 20, pair);
  const { region, starts } = await textRegion("HH");
  assert.deepEqual(starts, [0, font.charToGlyph("H").advanceWidth]);
  const [least, most] = rangeOf(region, 0);
  assert.ok(least > 0 && most < (await width("HH")));
  assert.deepEqual(rangeOf(region, 1), [0, CAPITAL]);
});
