import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Cancelled, unwatched, type Watch } from "../../../src/core/watch.ts";
import { prepareFlight, PREPARED } from "../../../src/worker/task/prepare-flight.ts";
import { renderFrames } from "../../../src/worker/task/render-frames.ts";
import { renderPicture } from "../../../src/worker/task/render-picture.ts";
import { renderThumbnails } from "../../../src/worker/task/render-thumbnails.ts";
import { writeAnimation } from "../../../src/worker/task/write-animation.ts";
import { readPng } from "../../fixture/read-png.ts";
import { torus } from "../../fixture/shapes.ts";
import { RESIN_SETTING } from "../../fixture/some-scene.ts";
import { bodyAt, FROM_CORNER, meshOf, ZOOMED } from "../../fixture/stage.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-render-"));
after(() => rmSync(folder, { recursive: true }));

const stage = { volume: RESIN_SETTING.printerType.volume, items: [bodyAt(meshOf(torus(15, 5)), [0, 0, 5])] };
const framing = { ...ZOOMED, sizePx: 64 };
const request = {
  stage,
  framing,
  keyframes: [FROM_CORNER, { yawDeg: 90, pitchDeg: 0 }],
  frameCount: 5,
  constantSize: true,
};

/** Lets a number of reports pass, then cancels. */
function cancelAfter(reports: number): Watch {
  let left = reports;
  const watch: Watch = {
    report() {
      if (left-- === 0) throw new Cancelled();
    },
    part: () => watch,
  };
  return watch;
}

test("a picture that is cancelled at any moment leaves the older file and nothing else", async () => {
  const file = join(folder, "picture.png");
  let reports = 0;
  const counting: Watch = { report: () => void reports++, part: () => counting };
  await renderPicture({ file, stage, framing, direction: FROM_CORNER }, counting);
  assert.ok(reports > 5);
  for (let i = 0; i < reports; i++) {
    writeFileSync(file, "older");
    await assert.rejects(renderPicture({ file, stage, framing, direction: FROM_CORNER }, cancelAfter(i)), Cancelled);
    assert.equal(readFileSync(file, "utf8"), "older");
    assert.deepEqual(readdirSync(folder), ["picture.png"]);
  }
  rmSync(file);
});

test("an animation that is cancelled is not written", async () => {
  const flight = prepareFlight(request, unwatched);
  const frames = await renderFrames({ flight, from: 0, to: 5 }, unwatched);
  const animation = { file: join(folder, "a.webp"), canvas: flight.shots[0]!.frame, frames };
  assert.throws(() => writeAnimation(animation, cancelAfter(0)), Cancelled);
  assert.deepEqual(readdirSync(folder), []);
});

test("threads that share a flight draw the frames that one would", async () => {
  const flight = prepareFlight(request, unwatched);
  const whole = await renderFrames({ flight, from: 0, to: 5 }, unwatched);
  const runs = [
    await renderFrames({ flight: structuredClone(flight), from: 0, to: 2 }, unwatched),
    await renderFrames({ flight, from: 2, to: 5 }, unwatched),
  ];
  assert.deepEqual(runs.flat(), whole);
  assert.equal(new Set(whole.map((file) => Buffer.from(file).toString("base64"))).size, 5);
});

test("all that is large of a prepared flight lies in shared memory", () => {
  const { bodies, shadow } = prepareFlight(request, unwatched).prepared;
  const arrays = [shadow.darkness, ...bodies.flatMap(({ mesh, normals }) => [mesh.vertices, mesh.triangles, normals])];
  assert.ok(arrays.every(({ buffer }) => buffer instanceof SharedArrayBuffer));
});

test("the progress of a flight grows from frame to frame", async () => {
  const flight = prepareFlight(request, unwatched);
  const shares: number[] = [];
  const watch = (from: number, to: number): Watch => ({
    report: (share) => void shares.push(from + share * (to - from)),
    part: (a, b) => watch(from + a * (to - from), from + b * (to - from)),
  });
  for (let frame = 0; frame < 5; frame++) await renderFrames({ flight, from: frame, to: frame + 1 }, watch(0, 1));
  assert.ok(shares.every((share, i) => share <= 1 && share >= (shares[i - 1] ?? 0)));
  assert.ok(Math.max(...shares.map((share, i) => share - (shares[i - 1] ?? PREPARED))) < 0.15);
});

test("thumbnails have exactly the sizes asked for", () => {
  const sizes = [
    { width: 400, height: 400 },
    { width: 800, height: 480 },
    { width: 116, height: 130 },
  ];
  const pictures = renderThumbnails({ stage, sizes }, unwatched);
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
