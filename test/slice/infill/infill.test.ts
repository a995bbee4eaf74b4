import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { filledMesh, infillShare } from "../../../src/mesh/filled-mesh.ts";
import { type InfillRule, type Mesh, SHEET_KINDS, type SheetKind } from "../../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../../src/mesh/placed-mesh.ts";
import { cutLayers } from "../../../src/slice/cut-layers.ts";
import { sheetLevel } from "../../../src/slice/infill/infill-wave.ts";
import type { PixelGrid } from "../../../src/slice/pixel-grid.ts";
import { rasteriseChunk } from "../../../src/slice/rasterise-chunk.ts";
import { type Stack, prepareStack } from "../../../src/slice/stack.ts";
import { filledShell } from "../../fixture/filled-shell.ts";
import { denseLayer } from "../../fixture/dense-layer.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";
import { areasOf, evenly, gridOf, placed } from "../../fixture/slices.ts";
import { longTest } from "../../fixture/long.ts";
import { DRAINED_BOX_MM, drainedBox, pocketsOf } from "../../fixture/drained-box.ts";

// Formulas of the surfaces as textbooks have them, evaluated point by point: slices have roots in closed form.
const { sin, cos, PI } = Math;
const SURFACES: Record<SheetKind, (x: number, y: number, z: number) => number> = {
  GYROID: (x, y, z) => sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x),
  SCHWARZ_P: (x, y, z) => cos(x) + cos(y) + cos(z),
  SCHWARZ_D: (x, y, z) => cos(x) * cos(y) * cos(z) - sin(x) * sin(y) * sin(z),
};

const ruleOf = (kind: SheetKind, more: Partial<InfillRule> = {}): InfillRule => ({
  kind,
  cellMm: 6,
  wallMm: 0.6,
  clearanceMm: 0,
  ...more,
});

const stackOf = (one: PlacedMesh, grid: PixelGrid, boundariesMm: Float64Array): Stack =>
  prepareStack({ placed: [one], boundariesMm, grid }, noProgress);

test("pixels inside the cavity have the coverage of points within the level of the formula", () => {
  const random = randomFrom(3);
  const views: Partial<PixelGrid>[] = [
    { mirrorX: true, enlarged: [1.1, 0.95, 1.2] },
    { portrait: true },
    { mirrorX: true, portrait: true, mirrorY: true },
  ];
  for (const kind of SHEET_KINDS) {
    const rule = ruleOf(kind);
    const level = sheetLevel(kind, rule.cellMm, rule.wallMm);
    const position = [0.37, -0.21, 7.3] as const;
    const one = placed(filledShell(box([16, 17, 13]), box([14, 15, 11]), rule), { position });
    for (const view of views) {
      const grid: PixelGrid = { pixels: [100, 90], pixelMm: [0.2, 0.25], mirrorX: false, portrait: false, ...view };
      const stack = stackOf(one, grid, evenly(60, 0.25));
      const layer = 20 + Math.floor(20 * random());
      const [columns] = view.portrait ? [90] : [100];
      const [wider, deeper, higher] = view.enlarged ?? [1, 1, 1];
      const z = ((layer + 0.5) * 0.25) / higher - position[2];
      const chunk = Math.floor(layer / stack.chunkSize);
      const [{ runs } = assert.fail()] = [...rasteriseChunk(stack, chunk, () => {}, { from: layer, end: layer + 1 })];
      const picture = denseLayer(runs);
      let worst = 0;
      for (let i = 0; i < 300; i++) {
        const [x, y] = [Math.floor(60 * random()) + 20, Math.floor(50 * random()) + 20];
        let inside = 0;
        for (let k = 0; k < 400; k++) {
          // From the left, and from the top; the pixels of a portrait image are those of the platform on its side.
          const [u, v] = [x + ((k % 20) + 0.5) / 20, y + (Math.floor(k / 20) + 0.5) / 20];
          const across = ((u - 50) * 0.2 * (view.mirrorX ? -1 : 1)) / wider;
          const along = ((45 - v) * 0.25 * (view.mirrorY ? -1 : 1)) / deeper;
          const phase = (mm: number): number => (2 * PI * mm) / rule.cellMm;
          const f = SURFACES[kind](phase(across - position[0]), phase(along - position[1]), phase(z));
          if (Math.abs(f) <= level) inside++;
        }
        // A quarter turn to the left brings the right side to the top.
        const at = view.portrait ? (99 - x) * columns + y : y * columns + x;
        worst = Math.max(worst, Math.abs(picture[at] / 255 - inside / 400));
      }
      assert.ok(worst < 0.04, `${kind} ${JSON.stringify(view)}: ${worst}`);
    }
  }
});

test("without arches infill has the volume of its walls, and estimates know it", () => {
  for (const kind of SHEET_KINDS) {
    for (const cellMm of [4, 6]) {
      const rule = ruleOf(kind, { cellMm });
      // Whole cells.
      const side = 12;
      const mesh = filledShell(box([16, 16, 16]), box([side, side, side]), rule);
      const one = placed(mesh, { position: [0, 0, 8] });
      const layerMm = 0.25;
      const areas = areasOf({ placed: [one], boundariesMm: evenly(64, layerMm), grid: gridOf(80, 80, 0.25) });
      const volume = areas.reduce((sum, area) => sum + area * layerMm, 0) - (16 ** 3 - side ** 3);
      const share = volume / side ** 3;
      assert.ok(Math.abs(share / infillShare(rule) - 1) < 0.03, `${kind} ${cellMm}: ${share} ${infillShare(rule)}`);
      assert.ok(Math.abs(mesh.solidVolumeMm3! / (16 ** 3 - side ** 3 + volume) - 1) < 0.02);
      if (kind === "GYROID" && cellMm === 6) assert.ok(Math.abs(share / 0.31 - 1) < 0.02);
    }
  }
});

test("walls are as thick as told on average, within the range that a sinusoid allows", () => {
  // Thickness along the gradient, relative to the wall: the reference's table.
  const ranges: Record<SheetKind, readonly [number, number]> = {
    GYROID: [0.88, 1.08],
    SCHWARZ_P: [0.76, 1.32],
    SCHWARZ_D: [0.86, 1.06],
  };
  const random = randomFrom(5);
  const [cellMm, wallMm] = [6, 0.3];
  const perMm = (2 * PI) / cellMm;
  for (const kind of SHEET_KINDS) {
    const f = (p: readonly number[]): number => SURFACES[kind](perMm * p[0], perMm * p[1], perMm * p[2]);
    const level = sheetLevel(kind, cellMm, wallMm);
    const along = (p: readonly number[], d: readonly number[], t: number): number[] => p.map((x, i) => x + t * d[i]);
    const root = (g: (t: number) => number, low: number, high: number): number => {
      for (let i = 0; i < 40; i++) {
        const middle = (low + high) / 2;
        if (g(low) * g(middle) <= 0) high = middle;
        else low = middle;
      }
      return low;
    };
    let [sum, count] = [0, 0];
    while (count < 400) {
      const from = [random(), random(), random()].map((x) => cellMm * x);
      const d = [random(), random(), random()].map((x) => x - 0.5);
      if (f(from) * f(along(from, d, 1)) > 0) continue;
      const on = along(
        from,
        d,
        root((t) => f(along(from, d, t)), 0, 1),
      );
      const gradient = [0, 1, 2].map((i) => f(on.map((x, j) => x + (i === j ? 1e-5 : 0))) - f(on));
      const length = Math.hypot(...gradient);
      const normal = gradient.map((x) => x / length);
      const half = (side: number): number => root((t) => f(along(on, normal, side * t)) - side * level, 0, wallMm);
      const relative = (half(1) + half(-1)) / wallMm;
      const [least, most] = ranges[kind];
      assert.ok(relative > least - 0.02 && relative < most + 0.02, `${kind}: ${relative}`);
      sum += relative;
      count++;
    }
    assert.ok(Math.abs(sum / count - 1) < 0.05, `${kind}: mean ${sum / count}`);
  }
});

test("outlines on row borders are where brute force finds the level, and join end to end", () => {
  for (const kind of SHEET_KINDS) {
    const rule = ruleOf(kind, { clearanceMm: 1.5 });
    const position = [0.11, 0.23, 7.05] as const;
    const one = placed(filledShell(box([16, 17, 13]), box([14, 15, 11]), rule), { position });
    const stack = stackOf(one, gridOf(340, 360, 0.05), evenly(140, 0.1));
    const layer = 67;
    const z = (layer + 0.5) * 0.1 - position[2];
    const level = sheetLevel(kind, rule.cellMm, rule.wallMm);
    const chunk = Math.floor(layer / stack.chunkSize);
    const [{ segments } = assert.fail()] = [...cutLayers(stack, chunk, () => {}, { from: layer, end: layer + 1 })];
    const ends = new Map<string, number>();
    const found = new Map<number, Set<number>>();
    for (let s = 0; s < segments.count; s++) {
      const [x0, y0, x1, y1] = segments.ends.subarray(4 * s, 4 * s + 4);
      for (const [x, y, step] of [
        [x0, y0, 1],
        [x1, y1, -1],
      ] as const) {
        ends.set(`${x} ${y}`, (ends.get(`${x} ${y}`) ?? 0) + step);
        if (Number.isInteger(y) && y0 !== y1) found.set(y, (found.get(y) ?? new Set()).add(x));
      }
    }
    assert.ok([...ends.values()].every((balance) => balance === 0));
    let compared = 0;
    for (const [y, xs] of found) {
      if (xs.size < 4 || y < 40 || y > 320) continue;
      const g = (x: number): number => {
        const phase = (mm: number): number => (2 * PI * mm) / rule.cellMm;
        const f = SURFACES[kind](
          phase((x - 170) * 0.05 - position[0]),
          phase((180 - y) * 0.05 - position[1]),
          phase(z),
        );
        return Math.abs(f) - level;
      };
      // Ends of blocks are on a lattice, all others are roots.
      for (const x of xs) {
        if (x < 40 || x > 300) continue;
        assert.ok(g(x - 1e-4) * g(x + 1e-4) <= 0 || Math.abs(g(x)) < 1e-5, `${kind} y ${y}: ${x} ${g(x)}`);
        compared++;
      }
      for (let x = 40; x < 300; x++) {
        if (g(x) * g(x + 1) >= 0) continue;
        let [low, high] = [x, x + 1];
        for (let i = 0; i < 40; i++) {
          const middle = (low + high) / 2;
          if (g(low) * g(middle) <= 0) high = middle;
          else low = middle;
        }
        assert.ok(
          [...xs].some((one) => Math.abs(one - low) < 2 ** -20),
          `${kind} y ${y}: no root at ${low}`,
        );
      }
    }
    assert.ok(compared > 200, `${kind}: ${compared}`);
  }
});

longTest(
  "a box with a vent in its floor and a drain in its roof has cups without arches, and none with them",
  async () => {
    const { mesh, cavity } = await drainedBox();
    const filled = (kind: SheetKind, clearanceMm: number): Mesh =>
      filledMesh(mesh, { ...ruleOf(kind, { cellMm: 7, wallMm: 0.8, clearanceMm }), cavity });
    assert.deepEqual(
      pocketsOf(filled("GYROID", 1.5), DRAINED_BOX_MM).filter((mm3) => mm3 >= 1),
      [],
    );
    assert.ok(Math.max(...pocketsOf(filled("GYROID", 0), DRAINED_BOX_MM)) > 1000);
  },
);

test("infill is joined to the walls of a ball, which has no upright ones", () => {
  const mesh = filledShell(uvSphere(9, 64, 32), uvSphere(7.5, 64, 32), ruleOf("GYROID", { clearanceMm: 1.5 }));
  const side = 100;
  const layers = 90;
  const stack = stackOf(placed(mesh, { position: [0, 0, 9] }), gridOf(side, side, 0.2), evenly(layers, 0.2));
  const voxels = new Uint8Array(side * side * layers);
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    for (const { index, runs } of rasteriseChunk(stack, chunk)) {
      denseLayer(runs).forEach((grey, at) => (voxels[index * side * side + at] = grey >= 128 ? 1 : 0));
    }
  }
  const solid = voxels.reduce((sum, one) => sum + one, 0);
  const stackOfVoxels = [voxels.indexOf(1)];
  voxels[stackOfVoxels[0]] = 2;
  let reached = 0;
  for (let at = stackOfVoxels.pop(); at !== undefined; at = stackOfVoxels.pop()) {
    reached++;
    for (const step of [1, -1, side, -side, side * side, -side * side]) {
      if (voxels[at + step] !== 1) continue;
      voxels[at + step] = 2;
      stackOfVoxels.push(at + step);
    }
  }
  assert.ok(solid - reached < 1e-3 * solid, `${solid - reached} of ${solid} float`);
});
