import { test } from "node:test";
import fc from "fast-check";
import { dot, times, unit, type Vec3 } from "../../../src/core/geometry.ts";
import { measureBothWays, measureRoughly } from "../../../src/orient/cost/measure-roughly.ts";
import { measure } from "../../../src/orient/cost/measure.ts";
import { severityOf } from "../../../src/orient/cost/severity.ts";
import { criteriaOf, type Measures } from "../../../src/orient/criteria.ts";
import { flatsOf } from "../../../src/orient/form/flats.ts";
import { marksOf, momentsOf, secondAlong, thirdAlong } from "../../../src/orient/form/moments.ts";
import { partOf } from "../../../src/orient/form/part.ts";
import { surfelsOf } from "../../../src/orient/form/surfels.ts";
import { subdivided } from "../../fixture/altered.ts";
import { BRACKET, CONE, MUG, orientRequest } from "../../fixture/orienting.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { assertNear } from "../../fixture/workshop.ts";

const SHAPES = [box([30, 20, 10]), cylinder(8, 40), torus(20, 5), uvSphere(15), BRACKET, CONE, MUG].map((shape) => {
  const coarse = partOf(meshOf(shape), 1);
  const flats = flatsOf(coarse);
  return { coarse, fine: partOf(meshOf(subdivided(shape)), 1), pieces: surfelsOf(coarse, 40), flats };
});
const severity = severityOf(criteriaOf(orientRequest(meshOf(CONE)).profile));

/** Also such that facets stand level or upright, or all but: there slabs end at corners, and sides have no height. */
const share = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(0, 1, -1, 0.5, 1e-12, 1e-6));
const direction = fc
  .tuple(share, share, share)
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v): Vec3 => unit(v));

const withSize = (found: Measures, expected: Measures, tolerance: number): void =>
  Object.entries(expected).forEach(([key, value]) => {
    const size = key === "liftMm3" ? 40 * 3000 : key === "heightMm" ? 40 : 3000;
    assertNear(found[key as keyof Measures], value, tolerance * size, key);
  });

test("measures are those of the shape, however fine its facets", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), direction, ({ coarse, fine }, up) => {
      withSize(measure(fine, up, severity), measure(coarse, up, severity), 1e-3);
    }),
    { numRuns: 60 },
  );
});

/** Cosine of 5°. A flat that is as near to the level as this lies on the platform for one measure and rises from it for the other. */
const LEVEL = 0.9962;

test("rough measures are near the exact ones", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), direction, ({ coarse, pieces, flats }, up) => {
      fc.pre(flats.every(({ normal }) => Math.abs(dot(normal, up)) < LEVEL));
      withSize(measureRoughly(pieces, coarse.vertices, up, severity), measure(coarse, up, severity), 0.12);
    }),
    { numRuns: 60 },
  );
});

test("rough measures upside down come with those upright", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), direction, ({ coarse, pieces }, up) => {
      const [, reversed] = measureBothWays(pieces, coarse.vertices, up, severity);
      withSize(reversed, measureRoughly(pieces, coarse.vertices, times(up, -1), severity), 0.01);
    }),
    { numRuns: 60 },
  );
});

test("a box has the measures of a box", () => {
  const part = partOf(meshOf(box([30, 20, 10])), 1);
  withSize(
    measure(part, [0, 0, 1], severity),
    { overhangMm2: 0, liftMm3: 0, contactMm2: 600, levelMm2: 1200, peakMm2: 600, meanLayerMm2: 600, heightMm: 10 },
    1e-6,
  );
  // On an edge at 30°: its lower faces are 30° and 60° from the level, of 600 and 200 mm².
  const { overhangMm2, heightMm } = measure(part, unit([-Math.sin(Math.PI / 6), 0, Math.cos(Math.PI / 6)]), severity);
  assertNear(overhangMm2, 600, 1);
  assertNear(heightMm, 30 * 0.5 + 10 * Math.cos(Math.PI / 6), 1e-6);
});

test("moments are those of the shape: of a box in closed form, the same however fine the facets", () => {
  const moments = momentsOf(partOf(meshOf(box([2, 2, 2])), 1));
  // Over the surface of a cube of side 2: two faces at x = ±1, four with a mean square of 1/3.
  assertNear(secondAlong(moments, [1, 0, 0], [1, 0, 0]), (2 * 1 + 4 / 3) / 6, 1e-9);
  assertNear(thirdAlong(moments, [1, 0, 0], [1, 0, 0], [1, 0, 0]), 0, 1e-9);
  for (const { coarse, fine } of SHAPES) {
    const marks = marksOf(momentsOf(fine), [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6]);
    marksOf(momentsOf(coarse), [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6]).forEach((mark, i) =>
      assertNear(mark, marks[i], 1e-5),
    );
  }
});
