import assert from "node:assert/strict";
import { test } from "node:test";
import type { BodyGroup } from "../../src/check/body-group.ts";
import { findCups } from "../../src/check/cups.ts";
import { defectPlaces } from "../../src/check/defect-places.ts";
import { findModelMinima } from "../../src/check/minima.ts";
import { type FindingPlace, newPlaceFinder } from "../../src/check/finding-place.ts";
import { findUnsupported } from "../../src/check/supportedness.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { noProgress } from "../../src/core/progress.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { distance } from "../../src/geometry/vector.ts";
import { placedSurface } from "../../src/mesh/mesh.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import type { SceneBody } from "../../src/scene/body-clusters.ts";
import { checkRequest, modelBody } from "../fixture/check-request.ts";
import { fc } from "../fixture/property.ts";
import { BARE_TABLE, HANGING_ICICLES, ICICLES } from "../fixture/minima.ts";
import { box, mug } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

// Places of the findings of the layer checks.

/** The one group that some bodies make, in the coordinates of the scene. */
function groupOf(...bodies: SceneBody[]): BodyGroup {
  const groups = runAtOnce(checkGroups(checkRequest(bodies), 0.1));
  assert.equal(groups.length, 1);
  return groups[0].placed;
}

const dotsOf = ({ dots }: FindingPlace): [x: number, y: number, z: number][] =>
  Array.from({ length: dots.length / 3 }, (_, i) => [dots[3 * i], dots[3 * i + 1], dots[3 * i + 2]]);

const mugMesh = (radius: number, depth: number) => meshOf(mug(radius, depth));

test("the place of a cup is inside the cup, wherever the mug is, and has its volume", () => {
  const sizes = { min: 1.5, max: 6, noNaN: true };
  const at = fc.tuple(fc.double({ min: -50, max: 50, noNaN: true }), fc.double({ min: -40, max: 40, noNaN: true }));
  fc.assert(
    fc.property(fc.double(sizes), fc.double(sizes), at, (radius, depth, [x, y]) => {
      const [{ cups, places }] = findCups(groupOf(modelBody(0, mugMesh(radius, depth), [x, y, 0])), noProgress);
      assert.equal(cups, 1);
      assert.equal(places.length, 1);
      const [place] = places;
      for (const [px, py, pz] of [place.point, ...dotsOf(place)]) {
        assert.ok(Math.hypot(px - x, py - y) < radius + 0.1 && pz > 1 - 0.1 && pz < depth + 1, `${px} ${py} ${pz}`);
      }
      assert.ok(distance(place.point, [x, y, place.point[2]]) < 0.3, "about in the middle");
      assert.ok(Math.abs(place.radiusMm - radius) < 0.3, `a radius of ${place.radiusMm} for ${radius}`);
      assert.ok(Math.abs(place.size / (Math.PI * radius ** 2 * depth) - 1) < 0.1, "its volume");
    }),
    { numRuns: 5 },
  );
});

test("the largest of several cups comes first, and each model has its own cups", () => {
  const [both] = findCups(
    groupOf(modelBody(0, meshOf(mug(2, 3), moved(mug(4, 3), [12, 0, 0]), moved(box([14, 1, 1]), [6, 0, 0.5])))),
    noProgress,
  );
  assert.equal(both.cups, 2);
  assert.ok(both.places[0].size > both.places[1].size);
});

const TABLE = meshOf(...BARE_TABLE, ...HANGING_ICICLES);

test("the place of a minimum is the vertex of the posed mesh at which it begins", () => {
  const turn = fc.record({
    x: fc.double({ min: -8, max: 8, noNaN: true }),
    y: fc.double({ min: -8, max: 8, noNaN: true }),
    z: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(turn, (orientation) => {
      const body = modelBody(0, TABLE, [5, -3, 0], { orientation });
      const [{ minima, places }] = findModelMinima(groupOf(body), noProgress);
      assert.equal(places.length, minima);
      const { vertices } = placedSurface(body.placed);
      for (const { point } of places) {
        let nearest = Infinity;
        for (let at = 0; at < vertices.length; at += 3) {
          nearest = Math.min(nearest, distance(point, [vertices[at], vertices[at + 1], vertices[at + 2]]));
        }
        assert.ok(nearest < 1e-4, `${point.join(" ")} is ${nearest} mm from a vertex`);
      }
      // The places include the tips, at their positions in the pose.
      const lowestFirst = places.map(({ point }) => point[2]);
      assert.ok(
        lowestFirst.every((z, i) => i === 0 || z > lowestFirst[i - 1] - 0.11),
        "from the lowest up",
      );
      const matrix = rotationMatrix(orientation);
      const { position } = body.placed.pose;
      const middle = [0, 1, 2].map((axis) => (TABLE.box.min[axis] + TABLE.box.max[axis]) / 2);
      for (const tip of ICICLES) {
        const [x, y, z] = rotateVector(matrix, [tip[0] - middle[0], tip[1] - middle[1], tip[2] - middle[2]]);
        const placed = [x + position[0], y + position[1], z + position[2]] as const;
        assert.ok(
          places.some(({ point }) => distance(point, placed) < 1e-3),
          `the tip at ${placed.join(" ")}`,
        );
      }
    }),
    { numRuns: 4 },
  );
});

test("a flat minimum has its place at its corner, and dots all over it", () => {
  const [{ places }] = findModelMinima(groupOf(modelBody(0, meshOf(box([8, 6, 2])), [0, 0, 3])), noProgress);
  assert.equal(places.length, 1);
  const [place] = places;
  assert.deepEqual([Math.abs(place.point[0]), Math.abs(place.point[1]), place.point[2]], [4, 3, 3]);
  const across = dotsOf(place);
  assert.ok(across.length > 100);
  for (const [x, y] of across) assert.ok(Math.abs(x) <= 4.1 && Math.abs(y) <= 3.1);
});

test("unsupported areas are where nothing is below, have their true size, and are separate if they do not touch", () => {
  // A board on a post in its middle: both wings of the board hang in the air.
  const board = meshOf(moved(box([30, 6, 1]), [0, 0, 6.5]), moved(box([6, 6, 6]), [0, 0, 3]));
  const group = groupOf(modelBody(0, board, [10, 20, 0]));
  const options = { group, selfSupportingAngleDeg: 45, bridgingDistanceMm: 2 };
  const [{ unsupported, places }] = findUnsupported(options, noProgress);
  assert.equal(places.length, 2);
  const areaMm2 = places.reduce((sum, { size }) => sum + size, 0);
  assert.ok(Math.abs(areaMm2 - 2 * 6 * 10) < 6, `${areaMm2} mm²`);
  assert.ok(unsupported > 0);
  for (const place of places) {
    const side = Math.sign(place.point[0] - 10);
    for (const [x, y, z] of [place.point, ...dotsOf(place)]) {
      assert.ok(side * (x - 10) > 4.8 && side * (x - 10) < 15.1 && Math.abs(y - 20) < 3.1, `${x} ${y}`);
      assert.ok(Math.abs(z - 6) < 0.11, `height ${z}`);
    }
  }
});

test("dots are a limited number of the added points, and the place reaches all added points", () => {
  const points = fc.array(
    fc.tuple(fc.integer({ min: -400, max: 400 }), fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 3 })),
    { minLength: 1, maxLength: 300 },
  );
  fc.assert(
    fc.property(points, (added) => {
      const finder = newPlaceFinder(0.5);
      for (const [x, y, z] of added) finder.add(x, y, z);
      const whole = finder.whole()!;
      const known = new Set(added.map((point) => point.join(" ")));
      const parts = finder.parts();
      for (const place of [whole, ...parts]) {
        assert.ok(known.has(place.point.join(" ")));
        for (const dot of dotsOf(place)) assert.ok(known.has(dot.join(" ")));
      }
      for (const point of added) assert.ok(distance(whole.point, point) <= whole.radiusMm);
      assert.equal(whole.size, added.length);
      assert.ok(dotsOf(whole).length <= 512 && parts.flatMap(dotsOf).length <= 512);
      if (parts.length < 30)
        assert.equal(
          parts.reduce((sum, { size }) => sum + size, 0),
          added.length,
        );
    }),
  );
});

test("a large area has few dots, which still reach its corners", () => {
  const finder = newPlaceFinder(0.1);
  for (let x = 0; x < 200; x++) for (let y = 0; y < 200; y++) finder.add(x / 5, y / 5, 1);
  const [place, ...others] = finder.parts();
  assert.deepEqual([others.length, place.size], [0, 40_000]);
  const dots = dotsOf(place);
  assert.ok(dots.length > 64 && dots.length <= 512);
  for (const corner of [
    [0, 0],
    [0, 40],
    [40, 0],
    [40, 40],
  ]) {
    assert.ok(dots.some(([x, y]) => Math.hypot(x - corner[0], y - corner[1]) < 1.5 * place.dotMm));
  }
});

test("open edges are marked around a missing facet, one place for each hole", () => {
  const surface = box([10, 8, 6]);
  // A facet of the top and one of the bottom are missing.
  const isTop = (facet: number, z: number): boolean =>
    [0, 1, 2].every((corner) => surface.vertices[3 * surface.triangles[3 * facet + corner] + 2] === z);
  const facets = Array.from({ length: surface.triangles.length / 3 }, (_, facet) => facet);
  const missing = new Set([-3, 3].map((z) => facets.find((facet) => isTop(facet, z))));
  const triangles = surface.triangles.filter((_, at) => !missing.has(Math.floor(at / 3)));
  const mesh = meshOf({ vertices: surface.vertices, triangles });
  const { placed } = modelBody(0, mesh, [30, -20, 0], { orientation: { x: 0, y: 0, z: 90 } });
  const places = defectPlaces(placed, noProgress);
  assert.deepEqual(
    places.map(({ size }) => Math.round(1000 * size) / 1000),
    [3, 3],
  );
  for (const place of places) {
    const height = place.point[2] < 3 ? 0 : 6;
    for (const [x, y, z] of dotsOf(place)) {
      assert.ok(
        Math.abs(z - height) < 1e-4 && Math.abs(x - 30) <= 4.001 && Math.abs(y + 20) <= 5.001,
        `${x} ${y} ${z}`,
      );
    }
  }
  assert.deepEqual(defectPlaces(modelBody(0, meshOf(surface)).placed, noProgress), []);
});
