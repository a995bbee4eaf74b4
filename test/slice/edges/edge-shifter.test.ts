import assert from "node:assert/strict";
import { test } from "node:test";
import { loadManifold } from "../../../src/geometry/manifold.ts";
import { newEdgeShifter } from "../../../src/slice/edges/edge-shifter.ts";
import type { EdgeShifts } from "../../../src/slice/stack.ts";
import { keptWidth, keptWidths } from "../../../src/slice/edges/kept-widths.ts";
import { joinLoops, newLoops } from "../../../src/slice/outline-loops.ts";
import { type Segments, newSegments, pushSegment } from "../../../src/slice/outline-segments.ts";
import { LayerRasteriser } from "../../../src/slice/raster/rasterise-layer.ts";
import { addShiftedLoops } from "../../../src/slice/edges/shifted-loops.ts";
import { pixelShare } from "../../fixture/print-quality/printed-edges.ts";
import { fc } from "../../fixture/property.ts";
import { box } from "../../fixture/shapes.ts";
import { areasOf, evenly, gridOf, meshOf, picturesOf, placed } from "../../fixture/slices.ts";

const SIDE = 64;
const rasteriser = new LayerRasteriser(SIDE, SIDE);
const MODELS = 4;
const areaOf = (segments: Segments, models = MODELS): number =>
  rasteriser.rasterise(segments, { count: models, boundary: -1 }, () => {}).areaPixels;

type Point = readonly [x: number, y: number];

/** Rings in mm about the middle of the layer, counter-clockwise seen from above, as outlines. */
function outlinesOf(
  rings: readonly (readonly Point[])[],
  [width, depth]: Point,
  models: readonly number[] = [],
): Segments {
  const segments = newSegments();
  rings.forEach((ring, r) =>
    ring.forEach(([x, y], i) => {
      const [toX, toY] = ring[(i + 1) % ring.length]!;
      const middle = SIDE / 2;
      pushSegment(
        segments,
        middle + x / width,
        middle - y / depth,
        middle + toX / width,
        middle - toY / depth,
        models[r] ?? 0,
      );
    }),
  );
  return segments;
}

/** The area in mm² of outlines with moved edges, without strips. */
function shiftedArea(segments: Segments, shiftMm: number, pixelMm: Point): number {
  const [loops, shifted] = [newLoops(), newSegments()];
  joinLoops(segments, segments.count, pixelMm, loops);
  addShiftedLoops(loops, shiftMm, pixelMm, shifted);
  return areaOf(shifted) * pixelMm[0] * pixelMm[1];
}

const PIXELS: readonly Point[] = [
  [1, 1],
  [0.8, 1.25],
];

const turned = ([x, y]: Point, deg: number): Point => {
  const [cos, sin] = [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)];
  return [cos * x - sin * y, sin * x + cos * y];
};

const isNear = (found: number, expected: number, tolerance: number, what = ""): void =>
  assert.ok(Math.abs(found - expected) <= tolerance, `${what}: ${found} instead of ${expected}`);

test("rectangles and regular polygons grow and shrink on each side, in pixels of any form and at any angle", () => {
  for (const pixelMm of PIXELS) {
    for (const deg of [0, 13, 45, 80]) {
      for (const shift of [-1.7, -0.4, 0.3, 1.1]) {
        const [x, y] = [9.3, 6.1];
        const corners: Point[] = [
          [-x, -y],
          [x, -y],
          [x, y],
          [-x, y],
        ];
        const rectangle = outlinesOf([corners.map((corner) => turned(corner, deg))], pixelMm);
        isNear(shiftedArea(rectangle, shift, pixelMm), 4 * (x + shift) * (y + shift), 1e-6, `${deg}°`);
        const ring = Array.from({ length: 60 }, (_, i) => turned([8, 0], deg + 6 * i));
        const [apothem, tan] = [8 * Math.cos(Math.PI / 60), Math.tan(Math.PI / 60)];
        const hole = ring.map(([a, b]): Point => [a / 2, b / 2]).toReversed();
        const outer = 60 * (apothem + shift) ** 2 * tan;
        isNear(shiftedArea(outlinesOf([ring], pixelMm), shift, pixelMm), outer, 1e-6, "disc");
        const inner = 60 * (apothem / 2 - shift) ** 2 * tan;
        isNear(shiftedArea(outlinesOf([ring, hole], pixelMm), shift, pixelMm), outer - inner, 1e-6, "ring");
      }
    }
  }
});

/** Whether no corner turns by more than 120°, at which mitres end. */
const isBlunt = (ring: readonly Point[]): boolean =>
  ring.every(([x, y], i) => {
    const [before, after] = [ring.at(i - 1)!, ring[(i + 1) % ring.length]!];
    const [ax, ay, bx, by] = [x - before[0], y - before[1], after[0] - x, after[1] - y];
    return ax * bx + ay * by > -0.45 * Math.hypot(ax, ay) * Math.hypot(bx, by);
  });

const ringOf = (radii: readonly number[]): Point[] =>
  radii.map((radius, i) => turned([radius, 0], (360 * i) / radii.length + 11));

test("polygons have the areas that an independent library finds, also where parts of them vanish", async () => {
  const { CrossSection } = await loadManifold();
  const radii = (least: number, most: number) =>
    fc.array(fc.double({ min: least, max: most, noNaN: true }), { minLength: 7, maxLength: 16 });
  let vanished = 0;
  fc.assert(
    fc.property(radii(5, 16), radii(1, 4), fc.double({ min: -4.5, max: 2, noNaN: true }), (outer, inner, shift) => {
      const rings = [ringOf(outer), ringOf(inner).toReversed()];
      fc.pre(rings.every(isBlunt));
      const lists = rings.map((ring) => ring.map(([x, y]): [number, number] => [x, y]));
      const region = CrossSection.ofPolygons(lists, "Positive");
      const moved = region.offset(shift, "Miter", 2);
      const [expected, pieces] = [moved.area(), moved.numContour()];
      for (const section of [region, moved]) section.delete();
      if (shift < 0 && pieces !== 2) vanished++;
      const found = shiftedArea(outlinesOf(rings, [1, 1]), shift, [1, 1]);
      isNear(found, expected, 1e-3, `${shift}`);
    }),
    { numRuns: 300 },
  );
  assert.ok(vanished > 5, `${vanished}`);
});

test("outlines that touch in a point are moved each by itself, models apart from each other", () => {
  const square = (x: number, y: number): Point[] => [
    [x, y],
    [x + 8, y],
    [x + 8, y + 8],
    [x, y + 8],
  ];
  const touching = [square(-8, -8), square(0, 0)];
  for (const models of [[], [0, 1]]) {
    isNear(shiftedArea(outlinesOf(touching, [1, 1], models), -0.5, [1, 1]), 2 * 49, 1e-9);
    isNear(shiftedArea(outlinesOf(touching, [1, 1], models), 0.5, [1, 1]), 2 * 81 - 1, 1e-9);
  }
  // Bodies that overlap in 2 pixels: each edge moves, also those within the other body.
  const overlapping = outlinesOf([square(-7, 0), square(-1, 0)], [1, 1], [0, 1]);
  isNear(shiftedArea(overlapping, -0.5, [1, 1]), 13 * 7, 1e-9);
});

const SIGMA = 0.5;
const GROWTH = 0.3;
const PIXEL: Point = [1, 1];
const LIT: EdgeShifts = { shiftsMm: Float64Array.of(-GROWTH, 0), blurMm: SIGMA };
const drawnArea = (segments: Segments, shifts = LIT): number =>
  areaOf(newEdgeShifter(shifts, MODELS, PIXEL)({ index: 0, segments }), 2 * MODELS);

/** Dose at the distance `at` from the middle of a lit wall; the sum of pixels that tile it. */
const wallDose = (litPx: number, at: number): number => pixelShare((at + litPx / 2) / litPx, 0, SIGMA / litPx);

test("a thin wall is lit so wide that it cures in its own width, if it is not lit wider than it is", () => {
  // The dose at the place to which an edge of a thick wall grows.
  const least = wallDose(60, 30 + GROWTH);
  const kept = keptWidths(GROWTH, SIGMA, 1);
  for (let wall = 0.9; wall < 4; wall += 0.17) {
    const lit = keptWidth(kept, Math.min(wall, kept.thickMm)) + Math.max(0, wall - kept.thickMm);
    assert.ok(lit <= wall && lit >= wall - 2 * GROWTH - 1e-6);
    if (lit < wall) isNear(wallDose(lit, wall / 2), least, 2e-3, `a wall of ${wall}`);
  }
  for (const wall of [0.1, 0.2, 0.3]) isNear(keptWidth(kept, wall), wall, 1e-3);
  // Without the blur, and where it is too small for the growth, a pixel is kept.
  for (const blur of [undefined, 0.05]) {
    const known = keptWidths(GROWTH, blur, 1);
    isNear(keptWidth(known, 0.8), 0.8, 1e-9);
    isNear(keptWidth(known, 1.2), 1, 0.03);
    isNear(keptWidth(known, known.thickMm), known.thickMm - 2 * GROWTH, 1e-9);
  }
});

test("walls and pins that moved edges would remove stay, at any angle", () => {
  const kept = keptWidths(GROWTH, SIGMA, 1);
  for (const deg of [0, 20, 45, 71]) {
    for (const wall of [0.3, 0.6, 1, 1.6, 2.4]) {
      const corners: Point[] = [
        [-12, -wall / 2],
        [12, -wall / 2],
        [12, wall / 2],
        [-12, wall / 2],
      ];
      const segments = outlinesOf([corners.map((corner) => turned(corner, deg))], PIXEL);
      const expected = Math.max(keptWidth(kept, Math.min(wall, kept.thickMm)), wall - 2 * GROWTH);
      isNear(drawnArea(segments) / 24, expected, 0.02 * expected + 0.02, `a wall of ${wall} at ${deg}°`);
    }
    for (const radius of [0.15, 0.29, 0.32, 0.5]) {
      const pin = outlinesOf([Array.from({ length: 24 }, (_, i) => turned([radius, 0], deg + 15 * i))], PIXEL);
      const [own, drawn] = [areaOf(pin), drawnArea(pin)];
      isNear(drawn, own, 1e-4, `a pin of ${radius}`);
    }
  }
});

test("no body vanishes, whatever its form, and thick ones have no strips", () => {
  const corner = fc.tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true }));
  fc.assert(
    fc.property(corner, corner, corner, (a, b, c) => {
      const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      fc.pre(Math.abs(twice) > 0.05);
      const segments = outlinesOf([twice > 0 ? [a, b, c] : [a, c, b]], PIXEL);
      const [own, drawn] = [areaOf(segments), drawnArea(segments)];
      assert.ok(drawn > 0.15 * own, `${drawn} of ${own}`);
    }),
    { numRuns: 200 },
  );
  for (const sides of [4, 5, 6, 40]) {
    const ring = Array.from({ length: sides }, (_, i) => turned([10, 0], (360 * i) / sides + 7));
    const shifted = newEdgeShifter(LIT, MODELS, PIXEL)({ index: 0, segments: outlinesOf([ring], PIXEL) });
    assert.equal(shifted.count, sides);
  }
});

test("layers without a shift have their own outlines", () => {
  const segments = outlinesOf([ringOf([5, 6, 7, 5, 6])], PIXEL);
  assert.equal(newEdgeShifter(LIT, MODELS, PIXEL)({ index: 1, segments }), segments);
});

test("layers with moved edges are those of smaller parts, and measure as the parts", () => {
  const shift = 0.03;
  for (const changes of [{}, { mirrorX: true }, { portrait: true }, { pixelMm: [0.1, 0.13] as const }]) {
    for (const z of [0, 33]) {
      const grid = { ...gridOf(90, 70, 0.1), ...changes };
      const [own, smaller] = [0, shift].map((less) =>
        placed(meshOf(box([4.31 - 2 * less, 3.17 - 2 * less, 1])), {
          position: [0.3, -0.2, 0.5],
          orientation: { x: 0, y: 0, z },
        }),
      );
      const layers = { boundariesMm: evenly(4, 0.25), grid };
      const edges = { shiftsMm: new Float64Array(4).fill(-shift), blurMm: 0.05 };
      const request = { ...layers, placed: [own!], edges };
      const expected = picturesOf({ ...layers, placed: [smaller!] });
      picturesOf(request).forEach((picture, k) =>
        picture.forEach((value, i) => assert.ok(Math.abs(value - expected[k]![i]!) <= 1)),
      );
      for (const areaMm2 of areasOf(request)) isNear(areaMm2, 4.31 * 3.17, 1e-6);
    }
  }
});

test("the volume that clips layers is not moved", () => {
  const request = {
    placed: [placed(meshOf(box([9, 9, 1])), { position: [4, 0, 0.5] })],
    boundariesMm: evenly(1, 1),
    grid: gridOf(60, 60, 0.25),
    clipTo: { dimensionsMm: [10, 20, 9], filletRadiusMm: 0 } as const,
    edges: { shiftsMm: Float64Array.of(-0.25), blurMm: 0.1 },
  };
  const [picture] = picturesOf(request);
  // From x = −0.25 to 5, and y = −4.25 to 4.25.
  isNear(
    picture!.reduce((sum, value) => sum + value / 255, 0),
    21 * 34,
    1e-9,
  );
  isNear(areasOf(request)[0]!, 5.5 * 9, 1e-9);
});
