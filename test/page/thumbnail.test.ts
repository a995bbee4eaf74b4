import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf } from "../../src/geometry/box.ts";
import { THUMBNAIL, drawThumbnail } from "../../src/page/view/thumbnail.ts";
import { box, cylinder } from "../fixture/shapes.ts";

const { width, height } = THUMBNAIL;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as const;
const GREY = 0x808080;

const packed = ({ vertices, triangles }: ReturnType<typeof box>) => ({
  positions: Float32Array.from(vertices),
  triangles: Uint32Array.from(triangles),
  box: boxOf(vertices),
});

/** Share of the pixels that are covered, and the number of different shades of completely covered pixels. */
function seenIn(pixels: Uint8ClampedArray): { readonly share: number; readonly shades: number } {
  const shades = new Set<number>();
  let covered = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    covered += pixels[at + 3]! / 255;
    if (pixels[at + 3] === 255) shades.add(pixels[at]!);
  }
  return { share: covered / (width * height), shades: shades.size };
}

test("a cube is a hexagon with three shades that fills the height", () => {
  const pixels = drawThumbnail(packed(box([10, 10, 10])), IDENTITY, GREY);
  const { share, shades } = seenIn(pixels);
  // A regular hexagon with two upright sides and the height h has the area 3√3/8 h². Without the rims the height is 78 pixels.
  assert.ok(Math.abs(share - (0.6495 * 78 ** 2) / (width * height)) < 0.02, `${share}`);
  assert.ok(shades >= 3 && shades <= 12, `${shades} shades: three faces, and the mixed ones at their edges`);
  assert.equal(pixels[3], 0, "the corner is transparent");
});

test("size and position do not matter, orientation does", () => {
  const mesh = packed(cylinder(4, 20, 24));
  const plain = drawThumbnail(mesh, IDENTITY, GREY);
  const larger = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 50, -7, 3, 1] as const;
  assert.deepEqual(drawThumbnail(mesh, larger, GREY), plain);
  const lying = [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1] as const;
  assert.notDeepEqual(drawThumbnail(mesh, lying, GREY), plain);
});

test("nearer faces hide those behind, in any order of the triangles", () => {
  const mesh = packed(box([10, 6, 4]));
  const reversed = { ...mesh, triangles: Uint32Array.from(mesh.triangles).toReversed() };
  const [one, other] = [mesh, reversed].map((each) => drawThumbnail(each, IDENTITY, GREY));
  const different = one!.filter((value, i) => Math.abs(value - other![i]!) > 3).length;
  // Samples exactly on an edge have the shade of the triangle that was drawn first.
  assert.ok(different < 0.01 * one!.length, `${different} values differ`);
});
