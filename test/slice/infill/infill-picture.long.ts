import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encodePng } from "../../../src/codec/png.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { filledMesh } from "../../../src/mesh/filled-mesh.ts";
import { INFILL_KINDS } from "../../../src/mesh/mesh.ts";
import { prepareStack } from "../../../src/slice/stack.ts";
import { denseLayer } from "../../fixture/dense-layer.ts";
import { pictureDifference } from "../../fixture/golden-picture.ts";
import { readPng } from "../../fixture/read-png.ts";
import { uvSphere } from "../../fixture/shapes.ts";
import { drawStack, evenly, gridOf, meshOf, placed } from "../../fixture/slices.ts";
import { insideOut } from "../../fixture/surface-edits.ts";

/** Pixels along a side of a picture, of 0.1 mm, which is a layer as well. */
const SIDE = 300;
const LAYER = 130;
const ROW = 158;

test("the documents show a layer and an upright section of balls with each infill", () => {
  const [width, height] = [INFILL_KINDS.length * SIDE, 2 * SIDE];
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  INFILL_KINDS.forEach((kind, k) => {
    const [inner, outer] = [uvSphere(12.5, 96, 48), uvSphere(14, 96, 48)];
    const infill = { kind, cellMm: 6, wallMm: 0.6, clearanceMm: 1.5, cavity: meshOf(inner) };
    const mesh = filledMesh(meshOf(outer, insideOut(inner)), infill);
    const one = placed(mesh, { position: [0, 0, SIDE / 20] });
    const request = { placed: [one], boundariesMm: evenly(SIDE, 0.1), grid: gridOf(SIDE, SIDE, 0.1) };
    const put = (row: number, greys: Uint8Array): void =>
      greys.forEach((grey, x) => {
        const at = 4 * (row * width + k * SIDE + x);
        rgba.fill(grey, at, at + 3);
      });
    drawStack(prepareStack(request, noProgress), ({ index, runs }) => {
      const picture = denseLayer(runs);
      put(height - 1 - index, picture.subarray(ROW * SIDE, (ROW + 1) * SIDE));
      if (index !== LAYER) return;
      for (let row = 0; row < SIDE; row++) put(row, picture.subarray(row * SIDE, (row + 1) * SIDE));
    });
  });
  const root = join(import.meta.dirname, "../../..");
  const bytes = Buffer.concat(encodePng({ width, height, rgba }, noProgress));
  mkdirSync(join(root, "dist/pictures"), { recursive: true });
  writeFileSync(join(root, "dist/pictures/infill.png"), bytes);
  const difference = pictureDifference(readPng(readFileSync(join(root, "docs/infill.png"))), readPng(bytes));
  assert.ok(difference.share < 1e-3, JSON.stringify(difference));
});
