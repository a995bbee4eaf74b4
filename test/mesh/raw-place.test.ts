import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Vec3 } from "../../src/core/geometry.ts";
import { rawDirection, rawPlace, scenePlace } from "../../src/mesh/raw-place.ts";

const close = (a: Vec3, b: Vec3, by: number): void => a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) <= by));

test("by the interface: position + Ry·Rx·Rz·(scale · (point − origin))", () => {
  const mesh = { box: { min: [0, 0, 0], max: [2, 4, 6] } } as const;
  // z by 90° carries (1, 0, 0) to (0, 1, 0), then x by 90° to (0, 0, 1), then y by 90° to (1, 0, 0).
  const pose = { position: [10, 20, 30], orientation: { x: 90, y: 90, z: 90 }, scale: 2 } as const;
  close(scenePlace({ mesh, pose }, [2, 2, 3]), [12, 20, 30], 1e-12);
  close(rawPlace({ mesh, pose }, [12, 20, 30]), [2, 2, 3], 1e-12);
  close(rawDirection(pose, [3, 0, 0]), [1, 0, 0], 1e-7);
});

test("there and back leads to the same point, and along a direction", () => {
  const angle = fc.double({ min: -180, max: 180, noNaN: true });
  const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
  const point: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);
  fc.assert(
    fc.property(point, point, point, fc.record({ x: angle, y: angle, z: angle }), (corner, position, p, orientation) => {
      const mesh = { box: { min: corner, max: [corner[0] + 5, corner[1] + 6, corner[2] + 7] } } as const;
      const standing = { mesh, pose: { position, orientation, scale: 0.3 } };
      close(rawPlace(standing, scenePlace(standing, p)), p, 1e-9);
      const on = rawDirection(standing.pose, [0, 0.6, -0.8]);
      const end = scenePlace(standing, [p[0] + on[0] / 0.3, p[1] + on[1] / 0.3, p[2] + on[2] / 0.3]);
      const from = scenePlace(standing, p);
      close([end[0] - from[0], end[1] - from[1], end[2] - from[2]], [0, 0.6, -0.8], 1e-6);
    }),
  );
});
