import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { greysName, unusedVolume } from "../../src/feature/print/job-greys.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { prepareStack } from "../../src/slice/stack.ts";
import { denseLayer } from "../fixture/dense-layer.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { areasOf, drawStack, evenly, gridOf, meshOf, picturesOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const PIXEL_MM = 0.2;
const SIDE = 24;
const LAYERS = 40;
const STACK = { boundariesMm: evenly(LAYERS, 0.1), grid: gridOf(SIDE, SIDE, PIXEL_MM) };

/** The box between two heights, on the pixels of the middle. */
const slab = (bottomMm: number, topMm: number) =>
  placed(meshOf(box([2, 2, topMm - bottomMm])), { position: [0, 0, (bottomMm + topMm) / 2] });

/** Greys of the middle pixel, from the lowest layer up. */
const middles = (pictures: readonly Uint8Array[]): number[] =>
  pictures.map((picture) => picture[(SIDE / 2) * SIDE + SIDE / 2]!);

test("a flat underside has its volume, and a flat top the area at the middle of the layer", () => {
  for (const [bottomMm, topMm, first, last] of [
    [0.53, 1.27, 0.7, 1],
    [0.57, 1.23, 0.3, 0],
    [0.5, 1.3, 1, 1],
  ] as const) {
    const greys = middles(picturesOf({ ...STACK, placed: [slab(bottomMm, topMm)], byVolume: true }));
    const expected = greys.map((_, k) => (k < 5 || k > 12 ? 0 : k === 5 ? first : k === 12 ? last : 1));
    assert.ok(
      greys.every((grey, k) => Math.abs(grey - 255 * expected[k]!) <= 0.51),
      greys.join(" "),
    );
  }
});

test("a plate that is thinner than a layer has its volume, as it is an underside too", () => {
  const greys = middles(picturesOf({ ...STACK, placed: [slab(0.52, 0.56)], byVolume: true }));
  assert.ok(Math.abs(greys[5]! - 102) <= 1, greys.join(" "));
});

const BALL = placed(meshOf(uvSphere(1.5, 24, 13)), { position: [0.03, 0.01, 2.02] });
const RING = placed(meshOf(torus(1.3, 0.5, 24, 13)), { position: [0, 0.1, 2], orientation: { x: 40, y: 10, z: 0 } });

test("above its equator a ball has the areas of its layers, and below nearly the mean of 64 planes", () => {
  const byVolume = picturesOf({ ...STACK, placed: [BALL], byVolume: true });
  const byArea = picturesOf({ ...STACK, placed: [BALL] });
  assert.deepEqual(byVolume.slice(21), byArea.slice(21));
  const planes = picturesOf({ ...STACK, boundariesMm: evenly(64 * LAYERS, 0.1 / 64), placed: [BALL] });
  for (let k = 0; k < 19; k++) {
    const mean = byVolume[k]!.map((_, at) =>
      Math.round(planes.slice(64 * k, 64 * (k + 1)).reduce((sum, plane) => sum + plane[at]!, 0) / 64),
    );
    byVolume[k]!.forEach((grey, at) => assert.ok(Math.abs(grey - mean[at]!) <= 2.5, `layer ${k}, pixel ${at}`));
  }
  assert.ok(byVolume[6]!.some((grey, at) => Math.abs(grey - byArea[6]![at]!) > 30));
});

test("chunks in any order have the same layers, and the areas are those at the middles", () => {
  const request = { ...STACK, boundariesMm: evenly(80, 0.05), placed: [RING] };
  const stack = prepareStack({ ...request, byVolume: true }, noProgress);
  assert.ok(stack.chunkCount > 2);
  const upward = drawStack(stack, ({ runs }) => denseLayer(runs));
  const downward = drawStack(
    stack,
    ({ runs }) => denseLayer(runs),
    Array.from({ length: stack.chunkCount }, (_, k) => stack.chunkCount - 1 - k),
  );
  assert.deepEqual(downward, upward);
  assert.deepEqual(areasOf({ ...request, byVolume: true }), areasOf(request));
});

test("with supports without grey, parts have their volumes, and supports are white or black", () => {
  const at = (x: number): Vec3 => [x, 0.03, 2];
  const part = placed(meshOf(uvSphere(1, 16, 9)), { position: at(-1.05) });
  const support = placed(meshOf(box([0.5, 0.7, 3])), { position: at(1.1), orientation: { x: 3, y: 20, z: 8 } });
  const both = { ...STACK, placed: [support, part], isSupport: [true, false] };
  const [mixed, parts] = [
    picturesOf({ ...both, byVolume: true }),
    picturesOf({ ...STACK, placed: [part], byVolume: true }),
  ];
  const rims = picturesOf({ ...STACK, placed: [support] });
  assert.deepEqual(
    mixed,
    parts.map((picture, k) => picture.map((grey, pixel) => (rims[k]![pixel]! >= 128 ? 255 : grey))),
  );
});

const fileAt = temporaryFiles();

test("a job by volume has other greys on undersides alone, says so, and black and white files warn", async () => {
  const setting = panelSetting({ format: "goo", extension: ".goo", sidePixels: SIDE, pixelMm: PIXEL_MM, layerMm: 0.1 });
  const scene = someScene([sceneModel(BALL)], setting);
  const path = fileAt("job.goo", "");
  const picturesOfJob = async (byVolume: boolean) => {
    await writeSceneJob(scene, path, { drawing: { byVolume } });
    return readGoo(readFileSync(path)).layers.map(({ picture }) => picture.pixels);
  };
  const [area, volume] = [await picturesOfJob(false), await picturesOfJob(true)];
  assert.ok(volume[8]!.some((grey, at) => grey !== area[8]![at]));
  assert.deepEqual(volume.slice(21), area.slice(21));
  assert.equal(greysName(scene, { byVolume: true }), "volume");
  assert.equal(greysName(scene, { byVolume: true, supportsWithoutGrey: true }), "volume");
  const { printerType } = scene.setting;
  assert.deepEqual(unusedVolume(scene.setting, { byVolume: true }), []);
  const binary = { ...printerType, job: "svgx", label: "Any", jobExtension: ".svgx" } as const;
  assert.match(unusedVolume({ ...scene.setting, printerType: binary }, { byVolume: true }).join(), /black and white/);
  assert.equal(
    greysName({ ...scene, setting: { ...scene.setting, printerType: binary } }, { byVolume: true }),
    undefined,
  );
});
