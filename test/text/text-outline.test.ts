import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "opentype.js/dist/opentype.mjs";
import { assetBytes } from "../../src/core/asset.ts";
import { coordinateRange, polygonsArea, signedArea } from "../../src/geometry/polygon.ts";
import { CAP_HEIGHT, UNITS_PER_EM, glyphIndex } from "../../src/text/font.ts";
import { textOutline } from "../../src/text/text-outline.ts";

const font = parse(assetBytes("DejaVuSans-Bold.ttf").buffer);

test("the constants are the metrics of the font", () => {
  assert.equal(font.unitsPerEm, UNITS_PER_EM);
  assert.equal(font.charToGlyph("H").getBoundingBox().y2, CAP_HEIGHT);
  const licence = new TextDecoder().decode(assetBytes("DejaVu-LICENSE.txt"));
  assert.match(licence, /Bitstream Vera[\s\S]*permission notice shall\s+be included in all copies/);
});

test("the font has the letters of Latin, Greek and Cyrillic languages", () => {
  const letters =
    "ABCXYZabcxyz0123456789.,:;!?+-*/=()[]{}@#%&$€£§°±×÷µ№–—„“”’«»ÀÅÆÇÉÑÖØÜßþðĀąćčďęěğħıłńňőœřśşšťůűżžȘț" +
    "ΑΒΓΔΘΛΞΠΣΦΨΩαβγδθλμπςστφψωάέήίόύώϊΐ" +
    "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяЂЄІЇЈЉЊЋЎЏґєіїјљњћўџ";
  assert.deepEqual(
    [...letters].filter((letter) => glyphIndex(letter) === 0),
    [],
  );
  assert.equal(glyphIndex("漢"), 0);
});

test("outlines enclose the same points as the curves of the font, without holes", async () => {
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
    const { region } = await textOutline(text);
    assert.equal(region.filter((ring) => signedArea(ring) < 0).length, openings, text);
  }
  // The letter I is a rectangle.
  const { region } = await textOutline("I");
  const { x1, x2, y1, y2 } = font.charToGlyph("I").getBoundingBox();
  assert.equal(polygonsArea(region), (x2 - x1) * (y2 - y1));
  // Compared with curves in many more pieces.
  for (const letter of ["O", "S", "8", "σ", "ф"]) {
    assert.ok(Math.abs(polygonsArea((await textOutline(letter)).region) / exactArea(letter) - 1) < 0.004, letter);
  }
});

/** The area between curves of a thousand pieces each, for a glyph whose outlines do not overlap. */
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

test("letters advance by their widths, or less if the font has kerning", async () => {
  const width = async (text: string): Promise<number> => (await textOutline(text)).width;
  assert.equal(await width("HH"), 2 * font.charToGlyph("H").advanceWidth!);
  assert.equal(await width("a b"), (await width("a")) + (await width(" ")) + (await width("b")));
  for (const pair of ["AV", "To", "LT"])
    assert.ok((await width(pair)) < (await width(pair[0])) + (await width(pair[1])) - UNITS_PER_EM / 20, pair);
  const { region, starts } = await textOutline("HH");
  assert.deepEqual(starts, [0, font.charToGlyph("H").advanceWidth]);
  const [least, most] = coordinateRange(region, 0);
  assert.ok(least > 0 && most < (await width("HH")));
  assert.deepEqual(coordinateRange(region, 1), [0, CAP_HEIGHT]);
});
