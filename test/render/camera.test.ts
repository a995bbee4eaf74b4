import assert from "node:assert/strict";
import { test } from "node:test";
import { rotateVector } from "../../src/geometry/pose.ts";
import { type Vec3, cross, dot } from "../../src/geometry/vector.ts";
import { DEFAULT_DIRECTION, viewMatrix } from "../../src/render/camera.ts";
import type { RenderItem } from "../../src/render/render-scene.ts";
import { box } from "../fixture/shapes.ts";
import { RESIN_SETTING } from "../fixture/some-scene.ts";
import { ZOOMED, bodyAt, meshOf, pictureOf } from "../fixture/stage.ts";

// Interface supplement, section 5, scene/render: yaw 0 looks along −x, 90 along +y; pitch 0 is level, positive looks down.

const volume = RESIN_SETTING.printerType.volume;
const COARSE = { yawDeg: 0, pitchDeg: 0 };

const DIRECTIONS: readonly [yawDeg: number, pitchDeg: number, standsAt: Vec3][] = [
  [0, 0, [1, 0, 0]],
  [90, 0, [0, -1, 0]],
  [180, 0, [-1, 0, 0]],
  [-90, 0, [0, 1, 0]],
  [630, 0, [0, 1, 0]],
  [123, 90, [0, 0, 1]],
  [77, -90, [0, 0, -1]],
  [45, 35.26438968, [Math.sqrt(1 / 3), -Math.sqrt(1 / 3), Math.sqrt(1 / 3)]],
];

for (const [yawDeg, pitchDeg, standsAt] of DIRECTIONS) {
  test(`at yaw ${yawDeg} and pitch ${pitchDeg} the camera is at ${standsAt.map((part) => part.toFixed(2)).join(", ")}`, () => {
    const [, , toward] = rotateVector(viewMatrix({ yawDeg, pitchDeg }), standsAt);
    assert.ok(Math.abs(toward - 1) < 1e-6);
  });
}

test("pictures are upright and not mirrored from any direction", () => {
  for (let yawDeg = -720; yawDeg <= 720; yawDeg += 37) {
    for (let pitchDeg = -90; pitchDeg <= 90; pitchDeg += 15) {
      const m = viewMatrix({ yawDeg, pitchDeg });
      const rows: Vec3[] = [
        [m[0], m[1], m[2]],
        [m[3], m[4], m[5]],
        [m[6], m[7], m[8]],
      ];
      assert.ok(Math.abs(dot(cross(rows[0], rows[1]), rows[2]) - 1) < 1e-6);
      assert.equal(m[2], 0, "the horizon is level");
      assert.ok(m[5] >= -1e-7, "what is higher is higher in the picture");
    }
  }
});

/** A small cube at the origin, and next to it one out of bounds, drawn red. */
const pointing = ([x, y, z]: Vec3): RenderItem[] => [
  bodyAt(meshOf(box([10, 10, 10])), [0, 0, 100]),
  bodyAt(meshOf(box([4, 4, 4])), [8 * x, 8 * y, 100 + 8 * z], "outOfBounds"),
];

/** Number of red pixels and their middle, as shares of the picture's sides. */
function redIn(direction: { yawDeg: number; pitchDeg: number }, side: Vec3) {
  const { width, height, rgba } = pictureOf(
    { volume, items: pointing(side) },
    { ...ZOOMED, sizePx: 64, cropped: false },
    direction,
  );
  let [count, x, y] = [0, 0, 0];
  for (let at = 0; at < width * height; at++) {
    if (!(rgba[4 * at] > 1.5 * rgba[4 * at + 2])) continue;
    count++;
    x += (at % width) / width;
    y += Math.floor(at / width) / height;
  }
  return { count, x: x / count, y: y / count };
}

test("pictures show the side that the camera is at", () => {
  for (const [yawDeg, pitchDeg, standsAt] of DIRECTIONS.slice(0, 7)) {
    const behind = standsAt.map((part) => 0 - part) as unknown as Vec3;
    assert.ok(redIn({ yawDeg, pitchDeg }, standsAt).count > 50, `${yawDeg} ${pitchDeg}`);
    assert.equal(redIn({ yawDeg, pitchDeg }, behind).count, 0, `${yawDeg} ${pitchDeg}`);
  }
});

test("seen from the front, x runs to the right; the default shows the front and the right side", () => {
  const front = { yawDeg: 90, pitchDeg: 0 };
  assert.ok(redIn(front, [1, 0, 0]).x > 0.7);
  assert.ok(redIn(front, [-1, 0, 0]).x < 0.3);
  const shown = (side: Vec3): number => redIn(DEFAULT_DIRECTION, side).count;
  assert.ok(shown([0, -1, 0]) > 1.5 * shown([0, 1, 0]));
  assert.ok(shown([1, 0, 0]) > 1.5 * shown([-1, 0, 0]));
  assert.ok(redIn(DEFAULT_DIRECTION, [1, 0, 0]).x > redIn(DEFAULT_DIRECTION, [0, -1, 0]).x);
});

test("seen along −x, y runs to the right and z up", () => {
  assert.ok(redIn(COARSE, [0, 1, 0]).x > 0.7);
  assert.ok(redIn(COARSE, [0, -1, 0]).x < 0.3);
  assert.ok(redIn(COARSE, [0, 0, 1]).y < 0.3);
  assert.ok(redIn(COARSE, [0, 0, -1]).y > 0.7);
});
