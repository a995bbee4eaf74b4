import assert from "node:assert/strict";
import { test } from "node:test";
import { rotationMatrix } from "../../src/geometry/pose.ts";
import { AXIS_INDICES, type Vec3, dot, subtract } from "../../src/geometry/vector.ts";
import { type CaptionBox, clearBoxes } from "../../src/page/view/captions.ts";
import {
  changeMatrix,
  facingPlane,
  moveChange,
  rotationRows,
  scaleChange,
  rotateChange,
} from "../../src/page/view/changes.ts";
import { frameGoal, nextBudget } from "../../src/page/view/frame-budget.ts";
import { AXIS_NAMES } from "../../src/page/view/axes.ts";
import { handleAt, handlesOf } from "../../src/page/view/handles.ts";
import { type Instance, transformed } from "../../src/page/view/instances.ts";
import { fairShare, wantedMeshes } from "../../src/page/view/levels.ts";
import { type Orbit, boxCorners, framing, projected, rayThrough, zoomed } from "../../src/page/view/orbit.ts";
import type { PackedMesh } from "../../src/page/view/packed-mesh.ts";
import { modelsWithin, pickBody } from "../../src/page/view/picks.ts";
import { clickedSelection } from "../../src/page/view/select-gestures.ts";
import { fc } from "../fixture/property.ts";

const SIZE = { width: 800, height: 600 };
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const place = fc.tuple(between(-50, 50), between(-50, 50), between(-50, 50));
const orbits: fc.Arbitrary<Orbit> = fc.record({
  yawDeg: between(0, 360),
  pitchDeg: between(-90, 90),
  target: place,
  heightMm: between(10, 500),
});
const pixels = fc.record({ x: between(0, SIZE.width), y: between(0, SIZE.height) });

const isClose = (a: readonly number[], b: readonly number[], tolerance: number): void => {
  for (const [i, value] of a.entries()) assert.ok(Math.abs(value - b[i]) <= tolerance, `${a} is not ${b}`);
};

/** A cube of ±1 mm; facets are counter-clockwise seen from outside. */
const CUBE: PackedMesh = {
  positions: Float32Array.from(
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2].map((b) => 2 * b - 1)),
  ),
  triangles: Uint32Array.from(
    [
      [0, 2, 3, 0, 3, 1],
      [4, 5, 7, 4, 7, 6],
      [0, 1, 5, 0, 5, 4],
      [2, 6, 7, 2, 7, 3],
      [0, 4, 6, 0, 6, 2],
      [1, 3, 7, 1, 7, 5],
    ].flat(),
  ),
  box: { min: [-1, -1, -1], max: [1, 1, 1] },
};

const cubeAt = (modelId: string, [x, y, z]: Vec3, scale = 1, mirror = 1): Instance => ({
  modelId,
  role: "part",
  inBounds: true,
  triangles: 12,
  matrix: [mirror * scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, y, z, 1],
});
const pickable = (places: readonly Instance[], belowMm = Infinity) => ({
  instances: new Map([["cube", places]]),
  mesh: () => CUBE,
  cuts: [{ normal: [0, 0, 1], atMm: belowMm }] as const,
});

test("the ray through a pixel meets the point that is projected to it", () => {
  fc.assert(
    fc.property(orbits, pixels, between(9000, 11_000), (orbit, pixel, far) => {
      const { origin, direction } = rayThrough(orbit, pixel, SIZE);
      const point: Vec3 = [0, 1, 2].map((i) => origin[i] + far * direction[i]) as never;
      const { x, y } = projected(orbit, point, SIZE);
      // The axes of a view are rounded to single precision.
      isClose([x, y], [pixel.x, pixel.y], 0.2);
    }),
  );
});

test("what is framed is in the middle, and takes 80 % of the picture's smaller side", () => {
  const sizes = fc.constantFrom({ width: 800, height: 600 }, { width: 390, height: 700 });
  fc.assert(
    fc.property(
      orbits,
      sizes,
      place,
      fc.tuple(between(1, 60), between(1, 60), between(1, 60)),
      (orbit, size, at, by) => {
        const box = { min: at, max: at.map((value, i) => value + by[i]!) as never };
        const corners = boxCorners(box).map((corner) => projected(framing(orbit, [box], size), corner, size));
        const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
        const sides = [xs, ys].map((all) => Math.max(...all) - Math.min(...all));
        isClose([Math.max(...sides) / Math.min(size.width, size.height)], [0.8], 1e-3);
        const middle = [xs, ys].map((all) => (Math.max(...all) + Math.min(...all)) / 2);
        isClose(middle, [size.width / 2, size.height / 2], 0.2);
      },
    ),
  );
});

test("the point under the pointer stays there during a zoom", () => {
  fc.assert(
    fc.property(orbits, pixels, between(0.5, 2), place, (orbit, about, factor, point) => {
      const next = zoomed(orbit, factor, about, SIZE);
      const [before, after] = [projected(orbit, point, SIZE), projected(next, point, SIZE)];
      const share = orbit.heightMm / next.heightMm;
      isClose(
        [after.x - about.x, after.y - about.y],
        [share * (before.x - about.x), share * (before.y - about.y)],
        1e-2,
      );
    }),
  );
});

test("a pick returns the first body under a pixel, with the point and the outward normal", () => {
  fc.assert(
    fc.property(place, between(0.5, 9), fc.constantFrom(1, -1), between(0, 360), (middle, scale, mirror, yawDeg) => {
      const orbit: Orbit = { yawDeg, pitchDeg: 30, target: middle, heightMm: 100 };
      const hit = pickBody(rayThrough(orbit, { x: 400, y: 300 }, SIZE), pickable([cubeAt("a", middle, scale, mirror)]));
      assert.ok(hit);
      const outward = subtract(hit.point, middle).map((mm) => mm / scale);
      isClose([Math.max(...outward.map(Math.abs))], [1], 1e-3);
      assert.ok(dot(hit.normal, outward as never) > 0.99);
      assert.ok(dot(hit.normal, rayThrough(orbit, { x: 0, y: 0 }, SIZE).direction) < 0);
    }),
  );
});

test("bodies hide others, but not above the shown layer", () => {
  const ray = rayThrough({ yawDeg: 90, pitchDeg: 90, target: [0, 0, 0], heightMm: 50 }, { x: 400, y: 300 }, SIZE);
  const stack = [cubeAt("low", [0.1, 0.2, 1]), cubeAt("high", [0.1, 0.2, 20])];
  const idAt = (belowMm?: number) => pickBody(ray, pickable(stack, belowMm))?.instance.modelId;
  assert.equal(idAt(), "high");
  assert.equal(idAt(20), "high");
  assert.equal(idAt(10), "low");
  assert.equal(idAt(-1), undefined);
});

test("a rectangle selects the models that have a vertex in it", () => {
  const orbit: Orbit = { yawDeg: 90, pitchDeg: 90, target: [0, 0, 0], heightMm: 60 };
  const cubes = pickable([cubeAt("left", [-20, 0, 1]), cubeAt("right", [20, 0, 1]), cubeAt("above", [20, 0, 30])]);
  const all = [
    { x: 800, y: 600 },
    { x: 0, y: 0 },
  ] as const;
  assert.deepEqual(modelsWithin(all, orbit, SIZE, cubes), ["left", "right", "above"]);
  assert.deepEqual(modelsWithin(all, orbit, SIZE, { ...cubes, cuts: [{ normal: [0, 0, 1], atMm: 5 }] }), [
    "left",
    "right",
  ]);
  assert.deepEqual(
    modelsWithin(
      [
        { x: 0, y: 0 },
        { x: 205, y: 305 },
      ],
      orbit,
      SIZE,
      cubes,
    ),
    ["left"],
  );
});

test("a click selects a model, and with Shift or Ctrl adds or removes it", () => {
  const two = new Set(["a", "b"]);
  assert.deepEqual(clickedSelection(two, "c", false), ["c"]);
  assert.deepEqual(clickedSelection(two, "c", true), ["a", "b", "c"]);
  assert.deepEqual(clickedSelection(two, "a", true), ["b"]);
  assert.deepEqual(clickedSelection(two, undefined, false), []);
  assert.deepEqual(clickedSelection(two, undefined, true), ["a", "b"]);
});

test("a point that is dragged in a plane or along an axis stays under the pointer", () => {
  fc.assert(
    fc.property(orbits, pixels, pixels, (orbit, from, to) => {
      fc.pre(Math.abs(orbit.pitchDeg) > 15);
      const change = moveChange({ from, to, orbit, size: SIZE }, [0, 1]);
      assert.ok(change.kind === "move" && change.by[2] === 0);
      const [a, b] = [projected(orbit, [0, 0, 0], SIZE), projected(orbit, change.by, SIZE)];
      isClose([b.x - a.x, b.y - a.y], [to.x - from.x, to.y - from.y], 1.5);
    }),
  );
  const level: Orbit = { yawDeg: 90, pitchDeg: 0, target: [0, 0, 0], heightMm: 60 };
  const stroke = { from: { x: 400, y: 300 }, to: { x: 500, y: 380 }, orbit: level, size: SIZE };
  assert.deepEqual(moveChange(stroke, [0, 1]), { kind: "move", by: [10, 0, 0] });
  assert.deepEqual(moveChange(stroke, [1]), { kind: "move", by: [0, 0, 0] });
  assert.deepEqual(moveChange(stroke, [2]), { kind: "move", by: [0, 0, -8] });
});

test("a part in a chamber is dragged in the plane that faces the viewer, under the pointer from any side", () => {
  const facing = (yawDeg: number, pitchDeg: number) =>
    [...facingPlane({ yawDeg, pitchDeg, target: [0, 0, 0], heightMm: 60 })].sort();
  assert.deepEqual(facing(90, 80), [0, 1], "from above");
  assert.deepEqual(facing(80, -10), [0, 2], "from the front");
  assert.deepEqual(facing(190, 20), [1, 2], "from the left");
  fc.assert(
    fc.property(orbits, pixels, pixels, (orbit, from, to) => {
      const change = moveChange({ from, to, orbit, size: SIZE }, facingPlane(orbit));
      assert.ok(change.kind === "move");
      const [a, b] = [projected(orbit, [0, 0, 0], SIZE), projected(orbit, change.by, SIZE)];
      isClose([b.x - a.x, b.y - a.y], [to.x - from.x, to.y - from.y], 1.5);
    }),
  );
});

test("rings rotate by the angle that the pointer moves around their centre", () => {
  const orbit: Orbit = { yawDeg: 90, pitchDeg: 90, target: [0, 0, 0], heightMm: 60 };
  const quarter = { from: { x: 450, y: 300 }, to: { x: 400, y: 250 }, orbit, size: SIZE };
  assert.deepEqual(rotateChange(quarter, 2, [0, 0, 5]), { kind: "rotate", axis: 2, degrees: 90 });
  const below = { ...quarter, orbit: { ...orbit, pitchDeg: -90 } };
  assert.deepEqual(rotateChange(below, 2, [0, 0, 5]), { kind: "rotate", axis: 2, degrees: -90 });
  for (const axis of AXIS_INDICES) {
    const rows = rotationRows({ kind: "rotate", axis, degrees: 37 });
    isClose(rows.flat(), rotationMatrix({ x: 0, y: 0, z: 0, [AXIS_NAMES[axis]]: 37 }), 1e-12);
  }
});

test("the scale follows the distance of the pointer from the centre, which stays in place", () => {
  const orbit: Orbit = { yawDeg: 90, pitchDeg: 90, target: [0, 0, 0], heightMm: 60 };
  const stroke = { from: { x: 420, y: 300 }, to: { x: 430, y: 300 }, orbit, size: SIZE };
  const change = scaleChange(stroke, [0, 0, 0]);
  assert.deepEqual(change, { kind: "scale", factor: 1.5 });
  isClose(transformed(changeMatrix(change, [1, 2, 3]), [1, 2, 3]), [1, 2, 3], 1e-12);
  isClose(transformed(changeMatrix(change, [1, 2, 3]), [3, 2, 3]), [4, 2, 3], 1e-12);
});

test("handles are hit where they are drawn, and axes parallel to the line of sight have none", () => {
  const orbit: Orbit = { yawDeg: 45, pitchDeg: 35, target: [0, 0, 0], heightMm: 100 };
  for (const tool of ["move", "rotate", "scale"] as const) {
    const handles = handlesOf(tool, [0, 0, 0], [0, 1, 2], orbit, SIZE);
    assert.equal(handles.length, tool === "scale" ? 1 : 3);
    for (const handle of handles) assert.ok(handleAt(handles, handle.points[1], 8));
    assert.equal(handleAt(handles, { x: 5, y: 5 }, 8), undefined);
  }
  const above = { ...orbit, pitchDeg: 90 };
  assert.deepEqual(
    handlesOf("move", [0, 0, 0], [0, 1, 2], above, SIZE).map(({ axis }) => axis),
    [0, 1],
  );
  assert.deepEqual(handlesOf("select", [0, 0, 0], [0, 1], orbit, SIZE), []);
});

test("bodies share the triangles of a quick frame, and triangles that small bodies do not need go to the others", () => {
  const meshes = fc.array(
    fc.record({ triangles: fc.integer({ min: 1, max: 1e5 }), count: fc.integer({ min: 1, max: 99 }) }),
  );
  fc.assert(
    fc.property(meshes, between(1, 1e7), (all, budget) => {
      const share = fairShare(all, budget);
      const drawn = all.reduce((sum, { triangles, count }) => sum + count * Math.min(triangles, share), 0);
      const wanted = all.reduce((sum, { triangles, count }) => sum + count * triangles, 0);
      isClose([drawn], [Math.min(wanted, budget)], 1e-6 * budget);
    }),
  );
  const instances = new Map([["cube", [cubeAt("a", [0, 0, 0])]]]);
  assert.deepEqual(wantedMeshes(instances, 12), [{ hash: "cube", coarse: undefined }]);
  assert.deepEqual(wantedMeshes(instances, 5), [{ hash: "cube", coarse: 128 }]);
});

test("the frame budget shrinks on a slow machine until frames are fast, and stays full on a fast one", () => {
  const goal = frameGoal(true);
  const settled = (msPerTriangle: number, msPerPixel: number) => {
    let budget = { triangles: goal.triangles, pixelRatio: goal.pixelRatio };
    for (let i = 0; i < 60; i++) {
      const triangles = Math.min(5e6, budget.triangles);
      const milliseconds = msPerTriangle * triangles + msPerPixel * budget.pixelRatio ** 2;
      budget = nextBudget(budget, { milliseconds, triangles }, goal);
    }
    return budget;
  };
  assert.ok(settled(1e-3, 20).triangles <= 1e5 * 1.3);
  assert.ok(settled(1e-3, 20).triangles >= 5e4);
  assert.ok(settled(1e-5, 5).triangles >= 1e6);
  assert.ok(settled(1e-4, 300).pixelRatio < 0.7);
});

test("where captions overlap, earlier ones win", () => {
  const box = fc.record({
    left: between(0, 200),
    top: between(0, 100),
    width: between(1, 80),
    height: between(10, 20),
  });
  const overlap = (a: CaptionBox, b: CaptionBox): boolean =>
    a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 30 }), (boxes) => {
      const areClear = clearBoxes(boxes);
      const seen = boxes.filter((_, i) => areClear[i]);
      assert.ok(areClear[0], "nothing lies over the first");
      for (const [i, one] of seen.entries()) assert.ok(!seen.slice(i + 1).some((other) => overlap(one, other)));
      // A caption is hidden only if an earlier visible one is within 2 px.
      for (const [i, one] of boxes.entries()) {
        const near = { left: one.left - 2, top: one.top - 2, width: one.width + 4, height: one.height + 4 };
        assert.ok(areClear[i] || boxes.some((other, j) => j < i && areClear[j] && overlap(near, other)));
      }
    }),
  );
});

test("what a section cuts off is not picked, and the rest as before", () => {
  const directions = place
    .filter((v) => Math.hypot(...v) > 1)
    .map((v): Vec3 => v.map((x) => x / Math.hypot(...v)) as unknown as Vec3);
  fc.assert(
    fc.property(directions, directions, between(-1, 1), place, (normal, direction, atMm, aim) => {
      const origin = subtract(
        [aim[0] / 60, aim[1] / 60, aim[2] / 60],
        [0, 1, 2].map((i) => 50 * direction[i]) as unknown as Vec3,
      );
      const ray = { origin, direction };
      const cube = pickable([cubeAt("cube", [0, 0, 0])]);
      const whole = pickBody(ray, { ...cube, cuts: [] });
      const hit = pickBody(ray, { ...cube, cuts: [{ normal, atMm }] });
      if (hit) assert.ok(dot(normal, hit.point) <= atMm + 1e-5, `${hit.point} is cut off`);
      if (whole && dot(normal, whole.point) < atMm - 1e-5) assert.deepEqual(hit, whole);
    }),
  );
});
