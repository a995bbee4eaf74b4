import { test } from "node:test";
import { type Vec3, dot, times, unit } from "../../src/geometry/vector.ts";
import { type Measures, criteriaOf, overhangWeight, slopeWeightsOf } from "../../src/orient/criteria.ts";
import {
  addFractionsBelow,
  fractionBelow,
  measure,
  measureSurfels,
  measureSurfelsBothWays,
} from "../../src/orient/measure.ts";
import { momentsOf, secondMoment, thirdMoment, tieBreakers } from "../../src/orient/moments.ts";
import { type PartSurface, partSurface } from "../../src/orient/part-surface.ts";
import { surfelsOf } from "../../src/orient/surfels.ts";
import { BRACKET, CONE, MUG, orientRequest } from "../fixture/orienting.ts";
import { fc } from "../fixture/property.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { subdivided } from "../fixture/surface-edits.ts";
import { assertNear } from "../fixture/test-server.ts";
import { slowRuns } from "../fixture/long.ts";

const SHAPES = [box([30, 20, 10]), cylinder(8, 40), torus(20, 5), uvSphere(15), BRACKET, CONE, MUG].map((shape) => {
  const coarse = partSurface(meshOf(shape), 1);
  return {
    coarse,
    fine: partSurface(meshOf(subdivided(shape)), 1),
    pieces: surfelsOf(coarse, [1, 0, 0, 0, 1, 0, 0, 0, 1], 40),
  };
});
const slopeWeights = slopeWeightsOf(criteriaOf(orientRequest(meshOf(CONE)).profile));

/** Includes directions that make facets horizontal or vertical, exactly or nearly: special cases of the integrals. */
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

test("measures do not depend on the fineness of the facets", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), direction, ({ coarse, fine }, up) => {
      withSize(measure(fine, up, slopeWeights), measure(coarse, up, slopeWeights), 1e-3);
    }),
    { numRuns: slowRuns(60) },
  );
});

/** Surfels average normals over about 20°, and contact begins at 26° from level (`LYING_COSINE`). */
const MAY_LIE_COSINE = Math.cos((46 * Math.PI) / 180);

/**
 * Area that faces down within a surfel's reach of the platform, mm². The exact measure treats the part of a facet that is on the
 * platform as contact, the rough one whole surfels near it: each of the two may count this area as contact or as overhang.
 */
function areaNearPlatform({ vertices, triangles, normals, areas }: PartSurface, cellMm: number, up: Vec3): number {
  const heightOf = (vertex: number): number => dot(vectorAt(vertices, vertex), up);
  const bottom = Math.min(...Array.from({ length: vertices.length / 3 }, (_, vertex) => heightOf(vertex)));
  let area = 0;
  for (let facet = 0; facet < areas.length; facet++) {
    const low =
      Math.min(
        ...triangles
          .subarray(3 * facet, 3 * facet + 3)
          .values()
          .map(heightOf),
      ) - bottom;
    if (-dot(vectorAt(normals, facet), up) > MAY_LIE_COSINE && low < 1.25 * cellMm) area += areas[facet];
  }
  return area;
}

const vectorAt = (values: Float64Array, index: number): Vec3 => [
  values[3 * index],
  values[3 * index + 1],
  values[3 * index + 2],
];

test("measures by surfels are near the exact ones", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), direction, ({ coarse, pieces }, up) => {
      const rough = measureSurfels(pieces, coarse.vertices, up, slopeWeights);
      const exact = measure(coarse, up, slopeWeights);
      const ambiguous = areaNearPlatform(coarse, pieces.cellMm, up);
      assertNear(rough.contactMm2, exact.contactMm2, ambiguous + 0.01 * 3000, "contactMm2");
      assertNear(
        rough.overhangMm2,
        exact.overhangMm2,
        overhangWeight(1, slopeWeights) * ambiguous + 0.01 * 3000,
        "overhangMm2",
      );
      const { contactMm2, overhangMm2 } = exact;
      withSize({ ...rough, contactMm2, overhangMm2 }, exact, 0.05);
    }),
    { numRuns: slowRuns(1000) },
  );
});

test("measures by surfels for the reverse side equal those of the opposite direction", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), direction, ({ coarse, pieces }, up) => {
      const [, reversed] = measureSurfelsBothWays(pieces, coarse.vertices, up, slopeWeights);
      withSize(reversed, measureSurfels(pieces, coarse.vertices, times(up, -1), slopeWeights), 0.01);
    }),
    { numRuns: slowRuns(60) },
  );
});

test("the measures of a box are those of its closed form", () => {
  const surface = partSurface(meshOf(box([30, 20, 10])), 1);
  withSize(
    measure(surface, [0, 0, 1], slopeWeights),
    { overhangMm2: 0, liftMm3: 0, contactMm2: 600, levelMm2: 1200, peakMm2: 600, meanLayerMm2: 600, heightMm: 10 },
    1e-6,
  );
  // On an edge at 30°: its lower faces of 600 and 200 mm² are 30° and 60° from the horizontal. The steep face weighs 0.7 · cos² 60°;
  // the part of the other face near the platform is base.
  const { overhangMm2, contactMm2, heightMm } = measure(
    surface,
    unit([-Math.sin(Math.PI / 6), 0, Math.cos(Math.PI / 6)]),
    slopeWeights,
  );
  assertNear(overhangMm2 + contactMm2, 600 + 35, 1);
  assertNear(heightMm, 30 * 0.5 + 10 * Math.cos(Math.PI / 6), 1e-6);
});

test("moments of a cube are those of its closed form, and do not depend on the fineness of the facets", () => {
  const moments = momentsOf(partSurface(meshOf(box([2, 2, 2])), 1));
  // On the surface of a cube of side 2: two faces at x = ±1, four with a mean square of 1/3.
  assertNear(secondMoment(moments, [1, 0, 0], [1, 0, 0]), (2 * 1 + 4 / 3) / 6, 1e-9);
  assertNear(thirdMoment(moments, [1, 0, 0], [1, 0, 0], [1, 0, 0]), 0, 1e-9);
  for (const { coarse, fine } of SHAPES) {
    const marks = tieBreakers(momentsOf(fine), [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6]);
    tieBreakers(momentsOf(coarse), [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6]).forEach((mark, i) =>
      assertNear(mark, marks[i], 1e-5),
    );
  }
});

const SLABS = 6;
const SLAB_MM = 0.5;
const STEPS = 2000;

/** The mean share in a slab, by the midpoint rule. */
function meanShare(low: number, mid: number, high: number, slab: number): number {
  let sum = 0;
  for (let i = 0; i < STEPS; i++) sum += fractionBelow(low, mid, high, (slab + (i + 0.5) / STEPS) * SLAB_MM);
  return sum / STEPS;
}

/** Heights of corners at any place, or at ends of slabs, so that sides are horizontal. */
const height = fc.oneof(
  fc.double({ min: 0, max: SLABS * SLAB_MM, noNaN: true }),
  fc.integer({ min: 0, max: SLABS }).map((slab) => slab * SLAB_MM),
);

test("slabs get the mean share of the area of any triangle below their heights", () => {
  fc.assert(
    fc.property(fc.tuple(height, height, height), fc.boolean(), (corners, isRounded) => {
      const [low, mid, high] = corners.sort((a, b) => a - b);
      fc.pre(high - low > 1e-3);
      const first = Math.floor(low / SLAB_MM);
      // Rounding may move a corner at the start of a slab to the end of the previous one.
      const from = isRounded && first > 0 && low === first * SLAB_MM ? first - 1 : first;
      const sums = new Float64Array(SLABS);
      addFractionsBelow(sums, 3, low, mid, high, from, SLABS - 1, SLAB_MM);
      sums.forEach((sum, slab) => assertNear(sum, 3 * meanShare(low, mid, high, slab), 3e-3, `slab ${slab}`));
    }),
    { examples: [[[0.5, 0.5, 1.5], true]] },
  );
});
