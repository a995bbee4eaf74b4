import assert from "node:assert/strict";
import { test } from "node:test";
import { coarserGrid } from "../../src/slice/pixel-grid.ts";
import { box, torus } from "../fixture/shapes.ts";
import { areasOf, asFiled, evenly, gridOf, meshOf, picturesOf, placed } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

const boundariesMm = evenly(1, 1);
/** One bar along +x at the front, one along +y at the left: the shape of an L, seen from above. */
const LETTER = asFiled(meshOf(moved(box([3, 1, 2]), [0.5, -1.5, 0]), moved(box([1, 3, 2]), [-0.5, 0.5, 0])));

const rowsOf = (picture: Uint8Array, columns: number): string[] =>
  Array.from({ length: picture.length / columns }, (_, row) =>
    Array.from(picture.subarray(row * columns, (row + 1) * columns), (value) =>
      value === 255 ? "#" : value === 0 ? "." : "+",
    ).join(""),
  );

test("the first row is at the back, the first column at the left", () => {
  const [picture] = picturesOf({ placed: [LETTER], boundariesMm, grid: gridOf(6, 6, 1) });
  assert.deepEqual(rowsOf(picture, 6), ["......", "..#...", "..#...", "..#...", "..###.", "......"]);
});

test("mirrored columns count from the right", () => {
  const shapes = [
    LETTER,
    placed(meshOf(torus(2, 0.7)), { position: [1.23, -0.4, 0.3], orientation: { x: 20, y: 10, z: 5 } }),
  ];
  for (const [columns, rows] of [
    [40, 30],
    [41, 31],
  ]) {
    const [plain, mirrored] = [false, true].map(
      (mirrorX) => picturesOf({ placed: shapes, boundariesMm, grid: gridOf(columns, rows, 0.25, mirrorX) })[0],
    );
    plain.forEach((value, i) => {
      const other = mirrored[i - (i % columns) + columns - 1 - (i % columns)];
      assert.ok(Math.abs(value - other) <= 1, `pixel ${i}: ${value} is not ${other}`);
    });
  }
});

test("rows of pictures that are mirrored top to bottom count from the front, with or without mirrored columns", () => {
  const shape = placed(meshOf(torus(2, 0.7)), { position: [1.23, -0.4, 0.3], orientation: { x: 20, y: 10, z: 5 } });
  for (const mirrorX of [false, true]) {
    const [plain, mirrored] = [false, true].map((mirrorY) => {
      const grid = { ...gridOf(41, 31, 0.25, mirrorX), mirrorY };
      return picturesOf({ placed: [LETTER, shape], boundariesMm, grid })[0];
    });
    plain.forEach((value, i) => {
      const other = mirrored[(30 - Math.floor(i / 41)) * 41 + (i % 41)];
      assert.ok(Math.abs(value - other) <= 1, `pixel ${i}: ${value} is not ${other}`);
    });
  }
});

test("pixels need not be square", () => {
  const [picture] = picturesOf({
    placed: [LETTER],
    boundariesMm,
    grid: { pixels: [12, 3], pixelMm: [0.5, 2], mirrorX: false, portrait: false },
  });
  assert.deepEqual(rowsOf(picture, 12), ["....++......", "....##......", "....++++++.."]);
});

// PrusaSlicer 2.5.0 writes this letter like this for a display with `display_orientation = portrait`.
for (const [mirrorX, expected] of [
  [false, ["......", "....#.", "....#.", ".####.", "......", "......"]],
  [true, ["......", ".#....", ".#....", ".####.", "......", "......"]],
] as const) {
  test(`the image of a portrait display is turned a quarter${mirrorX ? ", and mirrored" : ""}`, () => {
    const grid = { ...gridOf(6, 6, 1, mirrorX), portrait: true };
    const [picture] = picturesOf({ placed: [LETTER], boundariesMm, grid });
    assert.deepEqual(rowsOf(picture, 6), expected);
  });
}

test("a volume clips portrait and landscape images alike", () => {
  const clipTo = { dimensionsMm: [5, 3, 10], filletRadiusMm: 1 } as const;
  const shape = placed(meshOf(torus(2, 0.7)), { position: [1.23, -0.4, 0.3] });
  const areas = [false, true].flatMap((mirrorX) =>
    [false, true].map((portrait) => {
      const grid = { pixels: [24, 8], pixelMm: [0.25, 0.5], mirrorX, portrait } as const;
      return areasOf({ placed: [shape], boundariesMm, grid, clipTo })[0];
    }),
  );
  for (const area of areas) assert.ok(area > 1 && Math.abs(area - areas[0]) < 1e-9, `${area} is not ${areas[0]}`);
});

test("a coarser grid of the same area measures the same layers", () => {
  const clipTo = { dimensionsMm: [5, 4.5, 10], filletRadiusMm: 1 } as const;
  // The bodies overlap each other and the border of the volume.
  const shapes = [0, 1, 2].map((i) =>
    placed(meshOf(torus(1.5, 0.7)), {
      position: [1.2 * i - 1.2, 0.9 * i - 1.1, 1.1],
      orientation: { x: 20 * i, y: 10, z: 5 },
    }),
  );
  for (const portrait of [false, true]) {
    const grid = { pixels: [53, 101], pixelMm: [0.1, 0.05], mirrorX: true, portrait } as const;
    const coarse = coarserGrid(grid, 0.4);
    assert.deepEqual(coarse.pixels, [14, 13]);
    const stack = { placed: shapes, boundariesMm: evenly(20, 0.11), clipTo };
    const [fine, measured] = [grid, coarse].map((one) => areasOf({ ...stack, grid: one }));
    fine.forEach((area, k) => {
      assert.ok(Math.abs(area - measured[k]) < 1e-6 * (1 + area), `layer ${k}: ${area} and ${measured[k]}`);
    });
    assert.ok(fine.every((area) => area > 1));
    assert.deepEqual(coarserGrid(coarse, 0.1), coarse);
  }
});
