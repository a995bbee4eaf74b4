import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { filledMesh, infillShare } from "../../../src/mesh/filled-mesh.ts";
import type { InfillRule, Mesh } from "../../../src/mesh/mesh.ts";
import type { PixelGrid } from "../../../src/slice/pixel-grid.ts";
import { rasteriseChunk } from "../../../src/slice/rasterise-chunk.ts";
import { prepareStack } from "../../../src/slice/stack.ts";
import { filledShell } from "../../fixture/filled-shell.ts";
import { denseLayer } from "../../fixture/dense-layer.ts";
import { longTest } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";
import { areasOf, drawStack, evenly, gridOf, meshOf, placed } from "../../fixture/slices.ts";
import { insideOut } from "../../fixture/surface-edits.ts";
import { DRAINED_BOX_MM, drainedBox, pocketsOf } from "../../fixture/drained-box.ts";

type Point = readonly [number, number, number];

const ruleOf = (more: Partial<InfillRule> = {}): InfillRule => ({
  kind: "STRUTS",
  cellMm: 6,
  wallMm: 0.6,
  clearanceMm: 0,
  ...more,
});

/** Whether a place, relative to a node, is in a capsule between a node and one of the eight around it: the nodes are looked for one by one. */
function isInCapsule([x, y, z]: Point, { cellMm, wallMm }: InfillRule): boolean {
  const half = cellMm / 2;
  for (let node = 0; node < 27; node++) {
    const [i, j, k] = [node % 3, Math.floor(node / 3) % 3, Math.floor(node / 9)];
    const px = x - cellMm * (Math.round(x / cellMm) + i - 1);
    const py = y - cellMm * (Math.round(y / cellMm) + j - 1);
    const pz = z - cellMm * (Math.round(z / cellMm) + k - 1);
    for (let corner = 0; corner < 8; corner++) {
      const dx = corner & 1 ? half : -half;
      const dy = corner & 2 ? half : -half;
      const dz = corner & 4 ? half : -half;
      const along = Math.max(0, Math.min(1, (px * dx + py * dy + pz * dz) / (3 * half * half)));
      const [ex, ey, ez] = [px - along * dx, py - along * dy, pz - along * dz];
      if (ex * ex + ey * ey + ez * ez <= (wallMm / 2) ** 2) return true;
    }
  }
  return false;
}

test("pixels inside the cavity have the coverage of points in capsules", () => {
  const random = randomFrom(7);
  const views: Partial<PixelGrid>[] = [
    { mirrorX: true, enlarged: [1.1, 0.95, 1.2] },
    { portrait: true },
    { mirrorX: true, portrait: true, mirrorY: true },
  ];
  const rule = ruleOf({ cellMm: 5, wallMm: 0.7 });
  const position = [0.37, -0.21, 7.3] as const;
  const one = placed(filledShell(box([16, 17, 13]), box([14, 15, 11]), rule), { position });
  for (const view of views) {
    const grid: PixelGrid = { pixels: [100, 90], pixelMm: [0.2, 0.25], mirrorX: false, portrait: false, ...view };
    const stack = prepareStack({ placed: [one], boundariesMm: evenly(60, 0.25), grid }, noProgress);
    const layer = 20 + Math.floor(20 * random());
    const [wider, deeper, higher] = view.enlarged ?? [1, 1, 1];
    const z = ((layer + 0.5) * 0.25) / higher - position[2];
    const range = { from: layer, end: layer + 1 };
    const chunk = Math.floor(layer / stack.chunkSize);
    const [{ runs } = assert.fail()] = [...rasteriseChunk(stack, chunk, () => {}, range)];
    const picture = denseLayer(runs);
    let [worst, covered] = [0, 0];
    for (let i = 0; i < 250; i++) {
      const [x, y] = [Math.floor(60 * random()) + 20, Math.floor(50 * random()) + 20];
      let inside = 0;
      for (let k = 0; k < 64; k++) {
        const [u, v] = [x + ((k % 8) + 0.5) / 8, y + (Math.floor(k / 8) + 0.5) / 8];
        const across = ((u - 50) * 0.2 * (view.mirrorX ? -1 : 1)) / wider;
        const along = ((45 - v) * 0.25 * (view.mirrorY ? -1 : 1)) / deeper;
        if (isInCapsule([across - position[0], along - position[1], z], rule)) inside++;
      }
      covered += inside / 64;
      // A quarter turn to the left brings the right side to the top.
      const at = view.portrait ? (99 - x) * 90 + y : y * 100 + x;
      worst = Math.max(worst, Math.abs(picture[at]! / 255 - inside / 64));
    }
    assert.ok(covered > 8 && worst < 0.08, `${JSON.stringify(view)}: ${worst} of ${covered}`);
  }
});

test("struts have the volume of their closed form, which estimates know, on fine and on coarse pixels", () => {
  for (const [cellMm, wallMm, pixelMm, tolerance] of [
    [6, 1, 0.2, 0.01],
    [3, 0.5, 0.1, 0.01],
    // Sections are as high as a pixel.
    [3, 0.2, 0.3, 0.08],
  ] as const) {
    const rule = ruleOf({ cellMm, wallMm });
    // Whole cells.
    const side = 12;
    const mesh = filledShell(box([16, 16, 16]), box([side, side, side]), rule);
    const layerMm = 0.125;
    const pixels = Math.ceil(18 / pixelMm);
    const areas = areasOf({
      placed: [placed(mesh, { position: [0, 0, 8] })],
      boundariesMm: evenly(128, layerMm),
      grid: gridOf(pixels, pixels, pixelMm),
    });
    const volume = areas.reduce((sum, area) => sum + area * layerMm, 0) - (16 ** 3 - side ** 3);
    const share = volume / side ** 3;
    assert.ok(
      Math.abs(share / infillShare(rule) - 1) < tolerance,
      `${cellMm} ${wallMm}: ${share} ${infillShare(rule)}`,
    );
    assert.ok(Math.abs(mesh.solidVolumeMm3! / (16 ** 3 - side ** 3 + volume) - 1) < 0.002);
  }
});

test("struts of a ball reach its wall all around, and not through it", () => {
  const [outer, inner] = [uvSphere(7, 48, 24), uvSphere(6, 48, 24)];
  const filled = filledShell(outer, inner, ruleOf({ cellMm: 5 }));
  const [side, layers] = [72, 64];
  const voxelsOf = (mesh: Mesh): Uint8Array => {
    const one = placed(mesh, { position: [0, 0, 7.2] });
    const request = { placed: [one], boundariesMm: evenly(layers, 0.225), grid: gridOf(side, side, 0.2) };
    const voxels = new Uint8Array(side * side * layers);
    drawStack(prepareStack(request, noProgress), ({ index, runs }) =>
      voxels.set(denseLayer(runs), index * side * side),
    );
    return voxels;
  };
  const voxels = voxelsOf(filled);
  const [solid, shell] = [voxelsOf(meshOf(outer)), voxelsOf(meshOf(outer, insideOut(inner)))];
  assert.ok(voxels.every((grey, at) => grey <= solid[at]! && grey >= shell[at]!));
  const reached = voxels.map((grey) => (grey >= 128 ? 1 : 0));
  const total = reached.reduce((sum, one) => sum + one, 0);
  const next = [reached.indexOf(1)];
  reached[next[0]!] = 2;
  let count = 0;
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    count++;
    for (const step of [1, -1, side, -side, side * side, -side * side]) {
      if (reached[at + step] !== 1) continue;
      reached[at + step] = 2;
      next.push(at + step);
    }
  }
  assert.equal(count, total);
});

longTest(
  "struts leave one space: no cup and no pool in a box with a vent and a drain, whatever the cells",
  async () => {
    const { mesh, cavity } = await drainedBox();
    for (const [cellMm, wallMm] of [
      [7, 0.8],
      [6, 0.6],
      [6, 1],
      [4, 0.6],
      [4.7, 0.5],
    ] as const) {
      const pockets = pocketsOf(filledMesh(mesh, { ...ruleOf({ cellMm, wallMm }), cavity }), DRAINED_BOX_MM);
      assert.deepEqual(
        pockets.filter((mm3) => mm3 >= 1),
        [],
        `cells of ${cellMm}: ${pockets.join(" ")}`,
      );
    }
  },
);
