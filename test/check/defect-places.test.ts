import assert from "node:assert/strict";
import { test } from "node:test";
import { defectPlaces } from "../../src/check/defect-places.ts";
import { manifoldnessOf } from "../../src/check/manifoldness.ts";
import { outsidePlaces } from "../../src/check/outside-places.ts";
import type { FindingPlace } from "../../src/check/finding-place.ts";
import { noProgress } from "../../src/core/progress.ts";
import { type Vec3, distance } from "../../src/geometry/vector.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { modelBody } from "../fixture/check-request.ts";
import { fc } from "../fixture/property.ts";
import { box, cylinder, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { facetsOf, insideOut, moved, withFacets } from "../fixture/surface-edits.ts";

// Places of the defects of a mesh, and places outside the build volume.

const placesIn = (...surfaces: Surface[]): FindingPlace[] =>
  defectPlaces(modelBody(0, meshOf(...surfaces)).placed, noProgress);

const summary = (places: readonly FindingPlace[]) =>
  places.map(({ kind, size }) => [kind, Math.round(1e6 * size) / 1e6]);

const pointsOf = ({ point, dots }: FindingPlace): Vec3[] => [
  point,
  ...Array.from({ length: dots.length / 3 }, (_, i): Vec3 => [dots[3 * i], dots[3 * i + 1], dots[3 * i + 2]]),
];

// `modelBody` puts the middle of the box of the mesh at the origin, and its lowest point at z = 0.
const CUBE = box([10, 10, 10]);

test("connected facets that are turned over are one place, and their edges are not faulty", () => {
  const facets = facetsOf(CUBE);
  const turned = [0, 5].map((i) => facets[i]);
  const other = facets.map(([a, b, c], i) => (i === 0 || i === 5 ? ([a, c, b] as const) : ([a, b, c] as const)));
  const places = placesIn(withFacets(CUBE, other));
  const hangTogether = turned[0].filter((corner) => turned[1].includes(corner)).length === 2;
  assert.deepEqual(
    summary(places),
    hangTogether
      ? [["TURNED", 2]]
      : [
          ["TURNED", 1],
          ["TURNED", 1],
        ],
  );
  for (const point of places.flatMap(pointsOf)) {
    assert.ok(
      Math.abs(Math.max(Math.abs(point[0]), Math.abs(point[1]), Math.abs(point[2] - 5)) - 5) < 1e-4,
      "on the surface",
    );
  }
});

test("a duplicate facet is marked, and the faulty edges that it causes", () => {
  const facets = facetsOf(CUBE);
  const places = placesIn(withFacets(CUBE, [...facets, facets[0]]));
  assert.deepEqual(
    places.filter(({ kind }) => kind === "DUPLICATE").map(({ size }) => Math.round(size)),
    [1],
  );
  assert.equal(
    places.filter(({ kind }) => kind === "EDGES").reduce((sum, { size }) => sum + Math.round(size), 0),
    3,
  );
});

test("each inverted body is a place that covers it, and cavities are no places", () => {
  const places = placesIn(CUBE, moved(insideOut(uvSphere(3)), [30, 0, 0]), insideOut(uvSphere(4)));
  assert.deepEqual(
    places.map(({ kind }) => kind),
    ["INVERTED"],
  );
  // The whole mesh is 38 mm wide, from the left of the cube to the right of the sphere.
  const middle: Vec3 = [-19 + 5 + 30, 0, 5];
  for (const point of pointsOf(places[0])) assert.ok(Math.abs(distance(point, middle) - 3) < 0.1, `${point}`);
  assert.deepEqual(placesIn(CUBE, insideOut(uvSphere(4))), []);
});

test("spheres cross along circles, and each circle is one place", () => {
  const radius = fc.double({ min: 3, max: 6, noNaN: true });
  const apart = fc.double({ min: 0.4, max: 0.8, noNaN: true });
  fc.assert(
    fc.property(radius, apart, (r, share) => {
      const gap = 2 * r * share;
      const row = [0, gap, 2 * r * 1.5, 2 * r * 1.5 + gap].map((x) => moved(uvSphere(r, 24, 12), [x, 0.01, 0.02]));
      const places = placesIn(...row);
      assert.deepEqual(
        places.map(({ kind }) => kind),
        ["CROSSING", "CROSSING"],
      );
      const middles = [gap / 2, 2 * r * 1.5 + gap / 2].map((x) => x - (3 * r + gap) / 2);
      const circle = Math.sqrt(r * r - (gap / 2) ** 2);
      const beside = places.map(({ point: [x] }) => middles.findIndex((middle) => Math.abs(x - middle) < 0.1 * r));
      assert.deepEqual(beside.sort(), [0, 1]);
      for (const [, y, z] of places.flatMap(pointsOf)) {
        assert.ok(Math.abs(Math.hypot(y, z - r) - circle) < 0.1 * r, "on the circle");
      }
    }),
    { numRuns: 4 },
  );
});

test("every self-intersection has a place, even if facets are coplanar", () => {
  const shapes: Surface[][] = [
    [CUBE, moved(CUBE, [10, 0, 0])],
    [CUBE, moved(box([4, 4, 4]), [0, 0, 7])],
    [CUBE, moved(box([4, 4, 4]), [7, 1, 1])],
    [cylinder(3, 9), moved(CUBE, [0, 0, 9])],
    [uvSphere(5), moved(box([1, 1, 1]), [0, 0, 5])],
    [CUBE],
    [uvSphere(5), uvSphere(3)],
  ];
  for (const [i, surfaces] of shapes.entries()) {
    const crossing = placesIn(...surfaces).filter(({ kind }) => kind === "CROSSING");
    const { selfIntersecting } = manifoldnessOf(meshOf(...surfaces), noProgress);
    assert.equal(crossing.length > 0, selfIntersecting, `shape ${i}`);
  }
});

test("a mesh with everything wrong has no more places than one with a single defect", () => {
  const facets = facetsOf(CUBE);
  const torn = withFacets(CUBE, facets.slice(1));
  const many = Array.from({ length: 40 }, (_, i) => moved(torn, [12 * i, 0, 0]));
  const crossed = Array.from({ length: 40 }, (_, i) => moved(CUBE, [12 * i, 0, 7]));
  const places = placesIn(...many, ...crossed);
  assert.ok(places.length <= 30 && new Set(places.map(({ kind }) => kind)).size >= 2, `${places.length} places`);
});

test("parts outside the build volume are reported by side, with their distance", () => {
  const volume = { dimensionsMm: [100, 80, 60], filletRadiusMm: 0 } as const;
  const coordinate = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  const SIDES = ["LEFT", "RIGHT", "FRONT", "BACK", "PLATFORM", "TOP"];
  fc.assert(
    fc.property(coordinate(70), coordinate(60), coordinate(70), (x, y, z) => {
      const placed = { mesh: meshOf(CUBE), pose: { position: [x, y, z], orientation: { x: 0, y: 0, z: 0 }, scale: 1 } };
      const places = outsidePlaces({ bodies: [placed as never], volume }, noProgress);
      const beyond = [-45 - x, x - 45, -35 - y, y - 35, 5 - z, z - 55];
      const expected = SIDES.map((side, i) => [side, beyond[i]] as const)
        .filter(([, mm]) => mm > 1e-3)
        .sort((a, b) => b[1] - a[1]);
      assert.deepEqual(
        places.map(({ kind }) => kind),
        expected.map(([side]) => side),
      );
      for (const [i, place] of places.entries()) {
        assert.ok(Math.abs(place.size - expected[i][1]) < 1e-3, `${place.kind}: ${place.size}`);
        for (const [px, py, pz] of pointsOf(place)) {
          const past = [-50 - px, px - 50, -40 - py, py - 40, -pz, pz - 60][SIDES.indexOf(place.kind!)];
          assert.ok(past > 0 && past <= place.size + 1e-3);
        }
      }
    }),
    { numRuns: 20 },
  );
  const atTheEdge = {
    mesh: meshOf(CUBE),
    pose: { position: [45, 35, 5], orientation: { x: 0, y: 0, z: 0 }, scale: 1 },
  };
  const round = { ...volume, filletRadiusMm: 10 };
  const [place, ...others] = outsidePlaces({ bodies: [atTheEdge as never], volume: round }, noProgress);
  assert.deepEqual([place.kind, others.length], ["CORNER", 0]);
  assert.ok(Math.abs(place.size - 10 * (Math.SQRT2 - 1)) < 1e-4);
});
