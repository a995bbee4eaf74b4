import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf } from "../../src/geometry/box.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { type Mat3, type Vec3, add, distance, dot, lerp, subtract, times } from "../../src/geometry/vector.ts";
import type { Feature } from "../../src/page/measure/features.ts";
import { placedFeature } from "../../src/page/measure/placed-feature.ts";
import { fittedCircle } from "../../src/page/measure/fitted-circle.ts";
import { measureBetween } from "../../src/page/measure/measure.ts";
import { type Aim, featuresOf } from "../../src/page/measure/mesh-features.ts";
import type { Slices } from "../../src/page/measure/slices.ts";
import type { PackedMesh } from "../../src/page/view/packed-mesh.ts";
import { firstHit } from "../../src/page/view/surface-hits.ts";
import { fc } from "../fixture/property.ts";
import { type Shape, box, cylinder, uvSphere } from "../fixture/shapes.ts";

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const vectors = (reach: number) => fc.tuple(between(-reach, reach), between(-reach, reach), between(-reach, reach));
const turns = fc
  .record({ x: between(-180, 180), y: between(-180, 180), z: between(-180, 180) })
  .map((angles) => rotationMatrix(angles));

/** A shape as the page gets it: in single precision, turned, scaled and moved. */
function packed({ vertices, triangles }: Shape, moved: (point: Vec3) => Vec3): PackedMesh {
  const points = Array.from({ length: vertices.length / 3 }, (_, i): Vec3 => [
    vertices[3 * i],
    vertices[3 * i + 1],
    vertices[3 * i + 2],
  ]);
  const at = new Float32Array(points.flatMap((point) => moved(point)));
  return { positions: at, triangles: new Uint32Array(triangles), box: boxOf(at) };
}

function finished<Result>(work: Slices<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The feature at a point that is seen against a direction; 100 px are a millimetre, and corners and edges are found within 8 px. */
function featureAt(mesh: PackedMesh, at: Vec3, toward: Vec3): Feature | undefined {
  const ray = { origin: add(at, times(toward, 500)), direction: times(toward, -1) };
  const hit = firstHit(mesh, ray, { from: 0, to: 1000 });
  if (!hit) return undefined;
  const [u, v] = across(toward);
  const aim: Aim = {
    facet: hit.facet,
    point: add(ray.origin, times(ray.direction, hit.at)),
    toPixel: (point) => ({ x: 100 * dot(u, subtract(point, at)), y: 100 * dot(v, subtract(point, at)) }),
    isKept: () => true,
    toward,
    reachPx: 8,
    mmPerUnit: 1,
  };
  return finished(featuresOf(mesh).at(aim));
}

function across(normal: Vec3): [Vec3, Vec3] {
  const [x, y, z] = normal;
  const side: Vec3 = Math.abs(z) < 0.9 ? [-y, x, 0] : [0, -z, y];
  const u = times(side, 1 / Math.sqrt(dot(side, side)));
  return [u, [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]]];
}

const isNear = (a: number, b: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a}, not ${b}`);

const columnOf = (turn: Mat3, axis: number): Vec3 => rotateVector(turn, [+(axis === 0), +(axis === 1), +(axis === 2)]);

test("a turned box has its faces, edges and corners where they are", () => {
  fc.assert(
    fc.property(
      turns,
      fc.tuple(between(5, 60), between(5, 60), between(5, 60)),
      vectors(80),
      fc.nat(2),
      fc.constantFrom(-1, 1),
      fc.tuple(between(-0.4, 0.4), between(-0.4, 0.4)),
      (turn, size, place, axis, side, [p, q]) => {
        const mesh = packed(box(size), (point) => add(place, rotateVector(turn, point)));
        const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
        const toward = times(columnOf(turn, axis), side);
        const onFace = (a: number, b: number): Vec3 =>
          add(
            place,
            add(
              times(toward, size[axis] / 2),
              add(times(columnOf(turn, i), a * size[i]), times(columnOf(turn, j), b * size[j])),
            ),
          );
        const face = featureAt(mesh, onFace(p, q), toward);
        assert.ok(face?.kind === "face", `it is a ${face?.kind}`);
        isNear(face.area, size[i] * size[j], 1e-3, "area");
        assert.ok(distance(face.centre, onFace(0, 0)) < 1e-4);
        assert.ok(distance(face.normal, toward) < 1e-5);
        assert.deepEqual(
          face.rims.map(({ length }) => length),
          [4],
        );
        const edge = featureAt(mesh, onFace(0.5 - 0.05 / size[i], q), toward);
        assert.ok(edge?.kind === "edge", `it is a ${edge?.kind}`);
        isNear(distance(edge.from, edge.to), size[j], 1e-4, "length");
        const corner = featureAt(mesh, onFace(0.5 - 0.03 / size[i], 0.5 - 0.03 / size[j]), toward);
        assert.ok(corner?.kind === "corner", `it is a ${corner?.kind}`);
        assert.ok(distance(corner.point, onFace(0.5, 0.5)) < 1e-4);
        // The other side of the box is its size away, and the faces beside it stand upright.
        const opposite = featureAt(mesh, subtract(onFace(p, q), times(toward, size[axis])), times(toward, -1));
        const { line, angleDeg } = measureBetween(face, opposite!);
        isNear(distance(...line!), size[axis], 1e-4, "size");
        assert.equal(angleDeg, 0);
        const beside = times(columnOf(turn, i), 1);
        const wall = featureAt(mesh, add(place, times(beside, size[i] / 2)), beside);
        const wallMeasure = measureBetween(face, wall!);
        assert.equal(wallMeasure.line, undefined);
        isNear(wallMeasure.angleDeg!, 90, 1e-3, "angle");
      },
    ),
    { numRuns: 40 },
  );
});

test("the rim of a turned cylinder is a circle, and its side a curved surface", () => {
  fc.assert(
    fc.property(
      turns,
      between(1, 40),
      between(2, 40),
      fc.integer({ min: 14, max: 200 }),
      vectors(50),
      (turn, radius, height, pieces, place) => {
        const moved = (point: Vec3): Vec3 => add(place, rotateVector(turn, point));
        const mesh = packed(cylinder(radius, height, pieces), moved);
        const up = columnOf(turn, 2);
        const top = moved([0, 0, height / 2]);
        const face = featureAt(mesh, moved([0.3 * radius, 0.2 * radius, height / 2]), up);
        assert.ok(face?.kind === "face", `it is a ${face?.kind}`);
        const area = (pieces / 2) * radius ** 2 * Math.sin((2 * Math.PI) / pieces);
        isNear(face.area / area, 1, 1e-4, "area of the polygon");
        for (const angle of [0.1 / pieces, 0.5 / pieces, 0.26]) {
          const turned = 2 * Math.PI * angle;
          const inside = radius * Math.cos(Math.PI / pieces) - 0.02;
          const at = moved([inside * Math.cos(turned), inside * Math.sin(turned), height / 2]);
          const circle = featureAt(mesh, at, up);
          if (circle?.kind === "face") continue; // Between the corners of a large circle its sides are too far away.
          assert.ok(circle?.kind === "circle", `it is a ${circle?.kind}`);
          isNear(circle.radius, radius, 1e-4, "radius");
          assert.ok(distance(circle.centre, top) < 1e-4, `${circle.centre} is not ${top}, ${circle.normal}`);
        }
        const atCorner = featureAt(mesh, moved([radius - 0.03, 0.001, height / 2]), up);
        assert.equal(atCorner?.kind, "circle");
        const sideways = Math.PI / pieces;
        const out = rotateVector(turn, [Math.cos(sideways), Math.sin(sideways), 0]);
        const onSide = featureAt(mesh, add(moved([0, 0, 0]), times(out, radius)), out);
        // Narrow sides are within reach of their edges, which are no edges of the part either.
        if (pieces >= 19) assert.equal(onSide?.kind, "place");
      },
    ),
    { numRuns: 40 },
  );
});

test("nothing lights up on a finely divided ball but the place itself", () => {
  const mesh = packed(uvSphere(10, 64, 32), (point) => point);
  fc.assert(
    fc.property(vectors(1), (direction) => {
      fc.pre(dot(direction, direction) > 0.01 && Math.abs(direction[2]) < 0.9);
      const out = times(direction, 1 / Math.sqrt(dot(direction, direction)));
      assert.equal(featureAt(mesh, times(out, 10), out)?.kind, "place");
    }),
    { numRuns: 30 },
  );
});

test("circles are told from nuts, ellipses and arcs; points on their sides change nothing", () => {
  const polygon = (pieces: number, at: (angle: number) => Vec3, share = 1): Vec3[] =>
    Array.from({ length: pieces }, (_, i) => at((2 * Math.PI * share * i) / pieces));
  const round = (angle: number): Vec3 => [5 * Math.cos(angle), 5 * Math.sin(angle), 2];
  const fit = (points: readonly Vec3[]) =>
    fittedCircle(points, [0, 0, 1], { absolute: 0.01, relative: 0.001 }, 1e-5)?.radius;
  isNear(fit(polygon(16, round))!, 5, 1e-9, "radius");
  const withMiddles = polygon(16, round).flatMap((corner, i, all) => [corner, lerp(corner, all[(i + 1) % 16], 0.5)]);
  isNear(fit(withMiddles)!, 5, 1e-9, "radius with divided sides");
  assert.equal(fit(polygon(6, round)), undefined, "a nut");
  assert.equal(fit(polygon(64, (angle) => [5 * Math.cos(angle), 5.1 * Math.sin(angle), 2])), undefined, "an ellipse");
  assert.equal(fit(polygon(64, round, 0.5)), undefined, "half a disc");
});

const places = vectors(20);
const edges = fc.tuple(places, places).filter(([a, b]) => distance(a, b) > 0.5);

test("distances of edges and places are the shortest: no pair of points is nearer", () => {
  const shares = Array.from({ length: 41 }, (_, i) => i / 40);
  const lengthOf = (line: readonly [Vec3, Vec3] | undefined): number | undefined => line && distance(...line);
  fc.assert(
    fc.property(edges, edges, places, ([a, b], [c, d], point) => {
      // Edges that meet in a corner have an angle and no distance.
      fc.pre([a, b].every((end) => distance(end, c) > 0.01 && distance(end, d) > 0.01));
      const [one, other]: Feature[] = [
        { kind: "edge", from: a, to: b },
        { kind: "edge", from: c, to: d },
      ];
      const step = (distance(a, b) + distance(c, d)) / 80;
      const nearest = Math.min(...shares.flatMap((s) => shares.map((t) => distance(lerp(a, b, s), lerp(c, d, t)))));
      const found = lengthOf(measureBetween(one, other).line)!;
      assert.ok(found <= nearest + 1e-9 && found >= nearest - step, `${found} for ${nearest}`);
      const toPoint = Math.min(...shares.map((s) => distance(lerp(a, b, s), point)));
      const single = lengthOf(measureBetween(one, { kind: "corner", point }).line)!;
      assert.ok(single <= toPoint + 1e-9 && single >= toPoint - step, `${single} for ${toPoint}`);
    }),
    { numRuns: 60 },
  );
});

test("parallel edges are measured where they are beside each other, and edges of a corner by their angle", () => {
  const edge = (from: Vec3, to: Vec3): Feature => ({ kind: "edge", from, to });
  const beside = measureBetween(edge([0, 0, 0], [10, 0, 0]), edge([20, 3, 4], [6, 3, 4]));
  assert.deepEqual(beside, {
    line: [
      [8, 0, 0],
      [8, 3, 4],
    ],
    angleDeg: 0,
  });
  const apart = measureBetween(edge([0, 0, 0], [1, 0, 0]), edge([4, 4, 0], [9, 4, 0]));
  assert.equal(distance(...apart.line!), 5);
  const corner = measureBetween(edge([0, 0, 0], [1, 0, 0]), edge([-1, 1, 0], [0, 0, 0]));
  assert.equal(corner.line, undefined);
  isNear(corner.angleDeg!, 135, 1e-9, "angle");
});

test("features move to the scene with their part", () => {
  fc.assert(
    fc.property(turns, between(0.1, 30), vectors(50), vectors(10), (turn, scale, at, point) => {
      const column = (axis: number): Vec3 => times(columnOf(turn, axis), scale);
      const matrix = [...column(0), 0, ...column(1), 0, ...column(2), 0, ...at, 1] as const;
      const circle = placedFeature({ kind: "circle", centre: point, normal: [0, 0, 1], radius: 2 }, matrix);
      assert.ok(circle.kind === "circle");
      isNear(circle.radius, 2 * scale, 1e-9, "radius");
      assert.ok(distance(circle.centre, add(at, times(rotateVector(turn, point), scale))) < 1e-9);
      assert.ok(distance(circle.normal, columnOf(turn, 2)) < 1e-9);
    }),
  );
});
