import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { cutLayers } from "../../../src/slice/cut-layers.ts";
import { newEdgeShifter } from "../../../src/slice/edges/edge-shifter.ts";
import { slopeShare, slopeShares } from "../../../src/slice/over-cure/slope-shares.ts";
import { LayerRasteriser } from "../../../src/slice/raster/rasterise-layer.ts";
import { type EdgeShifts, prepareStack } from "../../../src/slice/stack.ts";
import { boxSurface } from "../../../src/mesh/box-surface.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { type Rz, lathe } from "../../fixture/shapes.ts";
import { asFiled, evenly, gridOf, meshOf } from "../../fixture/slices.ts";

const RESIN = { penetrationMm: 0.15 };
const THROUGH_MM = 0.264;
const BLUR_MM = 0.02;

/** The blurred light of the layers above a point `xMm` beyond a face that rises by `rise`, each dark up to the print-through: by 100,000 layers. */
function doseBeyond(xMm: number, rise: number): number {
  const layers = 100_000;
  const stepMm = (30 * RESIN.penetrationMm) / layers;
  let sum = 0;
  for (let k = 0; k < layers; k++) {
    const heightMm = (k + 0.5) * stepMm;
    const blurs = ((heightMm - THROUGH_MM) / rise - xMm) / BLUR_MM;
    // The logistic curve nearest to the normal distribution: within 0.0002 (Bowling et al., 2009).
    const share = 1 / (1 + Math.exp(-(0.07056 * blurs ** 3 + 1.5976 * blurs)));
    sum += Math.exp((THROUGH_MM - heightMm) / RESIN.penetrationMm) * share * (stepMm / RESIN.penetrationMm);
  }
  return sum;
}

test("faces that look down grow where the light of all layers above is what cures", () => {
  const shares = slopeShares(RESIN, THROUGH_MM, BLUR_MM)!;
  // exp(−0.264 / 0.15) = 0.172 of all light: 0.946 deviations from a table of the normal distribution.
  const uprightMm = 0.946 * BLUR_MM;
  assert.ok(Math.abs(doseBeyond(uprightMm, 1e9) - 1) < 0.01);
  for (const angleDeg of [30, 45, 60, 75, 82, 86]) {
    const angle = (angleDeg * Math.PI) / 180;
    const share = slopeShare(shares, Math.cos(angle));
    const rise = Math.tan(angle);
    // By how much doses change from the face to where upright walls end.
    const range = doseBeyond(0, rise) - doseBeyond(uprightMm, rise);
    assert.ok(Math.abs(doseBeyond(share * uprightMm, rise) - 1) < 0.02 * range, `${angleDeg}°: ${share}`);
  }
  assert.ok(slopeShare(shares, 0) === 1 && slopeShare(shares, -0.3) === 1 && slopeShare(shares, 1) === 0);
  assert.ok(shares.every((share, i) => share <= (shares[i - 1] ?? 1)));
});

test("light that sums up to less than twice what cures leaves upright walls where they are: there are no shares of that", () => {
  assert.equal(slopeShares(RESIN, 0.1, BLUR_MM), undefined);
});

const LAYERS = 14;
const SHARES = Float64Array.from({ length: 65 }, (_, i) => 1 - i / 64);
const GRID = { ...gridOf(120, 100, 0.05), pixelMm: [0.05, 0.06] as const };

/** The areas in mm² of the layers of 0.1 mm of a part with moved edges. */
function movedAreas(part: Surface, shiftMm: number, slopeShares: Float64Array | undefined): number[] {
  const edges: EdgeShifts = { shiftsMm: new Float64Array(LAYERS).fill(shiftMm), slopeShares };
  const solid = asFiled(meshOf(part));
  const stack = prepareStack({ placed: [solid], boundariesMm: evenly(LAYERS, 0.1), grid: GRID, edges }, noProgress);
  const shift = newEdgeShifter(edges, 1, GRID.pixelMm);
  const rasteriser = new LayerRasteriser(...GRID.pixels);
  return Array.from(
    cutLayers(stack, 0, () => {}),
    (layer) => {
      const { areaPixels } = rasteriser.rasterise(shift(layer), { count: 2, boundary: -1 }, () => {});
      return areaPixels * GRID.pixelMm[0] * GRID.pixelMm[1];
    },
  );
}

const middleMm = (layer: number): number => 0.1 * (layer + 0.5);
const SHARE_OF_45 = 1 - Math.SQRT1_2;

test("edges of faces that look down move by the share of their slope, those of all others by all of the shift", () => {
  const widening: Rz[] = [
    [0, 0],
    [1, 0],
    [2, 1],
    [2, 1.4],
    [0, 1.4],
  ];
  const narrowing = widening.map(([r, z]): Rz => [r, 1.4 - z]).toReversed();
  const near = (profile: readonly Rz[], shares: Float64Array | undefined, radiusOf: (zMm: number) => number): void =>
    movedAreas(lathe(profile, 180, false), -0.1, shares).forEach((area, k) => {
      const [radius, expected] = [Math.sqrt(area / Math.PI), radiusOf(middleMm(k))];
      assert.ok(Math.abs(radius - expected) < 0.003, `layer ${k}: ${radius} instead of ${expected}`);
    });
  near(widening, SHARES, (z) => (z < 1 ? 1 + z - 0.1 * SHARE_OF_45 : 1.9));
  near(widening, undefined, (z) => Math.min(2, 1 + z) - 0.1);
  near(narrowing, SHARES, (z) => Math.min(2, 2.4 - z) - 0.1);
});

test("walls beside a slope keep their whole shift up to the corner", () => {
  // Upright sides of 2 mm around one that rises at 45°.
  const { vertices, triangles } = boxSurface({ min: [-1, -1, 0], max: [1, 1, 1.4] });
  const at = (i: number): number => vertices[i]!;
  const part = {
    vertices: vertices.map((value, i) => (i % 3 === 0 && at(i) > 0 && at(i + 2) > 0 ? value + 1.4 : value)),
    triangles,
  };
  for (const shift of [-0.1, 0.1]) {
    movedAreas(part, shift, SHARES).forEach((area, k) => {
      const expected = (2 + middleMm(k) + shift + SHARE_OF_45 * shift) * (2 + 2 * shift);
      assert.ok(Math.abs(area - expected) < 1e-6, `${shift} mm, layer ${k}: ${area} instead of ${expected}`);
    });
  }
});
