import assert from "node:assert/strict";
import { test } from "node:test";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { multiply, eulerRotation } from "../../src/page/action/rotation.ts";
import { drillBody, drillOrientation, textAxes } from "../../src/page/action/surface-place.ts";
import { fc } from "../fixture/property.ts";

const angle = fc.double({ min: -180, max: 180, noNaN: true });
const height = fc.double({ min: -1, max: 1, noNaN: true });
const direction = fc.tuple(height, angle).map(([z, turn]): [number, number, number] => {
  const radius = Math.sqrt(1 - z * z);
  return [radius * Math.cos(turn), radius * Math.sin(turn), z];
});

function isClose(a: readonly number[], b: readonly number[], tolerance = 1e-9): void {
  for (const [i, value] of a.entries()) assert.ok(Math.abs(value - b[i]) <= tolerance, `${a} is not ${b}`);
}

test("rotation matrices are equal to those of the server", () => {
  fc.assert(
    fc.property(angle, angle, angle, (x, y, z) =>
      isClose(eulerRotation({ x, y, z }).flat(), rotationMatrix({ x, y, z })),
    ),
  );
  const turned = multiply(eulerRotation({ x: 0, y: 0, z: 90 }), eulerRotation({ x: 90, y: 0, z: 0 }));
  isClose(turned.flat(), [0, 0, 1, 1, 0, 0, 0, 1, 0]);
});

test("the axis of a hole is opposite to the surface normal", () => {
  fc.assert(
    fc.property(direction, (normal) =>
      isClose(rotateVector(rotationMatrix(drillOrientation(normal)), [0, 0, 1]), normal, 1e-7),
    ),
  );
});

test("a text is level and upright, and its z axis is the outward normal", () => {
  fc.assert(
    fc.property(direction, (normal) => {
      const { z_direction: z, x_direction: x } = textAxes(normal);
      isClose([Math.hypot(...x), Math.hypot(...z)], [1, 1]);
      assert.ok(Math.abs(x[0] * z[0] + x[1] * z[1] + x[2] * z[2]) < 1e-9);
      assert.equal(x[2], 0);
      const isLevel = Math.hypot(normal[0], normal[1]) < 0.01;
      assert.ok(isLevel || z[0] * x[1] - z[1] * x[0] > 0, "its y axis points up");
      isClose(z, normal, isLevel ? 0.01 : 1e-9);
    }),
  );
});

test("a request for several holes lists each model once", () => {
  const place = { modelId: "m", point: [1, 2, 3], normal: [0, 1, 0] } as const;
  const body = drillBody([place, { ...place, point: [4, 5, 6] }], { diameter_mm: 2 });
  assert.deepEqual(body, {
    model_ids: ["m"],
    drain_holes: [
      { diameter_mm: 2, position: { x: 1, y: 2, z: 3 }, orientation: { x: -90, y: 0, z: 0 } },
      { diameter_mm: 2, position: { x: 4, y: 5, z: 6 }, orientation: { x: -90, y: 0, z: 0 } },
    ],
  });
});
