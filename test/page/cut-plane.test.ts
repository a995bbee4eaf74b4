import assert from "node:assert/strict";
import { test } from "node:test";
import { type Vec3, add, distance, dot, length, matrixRow, times, unit } from "../../src/geometry/vector.ts";
import { viewMatrix } from "../../src/render/camera.ts";
import { slideMm, turnDegrees } from "../../src/page/view/changes.ts";
import {
  anglesOf,
  keyOutline,
  normalOf,
  planeAxes,
  planePointAt,
  planeRectangle,
  turnedPlane,
} from "../../src/page/view/cut-plane.ts";
import { scenePlane } from "../../src/feature/cut/cut-request.ts";
import { keyOutline as cutOutline } from "../../src/solid/cut/key.ts";
import { type Orbit, projected } from "../../src/page/view/orbit.ts";
import { fc } from "../fixture/property.ts";

const SIZE = { width: 800, height: 600 };
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const normals = fc
  .tuple(between(-1, 1), between(-1, 1), between(-1, 1))
  .filter((v) => length(v) > 0.1)
  .map((v): Vec3 => unit(v));
const orbits: fc.Arbitrary<Orbit> = fc.record({
  yawDeg: between(0, 360),
  pitchDeg: between(-90, 90),
  target: fc.constant([0, 0, 20] as const),
  heightMm: between(50, 300),
});
const BOX = { min: [-20, -10, 0], max: [30, 15, 40] } as const;

test("the outline of a key is that of the key that will be cut", () => {
  const keys = fc.record({
    shape: fc.constantFrom("ROUND", "SQUARE", "HEXAGON"),
    sizeMm: between(1, 50),
    turnDeg: between(-360, 360),
    at: fc.tuple(between(-30, 30), between(-30, 30)),
  });
  fc.assert(
    fc.property(normals, between(-30, 60), keys, (normal, atMm, { shape, sizeMm, turnDeg, at: [right, up] }) => {
      const xyz = ([x, y, z]: Vec3) => ({ x, y, z });
      const { origin, u, v } = scenePlane({ point: xyz(times(normal, atMm)), normal: xyz(normal) });
      const placed = (a: number, b: number): Vec3 => add(origin, add(times(u, a), times(v, b)));
      const shown = keyOutline({ normal }, { point: placed(right, up), shape, sizeMm, turnDeg });
      if (shape === "ROUND") {
        for (const corner of shown)
          assert.ok(Math.abs(distance(corner, placed(right, up)) - sizeMm / 2) < 1e-6, "a circle of this size");
        return;
      }
      const key = { u: right, v: up, kind: "PEG", shape, sizeMm, depthMm: 5, turnDeg } as const;
      const outline = cutOutline(key, 0);
      assert.equal(shown.length, outline.length / 2);
      for (const [i, corner] of shown.entries())
        assert.ok(distance(corner, placed(outline[2 * i]!, outline[2 * i + 1]!)) < 1e-4, `corner ${i}`);
    }),
  );
});

test("angles tell the normal, and the rectangle of a plane is in it and covers what it cuts", () => {
  fc.assert(
    fc.property(normals, between(-30, 60), (normal, atMm) => {
      const { tiltDeg, towardDeg } = anglesOf(normal);
      assert.ok(distance(normalOf(tiltDeg, towardDeg), normal) < 1e-6);
      const corners = planeRectangle({ normal, atMm }, BOX);
      for (const corner of corners) assert.ok(Math.abs(dot(corner, normal) - atMm) < 1e-6);
      const [u, v] = planeAxes(normal);
      assert.ok(Math.abs(u[2]) < 1e-9, "u is level");
      for (const axis of [u, v]) {
        const reach = corners.map((corner) => dot(corner, axis));
        for (const x of [-20, 30])
          for (const y of [-10, 15])
            for (const z of [0, 40]) {
              const along = dot([x, y, z], axis);
              assert.ok(along >= Math.min(...reach) - 1e-6 && along <= Math.max(...reach) + 1e-6);
            }
      }
    }),
  );
});

test("what is clicked, slid or turned on a plane follows the pointer", () => {
  fc.assert(
    fc.property(normals, between(-30, 60), orbits, between(5, 40), fc.integer({ min: -80, max: 80 }), (...args) => {
      const [normal, atMm, orbit, byMm, degrees] = args;
      const plane = { normal, atMm };
      const [corner = [0, 0, 0] as const] = planeRectangle(plane, BOX);
      const found = planePointAt(plane, projected(orbit, corner, SIZE), orbit, SIZE);
      if (found) assert.ok(distance(found, corner) < 1e-3, "the clicked point");

      const end: Vec3 = [corner[0] + byMm * normal[0], corner[1] + byMm * normal[1], corner[2] + byMm * normal[2]];
      const stroke = { from: projected(orbit, corner, SIZE), to: projected(orbit, end, SIZE), orbit, size: SIZE };
      const slid = slideMm(stroke, normal);
      if (slid !== 0) assert.ok(Math.abs(slid - byMm) < 1e-3, "the slid distance");

      const [axis] = planeAxes(normal);
      const pivot: Vec3 = [5, 2, 20];
      const turned = turnedPlane(plane, axis, degrees, pivot);
      assert.ok(Math.abs(dot(turned.normal, pivot) - turned.atMm) < 1e-6, "it goes through the pivot");
      assert.ok(Math.abs(dot(turned.normal, normal) - Math.cos((degrees * Math.PI) / 180)) < 1e-6);
      const at = (direction: Vec3) =>
        projected(orbit, [pivot[0] + direction[0], pivot[1] + direction[1], pivot[2] + direction[2]], SIZE);
      const arc = { from: at(normal), to: at(turned.normal), orbit, size: SIZE };
      const isSeen = Math.abs(dot(axis, matrixRow(viewMatrix(orbit), 2))) > 0.2;
      if (isSeen) assert.ok(Math.abs(turnDegrees(arc, axis, normal, pivot) - degrees) <= 1, "the turned angle");
    }),
  );
});
