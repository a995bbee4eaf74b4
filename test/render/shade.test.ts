import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import type { Mat3 } from "../../src/geometry/vector.ts";
import { viewMatrix } from "../../src/render/camera.ts";
import { FACING_ONE } from "../../src/render/frame-buffer.ts";
import {
  LIGHT_ONE,
  litOf,
  newShadedPoints,
  rightOf,
  shadePoint,
  shineOf,
  tintOf,
  upOf,
} from "../../src/render/shade.ts";

const AS_IT_IS: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const part = fc.integer({ min: -1000, max: 1000 });
const normal = fc.tuple(part, part, part).filter((parts) => parts.some((value) => value !== 0));
const view = fc
  .record({ yawDeg: fc.integer({ min: 0, max: 360 }), pitchDeg: fc.integer({ min: -90, max: 90 }) })
  .map(viewMatrix);

function lookOf(tint: number, toView: Mat3, world: Mat3, [x, y, z]: readonly [number, number, number]) {
  const looks = newShadedPoints(1);
  shadePoint(looks, 0, { tint, toView, view: world }, x, y, z);
  const [light, facing] = [looks.lights[0], looks.facing[0]];
  return { lit: litOf(light), shine: shineOf(light), tint: tintOf(light), right: rightOf(facing), up: upOf(facing) };
}

test("the packed normal, tint and light of a point can be read back", () => {
  fc.assert(
    fc.property(normal, view, fc.integer({ min: 0, max: 3 }), (parts, world, tint) => {
      const look = lookOf(tint, AS_IT_IS, world, parts);
      const [x, y, z] = parts;
      const scale = (Math.sign(z) || 1) / Math.hypot(x, y, z);
      assert.ok(
        Math.abs(look.right - x * scale * FACING_ONE) <= 0.51 && Math.abs(look.up - y * scale * FACING_ONE) <= 0.51,
      );
      assert.equal(look.tint, tint);
      assert.ok(look.lit > 0.1 * LIGHT_ONE && look.lit < 2 * LIGHT_ONE);
      assert.ok(look.shine >= 0 && look.shine < 0.1 * LIGHT_ONE);
    }),
  );
});

test("the light of a point does not depend on the length of its normal, the scale of its body, or the visible side", () => {
  fc.assert(
    fc.property(normal, view, (parts, world) => {
      const [x, y, z] = parts;
      const look = lookOf(1, world, world, parts);
      const larger = world.map((value) => value * 8) as unknown as Mat3;
      assert.deepEqual(lookOf(1, larger, world, [4 * x, 4 * y, 4 * z]), look);
      // A normal perpendicular to the line of sight has no front side.
      if (Math.abs(world[6] * x + world[7] * y + world[8] * z) > 1e-3)
        assert.deepEqual(lookOf(1, world, world, [-x, -y, -z]), look);
    }),
  );
});

test("the light comes from over the left shoulder and from the sky", () => {
  const level = viewMatrix({ yawDeg: 0, pitchDeg: 0 });
  const lit = (x: number, y: number, z: number): number => lookOf(0, AS_IT_IS, level, [x, y, z]).lit;
  assert.ok(lit(-1, 0, 1) > lit(1, 0, 1));
  assert.ok(lit(0, 1, 1) > lit(0, -1, 1));
  assert.ok(lookOf(0, AS_IT_IS, level, [-0.3, 0.4, 1]).shine > lookOf(0, AS_IT_IS, level, [0.3, -0.4, 1]).shine);
  assert.deepEqual(lookOf(0, AS_IT_IS, level, [0, 0, 0]), lookOf(0, AS_IT_IS, level, [0, 0, 1]));
});
