import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fc } from "../fixture/property.ts";
import { noProgress } from "../../src/core/progress.ts";
import { extensionOf, readerFor } from "../../src/format/model-formats.ts";
import type { EulerDeg } from "../../src/geometry/pose.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { checkedRuns } from "../fixture/dense-layer.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { type Point, rotated } from "../fixture/rotated.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf, placed, sliceAll, slicedVolume } from "../fixture/slices.ts";
import { longTest, slowRuns } from "../fixture/long.ts";

function near(actual: number, expected: number, relative: number, what = ""): void {
  const off = Math.abs(actual / expected - 1);
  assert.ok(off <= relative, `${what}: ${actual} is not ${expected}, off by ${off}`);
}

const angle = fc.oneof(fc.constantFrom(0, 90, 180, -45), fc.double({ min: -180, max: 180, noNaN: true }));
const place = fc.double({ min: -3, max: 3, noNaN: true });
const mirrorX = fc.boolean();

test("the layers of upright boxes and cylinders add up to their volume, at any place and rotation about z", () => {
  const size = fc.double({ min: 0.05, max: 12, noNaN: true });
  const layers = fc.integer({ min: 1, max: 60 });
  const pixelMm = fc.double({ min: 0.1, max: 0.3, noNaN: true });
  fc.assert(
    fc.property(
      fc.tuple(size, size, layers, pixelMm, angle, place, place, fc.integer({ min: 3, max: 90 }), mirrorX),
      ([width, depth, count, mm, z, x, y, segments, isMirrored]) => {
        const heightMm = count * 0.05;
        const grid = gridOf(Math.ceil(24 / mm), Math.ceil(24 / mm), mm, isMirrored);
        for (const shape of [box([width, depth, heightMm]), cylinder(Math.max(width, depth) / 2, heightMm, segments)]) {
          const mesh = meshOf(shape);
          const standing = placed(mesh, { position: [x, y, heightMm / 2], orientation: { x: 0, y: 0, z } });
          near(slicedVolume({ placed: [standing], boundariesMm: evenly(count, 0.05), grid }), mesh.volumeMm3, 1e-5);
        }
      },
    ),
    { numRuns: slowRuns(60) },
  );
});

/**
 * Layer boundaries at the vertices of the rotated mesh, between which areas change linearly, and the height of its middle above
 * its lowest vertex.
 */
function layersAtCorners({ vertices, box }: Mesh, orientation: EulerDeg, perStep: number) {
  const heightOf = (point: Point): number => rotated(point, orientation)[2];
  const heights = Array.from({ length: vertices.length / 3 }, (_, v) =>
    heightOf([vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]]),
  ).sort((a, b) => a - b);
  const corners = heights.map((z) => z - heights[0]).filter((z, i, all) => i === 0 || z - all[i - 1] > 1e-9);
  const inner = corners
    .slice(1)
    .flatMap((top, i) =>
      Array.from({ length: perStep }, (_, k) => corners[i] + ((top - corners[i]) * (k + 1)) / perStep),
    );
  return { boundariesMm: Float64Array.of(0, ...inner), middleMm: heightOf(boxCentre(box)) - heights[0] };
}

test("the layers of boxes and cylinders on their sides add up to their volume, in any direction and with many thicknesses", () => {
  const size = fc.double({ min: 0.5, max: 8, noNaN: true });
  const perStep = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(fc.tuple(size, size, angle, angle, perStep, place, place, mirrorX), (drawn) => {
      const [width, length, heading, spin, perStep, x, y, isMirrored] = drawn;
      // First rotated about its axis, then laid down with the axis horizontal.
      const orientation = { z: spin, x: heading, y: 90 };
      for (const mesh of [meshOf(cylinder(width / 2, length, 17)), meshOf(box([width, width, length]))]) {
        const { boundariesMm, middleMm } = layersAtCorners(mesh, orientation, perStep);
        const position = [x, y, middleMm] as const;
        const request = {
          placed: [placed(mesh, { position, orientation })],
          boundariesMm,
          grid: gridOf(120, 120, 0.2, isMirrored),
        };
        near(slicedVolume(request), mesh.volumeMm3, 1e-5);
      }
    }),
    { numRuns: slowRuns(60) },
  );
});

test("the areas of a body do not depend on its place between pixels or its rotation about z", () => {
  const shapes = [tetrahedron(8), uvSphere(4, 20, 11), torus(4, 1.5, 24, 11)].map((shape) => meshOf(shape));
  const areasOf = (mesh: Mesh, x: number, y: number, z: number): number[] =>
    sliceAll(
      {
        placed: [placed(mesh, { position: [x, y, 4.2], orientation: { x: 20, y: 30, z } })],
        boundariesMm: evenly(28, 0.3),
        grid: gridOf(60, 50, 0.3),
      },
      ({ areaMm2 }) => areaMm2,
    );
  const fraction = fc.double({ min: -0.3, max: 0.3, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...shapes), fraction, fraction, (mesh, x, y) => {
      const before = areasOf(mesh, 0, 0, 0);
      areasOf(mesh, x, y, 0).forEach((area, k) => assert.ok(Math.abs(area - before[k]) < 1e-9, `layer ${k}`));
    }),
    { numRuns: slowRuns(30) },
  );
  const upright = (mesh: Mesh, z: number): number =>
    slicedVolume({
      placed: [placed(mesh, { position: [0, 0, 4.2], orientation: { x: 0, y: 0, z } })],
      boundariesMm: evenly(28, 0.3),
      grid: gridOf(60, 60, 0.3),
    });
  fc.assert(
    fc.property(fc.constantFrom(...shapes), angle, (mesh, z) => near(upright(mesh, z), upright(mesh, 0), 1e-9)),
    { numRuns: slowRuns(30) },
  );
});

test("grey values are the exact coverage, rounded pixel by pixel", () => {
  const mesh = meshOf(torus(5, 2.2, 37, 13), box([1, 2, 9]));
  const grid = gridOf(70, 60, 0.25);
  fc.assert(
    fc.property(angle, angle, angle, (x, y, z) => {
      const standing = placed(mesh, { orientation: { x, y, z }, position: [0.03, -0.04, 5] });
      sliceAll({ placed: [standing], boundariesMm: evenly(10, 1), grid }, ({ runs, areaMm2 }) => {
        let pixels = 0;
        let grey = 0;
        for (const { start, end, value } of checkedRuns(runs)) {
          grey += ((end - start) * value) / 255;
          if (value < 255) pixels += end - start;
        }
        // Pixels that round to black or white have errors, too, but there are fewer of them than others.
        assert.ok(
          Math.abs(grey - areaMm2 / 0.0625) <= (0.5 / 255) * (pixels + 1),
          `${grey} is not ${areaMm2 / 0.0625}`,
        );
      });
    }),
    { numRuns: slowRuns(40) },
  );
});

const CLOSED = [
  "test/fixture/corpus/3mf-cube_gears_prod.3mf",
  "test/fixture/corpus/thingi-65004.stl",
  "test/fixture/corpus/thingi-472042.stl",
  "test/fixture/corpus/thingi-520644.stl",
  "test/fixture/corpus/mf-hull-body-x0.35.stl",
  "test/fixture/corpus/3mf-multiple_cylinders.3mf",
  "test/fixture/corpus/3mf-heartgears.3mf",
  "assets/demo/functional-part.stl",
];

for (const file of CLOSED) {
  longTest(`layers of 0.05 mm add up to the volume of ${file}`, async () => {
    const reader = await readerFor(extensionOf(file))!;
    const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
    const { parts, unitMm } = await reader.read(path, READ_OPTIONS, noProgress);
    for (const { surface, name } of parts) {
      const mesh = canonicalMesh(surface, unitMm ?? 1, noProgress);
      const { min, max } = mesh.box;
      const heightMm = max[2] - min[2];
      const pixelsOver = (axis: number): number => Math.ceil((max[axis] - min[axis]) / 0.2) + 2;
      const request = {
        placed: [placed(mesh, { position: [0, 0, heightMm / 2] })],
        boundariesMm: evenly(Math.ceil(heightMm / 0.05), 0.05),
        grid: gridOf(pixelsOver(0), pixelsOver(1), 0.2),
      };
      near(slicedVolume(request), mesh.volumeMm3, 1e-3, name ?? "");
    }
  });
}
