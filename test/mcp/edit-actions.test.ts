import assert from "node:assert/strict";
import { test } from "node:test";
import { type Vec3, cross, dot, unit } from "../../src/geometry/vector.ts";
import { drillAngles, textAxes } from "../../src/mcp/edit-actions.ts";
import { fc } from "../fixture/property.ts";

const direction = fc
  .tuple(fc.double({ min: -1, max: 1 }), fc.double({ min: -1, max: 1 }), fc.double({ min: -1, max: 1 }))
  .filter((v) => Math.hypot(...v) > 0.01)
  .map((v) => unit(v as unknown as Vec3));

const near = (a: readonly number[], b: readonly number[]): void => {
  for (const [i, value] of a.entries()) assert.ok(Math.abs(value - b[i]) < 1e-9, `${a} is not ${b}`);
};

/** Rotates by Euler angles in degrees: about z, then x, then y, as the interface defines it. */
function rotated({ x, y, z }: { x: number; y: number; z: number }, [a, b, c]: Vec3): Vec3 {
  const [rx, ry, rz] = [x, y, z].map((deg) => (deg * Math.PI) / 180);
  const [a1, b1] = [a * Math.cos(rz) - b * Math.sin(rz), a * Math.sin(rz) + b * Math.cos(rz)];
  const [b2, c2] = [b1 * Math.cos(rx) - c * Math.sin(rx), b1 * Math.sin(rx) + c * Math.cos(rx)];
  return [a1 * Math.cos(ry) + c2 * Math.sin(ry), b2, c2 * Math.cos(ry) - a1 * Math.sin(ry)];
}

test("the angles of a drill turn its axis, -z, into its direction", () => {
  fc.assert(fc.property(direction, (into) => near(rotated(drillAngles(into), [0, 0, -1]), into)));
});

test("the axes of a text are a rotation whose z is the normal and whose y points up", () => {
  fc.assert(
    fc.property(direction, (normal) => {
      const rows = textAxes(normal);
      const column = (i: number): Vec3 => [rows[0][i], rows[1][i], rows[2][i]];
      const [right, top, out] = [column(0), column(1), column(2)];
      near(out, normal);
      near(cross(right, top), out);
      near([dot(right, right), dot(top, top), dot(right, top)], [1, 1, 0]);
      const isLevel = Math.abs(normal[2]) > 0.9;
      assert.ok(isLevel ? top[1] > 0 : top[2] > 0);
      // Lines of text on walls are level.
      if (!isLevel) near([right[2]], [0]);
    }),
  );
});
