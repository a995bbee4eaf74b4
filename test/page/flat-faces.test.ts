import assert from "node:assert/strict";
import { test } from "node:test";
import { eulerAngles, rotateVector, rotationMatrix, transpose } from "../../src/geometry/pose.ts";
import { type Mat3, type Vec3, add, cross, dot, length, subtract, times, unit } from "../../src/geometry/vector.ts";
import { faceOnRay, placedFace, turnDown } from "../../src/page/view/flat-faces.ts";
import type { Mat4 } from "../../src/page/view/instances.ts";
import type { PageFace } from "../../src/ui/replies.ts";
import { fc } from "../fixture/property.ts";

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const directions = fc
  .tuple(between(-1, 1), between(-1, 1), between(-1, 1))
  .filter((v) => length(v) > 0.1)
  .map((v): Vec3 => unit(v));
const turns = fc.record({ x: between(-180, 180), y: between(-180, 180), z: between(-180, 180) }).map(rotationMatrix);

/** The six faces of a box of ±halves about the origin. */
function boxFaces(halves: Vec3): PageFace[] {
  return [0, 1, 2].flatMap((axis) =>
    [1, -1].map((side): PageFace => {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const signs = [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ];
      const corners = (side > 0 ? signs : signs.toReversed()).map(([a, b]) => {
        const corner = [0, 0, 0];
        [corner[axis], corner[u], corner[v]] = [side * halves[axis], a * halves[u], b * halves[v]];
        return corner;
      });
      const normal = [0, 0, 0];
      normal[axis] = side;
      return { normal: normal as unknown as Vec3, area_mm2: 4 * halves[u] * halves[v], rim: corners.flat() };
    }),
  );
}

const matrixOf = (m: Mat3, scale: number, [x, y, z]: Vec3): Mat4 => {
  const [a, b, c, d, e, f, g, h, i] = m.map((value) => value * scale);
  return [a, d, g, 0, b, e, h, 0, c, f, i, 0, x, y, z, 1];
};

test("the face that a ray enters is the one that the distances to the sides of the box give", () => {
  const places = fc.tuple(between(-30, 30), between(-30, 30), between(-30, 30));
  const sizes = fc.tuple(between(1, 20), between(1, 20), between(1, 20));
  fc.assert(
    fc.property(
      sizes,
      turns,
      between(0.2, 4),
      places,
      places,
      directions,
      (halves, turn, scale, at, aim, direction) => {
        const faces = boxFaces(halves).map((face) => placedFace(face, matrixOf(turn, scale, at)));
        const ray = { origin: subtract(aim, times(direction, 500)), direction };
        // The ray in the coordinates of the box, and the last side that it passes on its way in.
        const own = transpose(turn);
        const o = times(rotateVector(own, subtract(ray.origin, at)), 1 / scale);
        const d = times(rotateVector(own, direction), 1 / scale);
        const [ins, outs] = [0, 1, 2].reduce<[number[], number[]]>(
          ([a, b], axis) => {
            const [p, q] = [(-halves[axis] - o[axis]) / d[axis], (halves[axis] - o[axis]) / d[axis]];
            return [
              [...a, Math.min(p, q)],
              [...b, Math.max(p, q)],
            ];
          },
          [[], []],
        );
        const [enters, leaves] = [Math.max(...ins), Math.min(...outs)];
        fc.pre(Math.abs(leaves - enters) > 1e-6);
        const face = faceOnRay(faces, ray);
        assert.equal(face !== undefined, enters < leaves);
        if (!face) return;
        const axis = ins.indexOf(enters);
        const wanted = rotateVector(
          turn,
          [0, 1, 2].map((one) => (one === axis ? -Math.sign(d[axis]) : 0)) as unknown as Vec3,
        );
        assert.ok(length(subtract(face.normal, wanted)) < 1e-9, `${face.normal} is not ${wanted}`);
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        assert.ok(Math.abs(face.areaMm2 / (4 * halves[u] * halves[v] * scale * scale) - 1) < 1e-9);
      },
    ),
  );
});

/** Sine of 0.006°: a normal that is nearly straight up is turned by half a turn exactly. */
const WITHIN = 1e-4;

test("a turn brings the normal straight down by the smallest angle, about a horizontal axis", () => {
  fc.assert(
    fc.property(directions, (normal) => {
      const rows = turnDown(normal);
      const turned = rows.map((row) => dot(row, normal));
      assert.ok(length(subtract(turned as unknown as Vec3, [0, 0, -1])) < WITHIN, `${turned}`);
      const trace = rows[0][0] + rows[1][1] + rows[2][2];
      assert.ok(Math.abs(trace - (1 - 2 * normal[2])) < WITHIN, "the angle is that between the normal and down");
      assert.ok(Math.abs(rows[1][0] - rows[0][1]) < 1e-9, "no part of it is about z");
      assert.ok(length(subtract(cross(rows[0], rows[1]), rows[2])) < 1e-9, "it mirrors nothing");
    }),
  );
});

test("a turn after the part's own turn keeps its angles in range, also straight up and straight down", () => {
  for (const normal of [
    [0, 0, 1],
    [0, 0, -1],
    [1, 0, 0],
    [0, -1, 0],
  ] as const) {
    const angles = eulerAngles(turnDown(normal).flat() as unknown as Mat3);
    const down = rotateVector(rotationMatrix(angles), normal);
    assert.ok(length(add(down, [0, 0, 1])) < 1e-9, `${normal}: ${down}`);
  }
});
