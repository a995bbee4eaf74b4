import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { upperBound } from "../../../src/geometry/binary-search.ts";
import { dot } from "../../../src/geometry/vector.ts";
import { boxOf } from "../../../src/geometry/box.ts";
import { cornersOf, facetNormal } from "../../../src/mesh/mesh.ts";
import { facesOfLayer, findOverhangFaces, findOverhangs } from "../../../src/slice/overhang/overhangs.ts";
import { spanGridOver } from "../../../src/slice/span-layers.ts";
import { uvSphere } from "../../fixture/shapes.ts";

const ANGLE_DEG = 45;
const RADIUS_MM = 5;
const surface = uvSphere(RADIUS_MM);
const grid = spanGridOver(boxOf(surface.vertices), 0.2);
const sampleHeightsMm = Float64Array.from({ length: 40 }, (_, layer) => 0.05 + 0.25 * layer - RADIUS_MM);
const request = { surface, sampleHeightsMm, grid, angleDeg: ANGLE_DEG };

test("overhangs with and without faces have the same entries", () => {
  const { heightsMm, slopes, ...faces } = findOverhangFaces(request, noProgress);
  const { starts, pixels, facets, maxRiseMm } = findOverhangs(request, noProgress);
  assert.deepEqual({ starts, pixels, facets, maxRiseMm }, faces);
  assert.ok(pixels.length > 500);
  assert.deepEqual([heightsMm.length, slopes.length], [pixels.length, pixels.length]);
});

test("an entry belongs to the first layer above its facet, at the height and with the slope of the facet", () => {
  const overhangs = findOverhangFaces(request, noProgress);
  for (let layer = 0; layer < sampleHeightsMm.length; layer++) {
    const { pixels, heightsMm, slopes } = facesOfLayer(overhangs, layer);
    pixels.forEach((pixel, i) => {
      const facet = overhangs.facets[overhangs.starts[layer] + i];
      const [nx, ny, nz] = facetNormal(surface, facet);
      const [corner] = cornersOf(surface, facet);
      const row = Math.floor(pixel / grid.columns);
      const x = grid.leftMm + (pixel - row * grid.columns + 0.5) * grid.pixelMm;
      const y = grid.backMm - (row + 0.5) * grid.pixelMm;
      assert.ok(Math.abs(dot([nx, ny, nz], [x - corner[0], y - corner[1], heightsMm[i] - corner[2]])) < 1e-6);
      assert.ok(Math.abs(slopes[i] - Math.hypot(nx, ny) / -nz) < 1e-6 && slopes[i] < 1);
      assert.equal(upperBound(sampleHeightsMm, heightsMm[i]), layer);
    });
  }
});

test("the overhangs of a ball cover the disc in which the ball is flatter than the angle, each pixel once", () => {
  const { pixels } = findOverhangs(request, noProgress);
  assert.equal(new Set(pixels).size, pixels.length);
  const discMm2 = Math.PI * (RADIUS_MM * Math.sin((ANGLE_DEG * Math.PI) / 180)) ** 2;
  const areaMm2 = pixels.length * grid.pixelMm ** 2;
  assert.ok(Math.abs(areaMm2 / discMm2 - 1) < 0.1, `${areaMm2} of ${discMm2} mm²`);
});
