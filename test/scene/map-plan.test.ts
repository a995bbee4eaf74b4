import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { mapPlan } from "../../src/scene/map-plan.ts";
import type { SupportPlan } from "../../src/support/plan/support-plan.ts";
import { SUPPORTS } from "../fixture/form-project.ts";

test("points and each shape of areas are mapped, and keep all else", () => {
  const plan: SupportPlan = {
    settings: SUPPORTS.settings,
    points: [
      { position: [1, 2, 3], normal: [0, 0, -1], sizeMm: 0.3, cause: "ISLAND", origin: "AUTOMATIC", locked: false },
    ],
    areas: [
      { mode: "NEVER", shape: { kind: "BALL", centre: [1, 0, 0], normal: [0, 0, 1], radius: 2 } },
      {
        mode: "ALWAYS",
        shape: {
          kind: "STROKE",
          points: [
            [1, 0, 0],
            [2, 0, 0],
          ],
          normals: [
            [0, 0, 1],
            [0, 1, 0],
          ],
          radius: 3,
        },
      },
      { mode: "NEVER", shape: { kind: "FACE", point: [0, 4, 0], normal: [1, 0, 0], angleDeg: 15 } },
    ],
  };
  const moved = mapPlan(plan, {
    point: ([x, y, z]: Vec3) => [x + 10, y, z],
    normal: ([x, y, z]: Vec3) => [y, z, x],
    lengthFactor: 0.5,
  });
  assert.deepEqual(moved, {
    settings: SUPPORTS.settings,
    points: [{ ...plan.points[0], position: [11, 2, 3], normal: [0, -1, 0] }],
    areas: [
      { mode: "NEVER", shape: { kind: "BALL", centre: [11, 0, 0], normal: [0, 1, 0], radius: 1 } },
      {
        mode: "ALWAYS",
        shape: {
          kind: "STROKE",
          points: [
            [11, 0, 0],
            [12, 0, 0],
          ],
          normals: [
            [0, 1, 0],
            [1, 0, 0],
          ],
          radius: 1.5,
        },
      },
      { mode: "NEVER", shape: { kind: "FACE", point: [10, 4, 0], normal: [0, 0, 1], angleDeg: 15 } },
    ],
  });
});
