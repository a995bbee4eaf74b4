import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuildVolume } from "../../src/geometry/build-volume.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { sampledLayer } from "../fixture/sampled-layer.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { areasOf, evenly, gridOf, meshOf, picturesOf, placed } from "../fixture/slices.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";

const grid = gridOf(80, 60, 0.25);
const boundariesMm = evenly(2, 1);
const volume = (width: number, depth: number, filletRadiusMm: number): BuildVolume => ({
  dimensionsMm: [width, depth, 30],
  filletRadiusMm,
});
const boxAt = (size: Vec3, position: Vec3, z = 0): PlacedMesh =>
  placed(meshOf(box(size)), { position, orientation: { x: 0, y: 0, z } });
const firstArea = (clipTo: BuildVolume, ...placed: PlacedMesh[]): number =>
  areasOf({ placed, boundariesMm, grid, clipTo })[0];

function near(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

test("a body larger than the build volume is clipped to the volume and its rounded corners", () => {
  for (const [width, depth, radius] of [
    [20, 15, 0],
    [20, 15, 3],
    [18.3, 11.1, 0.4],
    [20, 15, 7.5],
    [20, 15, 1e-5],
    [9, 7, 2],
  ]) {
    const area = width * depth - (4 - Math.PI) * radius * radius;
    for (const z of [0, 30, 45]) {
      // Corners are within a tenth of a micrometre of their arcs.
      near(
        firstArea(volume(width, depth, radius), boxAt([900, 900, 4], [3, 2, 2], z)),
        area,
        2e-4 * Math.PI * radius + 1e-9,
      );
    }
  }
});

test("a body half outside is clipped, a body wholly outside is not drawn", () => {
  const whole = volume(20, 15, 0);
  near(firstArea(whole, boxAt([4, 4, 4], [10, 0, 2])), 8, 1e-9);
  near(firstArea(whole, boxAt([4, 4, 4], [-10, -7.5, 2])), 4, 1e-9);
  near(firstArea(whole, boxAt([4, 4, 4], [-9, 1.1, 2], 90)), 12, 1e-9);
  near(firstArea(whole, boxAt([4, 4, 4], [13, 0, 2])), 0, 0);
  near(
    firstArea(whole, boxAt([4, 4, 4], [-13, 0, 2]), boxAt([4, 4, 4], [0, 20, 2]), boxAt([4, 4, 4], [0, -20, 2])),
    0,
    0,
  );
  near(firstArea(whole, boxAt([4, 4, 4], [-13, 0, 2]), boxAt([1, 1, 4], [-9, 0, 2])), 1, 1e-9);
});

test("a volume smaller than the image clips, too", () => {
  near(firstArea(volume(10, 8, 0), boxAt([4, 4, 4], [5, 4, 2])), 4, 1e-9);
  near(firstArea(volume(10, 8, 0), boxAt([4, 4, 4], [8, 4, 2])), 0, 0);
  near(firstArea(volume(10.3, 8.1, 0), boxAt([400, 1, 4], [8, 4.05, 2], 0)), 5.15, 1e-9);
});

test("clipped hollow and overlapping bodies agree with sampling lines", () => {
  const shell = meshOf(uvSphere(4, 24, 13), insideOut(uvSphere(3, 20, 11)), torus(1.5, 0.4, 16, 8));
  const crossed = meshOf(box([6, 1, 4]), moved(cylinder(1.5, 4, 9), [1, 0.5, 0]));
  const clipTo = volume(19, 14, 2.5);
  for (const mirrorX of [false, true]) {
    for (const [x, y] of [
      [9, 0],
      [-9.3, 6.2],
      [0, -7],
      [8.4, -6.1],
      [9.5, 7],
      [-12, 3],
    ]) {
      const scene = [
        placed(shell, { position: [x, y, 1.2] }),
        placed(crossed, { position: [x - 1, y + 0.5, 1], orientation: { x: 0, y: 0, z: 33 } }),
      ];
      const request = { placed: scene, boundariesMm, grid: { ...grid, mirrorX }, clipTo };
      picturesOf(request).forEach((picture, k) => {
        const expected = sampledLayer(request, k + 0.5, 32);
        picture.forEach((value, i) => near(value, 255 * expected[i], 255 / 32 + 1));
      });
    }
  }
});

test("clipping does not change bodies inside the volume", () => {
  const scene = [boxAt([5, 6, 3], [2, -1, 1.5], 17), placed(meshOf(torus(3, 1)), { position: [-3, 2, 1] })];
  const pictures = picturesOf({ placed: scene, boundariesMm, grid });
  assert.deepEqual(picturesOf({ placed: scene, boundariesMm, grid, clipTo: volume(20, 15, 2) }), pictures);
});

test("bodies that end at the border of the image, or a rounding error beyond it, are drawn up to the border", () => {
  for (const past of [0, 1e-14, 1e-12, 1e-9, 1e-6]) {
    for (const clipTo of [undefined, volume(20, 15, 0)]) {
      for (const z of [0, 90, 180]) {
        for (const [side, end] of [
          [-1, 0],
          [1, 0],
          [0, -1],
          [0, 1],
        ]) {
          const position: Vec3 = [side * (8 + past), end * (5.5 + past), 1];
          const [picture] = picturesOf({ placed: [boxAt([4, 4, 2], position, z)], boundariesMm, grid, clipTo });
          const full = picture.filter((value) => value === 255).length;
          assert.equal(full, 256, `past by ${past}, ${side} ${end}, ${z}°: ${full} pixels`);
        }
      }
    }
  }
});

test("a body of a million millimetres is clipped to the volume", () => {
  const far = 1e6;
  const clipTo = volume(20, 15, 1);
  const all = 300 - (4 - Math.PI);
  near(firstArea(clipTo, boxAt([2 * far, 2 * far, 4], [0, 0, 2])), all, 1e-3);
  near(firstArea(clipTo, boxAt([2 * far, 2 * far, 4], [0, 0, 2], 30)), all, 1e-3);
  near(firstArea(clipTo, boxAt([far, 2 * far, 4], [far / 2, 0, 2])), all / 2, 1e-3);
  // More bodies in one row than are sorted by insertion.
  const bars = Array.from({ length: 40 }, (_, i) => boxAt([0.1, 3, 4], [(i - 20) / 3, 3, 2]));
  const distant = Array.from({ length: 40 }, (_, i) => boxAt([1, 3, 4], [(i % 2 ? 1 : -1) * (9e5 + 1000 * i), 3, 2]));
  near(firstArea(clipTo, ...bars), 40 * 0.3, 1e-5);
  near(firstArea(clipTo, ...bars, ...distant), 40 * 0.3, 1e-5);
});
