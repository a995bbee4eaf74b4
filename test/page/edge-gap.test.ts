import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf } from "../../src/geometry/box.ts";
import { type Vec3, add, times, unit } from "../../src/geometry/vector.ts";
import { type SurfaceProbe, edgeDistanceMm } from "../../src/page/view/edge-gap.ts";
import { hitInstance } from "../../src/page/view/picks.ts";
import { refusalAt, toolBodyLines } from "../../src/page/view/tool-body.ts";
import { fc } from "../fixture/property.ts";
import { type Shape, box, uvSphere } from "../fixture/shapes.ts";

/** Probes a shape that is turned about z and then moved. */
function probeOf({ vertices, triangles }: Shape, turn = 0, [x, y, z]: Vec3 = [0, 0, 0]): SurfaceProbe {
  const positions = Float32Array.from(vertices);
  const mesh = { positions, triangles: Uint32Array.from(triangles), box: boxOf(positions) };
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const instance = { matrix: [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, x, y, z, 1] as const };
  return (ray, range) => hitInstance(ray, instance, mesh, range);
}

const [A, B, C] = [20, 14, 8];
const UP: Vec3 = [0, 0, 1];

test("the distance to the nearest edge of a box is that of its sides", () => {
  const within = (size: number) => fc.double({ min: 0.3 - size / 2, max: size / 2 - 0.3, noNaN: true });
  fc.assert(
    fc.property(within(A), within(B), fc.double({ min: 0, max: 6, noNaN: true }), (x, y, turn) => {
      const at: Vec3 = [3, -7, 11];
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const place = { point: add([c * x - s * y, s * x + c * y, C / 2], at), normal: UP };
      const reach = 5;
      const exact = Math.min(A / 2 - Math.abs(x), B / 2 - Math.abs(y));
      const found = edgeDistanceMm(place, reach, probeOf(box([A, B, C]), turn, at));
      // Of 24 directions one is at most 7.5° from the shortest way.
      const most = exact / Math.cos(Math.PI / 24);
      if (found === undefined) assert.ok(most >= reach, `none, at ${exact} mm`);
      else assert.ok(found > exact - 0.03 && found < most + 0.03, `${found}, not ${exact}`);
    }),
    { numRuns: 60 },
  );
});

test("a hole is refused in words near an edge, and not on a round surface", () => {
  const hole = (diameterMm: number) => ({ kind: "hole", diameterMm, depthMm: "AUTO" }) as const;
  const normal = unit([1, 2, 3]);
  const onBall = { point: times(normal, 9.97), normal };
  const ball = probeOf(uvSphere(10));
  assert.equal(refusalAt(hole(4), onBall, ball), undefined);
  assert.equal(refusalAt(hole(19), onBall, ball), "Across an edge");
  const near = { point: [A / 2 - 2.3, 0, C / 2] as const, normal: UP };
  const block = probeOf(box([A, B, C]));
  assert.equal(refusalAt(hole(4), near, block), "Too close to an edge, 0.3 mm");
  assert.equal(refusalAt(hole(3), near, block), undefined);
  const lowest = Math.min(
    ...toolBodyLines(hole(3), near, block)
      .flat()
      .map(([, , z]) => z),
  );
  assert.ok(Math.abs(lowest + C / 2) < 1e-3, "it is drawn through the wall, to the far side");
});
