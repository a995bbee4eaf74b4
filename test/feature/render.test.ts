import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CancelledError, type Progress, type TaskProgress, noProgress } from "../../src/core/progress.ts";
import {
  prepareFlyaround,
  renderFrames,
  renderPicture,
  renderThumbnails,
  writeAnimation,
} from "../../src/feature/render/render.ts";
import { readPng } from "../fixture/read-png.ts";
import { torus } from "../fixture/shapes.ts";
import { RESIN_SETTING } from "../fixture/some-scene.ts";
import { FROM_CORNER, ZOOMED, bodyAt, meshOf } from "../fixture/stage.ts";
import { longTest } from "../fixture/long.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-render-"));
after(() => rmSync(folder, { recursive: true }));

const scene = { volume: RESIN_SETTING.printerType.volume, items: [bodyAt(meshOf(torus(15, 5)), [0, 0, 5])] };
const framing = { ...ZOOMED, sizePx: 64 };
const request = {
  scene,
  framing,
  keyframes: [FROM_CORNER, { yawDeg: 90, pitchDeg: 0 }],
  frameCount: 5,
  constantSize: true,
};

/** A progress that is cancelled after a number of reports. */
function cancelAfter(reports: number): TaskProgress {
  let left = reports;
  const report = (): void => {
    if (left-- === 0) throw new CancelledError();
  };
  const progress: TaskProgress = { report, part: () => progress, silent: () => progress, commit: report };
  return progress;
}

test("a picture that is cancelled at any moment leaves the older file unchanged", async () => {
  const file = join(folder, "picture.png");
  let reports = 0;
  const count = (): void => void reports++;
  const counting: TaskProgress = { report: count, part: () => counting, silent: () => counting, commit: count };
  await renderPicture({ file, scene, framing, direction: FROM_CORNER }, counting);
  assert.ok(reports > 5);
  for (let i = 0; i < reports; i++) {
    writeFileSync(file, "older");
    await assert.rejects(
      renderPicture({ file, scene, framing, direction: FROM_CORNER }, cancelAfter(i)),
      CancelledError,
    );
    assert.equal(readFileSync(file, "utf8"), "older");
    assert.deepEqual(readdirSync(folder), ["picture.png"]);
  }
  rmSync(file);
});

test("an animation that is cancelled is not written", async () => {
  const flyaround = prepareFlyaround(request, noProgress);
  const frames = await renderFrames({ flyaround, from: 0, to: 5 }, noProgress);
  const animation = { file: join(folder, "a.webp"), canvas: flyaround.frames[0].frame, frames };
  assert.throws(() => writeAnimation(animation, cancelAfter(0)), CancelledError);
  assert.deepEqual(readdirSync(folder), []);
});

test("threads that share a flyaround draw the same frames as one thread", async () => {
  const flyaround = prepareFlyaround(request, noProgress);
  const whole = await renderFrames({ flyaround, from: 0, to: 5 }, noProgress);
  const ranges = [
    await renderFrames({ flyaround: structuredClone(flyaround), from: 0, to: 2 }, noProgress),
    await renderFrames({ flyaround, from: 2, to: 5 }, noProgress),
  ];
  assert.deepEqual(ranges.flat(), whole);
  assert.equal(new Set(whole.map((file) => Buffer.from(file).toString("base64"))).size, 5);
});

test("the large arrays of a prepared flyaround are in shared memory", () => {
  const { bodies, shadow } = prepareFlyaround(request, noProgress).preparedScene;
  const arrays = [shadow.darkness, ...bodies.flatMap(({ mesh, normals }) => [mesh.vertices, mesh.triangles, normals])];
  assert.ok(arrays.every(({ buffer }) => buffer instanceof SharedArrayBuffer));
});

test("the progress of a flyaround grows from frame to frame", async () => {
  const flyaround = prepareFlyaround(request, noProgress);
  const shares: number[] = [];
  const progress = (from: number, to: number): Progress => ({
    report: (share) => void shares.push(from + share * (to - from)),
    part: (a, b) => progress(from + a * (to - from), from + b * (to - from)),
    silent: () => noProgress,
  });
  for (let frame = 0; frame < 5; frame++) await renderFrames({ flyaround, from: frame, to: frame + 1 }, progress(0, 1));
  assert.ok(shares.every((share, i) => share <= 1 && share >= (shares[i - 1] ?? 0)));
  assert.ok(Math.max(...shares.map((share, i) => share - (shares[i - 1] ?? 0))) < 0.15);
});

longTest("thumbnails have exactly the requested sizes", () => {
  const sizes = [
    { width: 400, height: 400 },
    { width: 800, height: 480 },
    { width: 116, height: 130 },
  ];
  const pictures = renderThumbnails({ scene, sizes }, noProgress);
  assert.deepEqual(
    pictures.map(({ width, height }) => ({ width, height })),
    sizes,
  );
  for (const { width, height, rgba, png } of pictures) {
    assert.equal(readPng(Buffer.concat(png)).width, width);
    assert.equal(rgba.length, 4 * width * height);
    assert.ok(new Set(rgba).size > 50);
  }
});
