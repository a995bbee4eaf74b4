import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { noProgress } from "../../src/core/progress.ts";
import { facetsOf as facetsOfChunk, layersOfChunk, prepareStack } from "../../src/slice/stack.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { areasOf, asFiled, evenly, gridOf, meshOf, picturesOf, placed, slicedVolume } from "../fixture/slices.ts";
import { facetsOf, moved, withFacets } from "../fixture/surface-edits.ts";

const grid = gridOf(64, 48, 0.25);
const areasOfSurfaces = (boundariesMm: Float64Array, ...surfaces: Surface[]): number[] =>
  areasOf({ placed: surfaces.map((surface) => asFiled(meshOf(surface))), boundariesMm, grid });
/** The shape, moved vertically so that its lowest vertex is at this height. */
const standing = (shape: Surface, bottomMm: number): Surface =>
  moved(shape, [0, 0, bottomMm - Math.min(...shape.vertices.filter((_, i) => i % 3 === 2))]);

test("a horizontal face at a sampling height belongs to exactly one of the two adjacent layers", () => {
  // Sampled at 0.25, 0.75, 1.25 …; a vertex at a sampling height counts as above it.
  const boundariesMm = evenly(8, 0.5);
  assert.deepEqual(areasOfSurfaces(boundariesMm, standing(box([2, 3, 1]), 0.75)), [0, 0, 6, 6, 0, 0, 0, 0]);
  assert.deepEqual(
    areasOfSurfaces(boundariesMm, standing(box([2, 3, 0.5]), 0.75), standing(box([2, 3, 1]), 1.25)),
    [0, 0, 6, 6, 6, 0, 0, 0],
  );
});

/** Stairs of `count` steps, each with its top on a sampling height. */
const stairs = (count: number, stepMm: number): Surface[] =>
  Array.from({ length: count }, (_, i) =>
    moved(box([1, 2, stepMm * (i + 1)]), [i - count / 2, 0, (stepMm * (i + 1)) / 2]),
  );

test("many horizontal facets at sampling heights neither leak nor vanish", () => {
  const mesh = meshOf(...stairs(8, 0.5).map((step) => moved(step, [0, 0, 0.25])));
  const areas = areasOf({ placed: [asFiled(mesh)], boundariesMm: evenly(10, 0.5), grid });
  assert.deepEqual(areas, [0, 16, 14, 12, 10, 8, 6, 4, 2, 0]);
});

test("outlines are closed if vertices and horizontal edges are at sampling heights", () => {
  // Rings and the equator of each shape are exactly at sampling heights, which are binary fractions.
  const shapes = [uvSphere(2, 16, 8), torus(2, 1, 16, 8), tetrahedron(4), cylinder(2, 4, 9)].map((shape) => ({
    ...shape,
    vertices: shape.vertices.map((value) => Math.round(4 * value) / 4),
  }));
  for (const shape of shapes) {
    for (const offset of [0, 0.125, 0.25]) {
      const mesh = meshOf(shape);
      const sampled = areasOf({
        placed: [placed(mesh, { position: [0.1, 0.2, 4 + offset] })],
        boundariesMm: evenly(32, 0.25),
        grid,
      });
      const justBelow = areasOf({
        placed: [placed(mesh, { position: [0.1, 0.2, 4 + offset + 1e-9] })],
        boundariesMm: evenly(32, 0.25),
        grid,
      });
      sampled.forEach((area, k) => assert.ok(Math.abs(area - justBelow[k]) < 1e-6, `${area} is not ${justBelow[k]}`));
    }
  }
});

test("edges on pixel borders are sharp", () => {
  const [picture] = picturesOf({
    placed: [asFiled(meshOf(moved(box([1, 0.5, 1]), [0.5, 0.25, 0.5])))],
    boundariesMm: evenly(1, 1),
    grid: gridOf(8, 6, 0.25),
  });
  assert.deepEqual(
    Array.from({ length: 6 }, (_, row) => [...picture.subarray(8 * row, 8 * row + 8)]),
    [0, 1, 1, 0, 0, 0].map((isDrawn) => [0, 0, 0, 0, 255, 255, 255, 255].map((value) => value * isDrawn)),
  );
});

const place = fc.double({ min: -3, max: 3, noNaN: true });
const thin = fc.double({ min: 1e-4, max: 0.24, noNaN: true });
const angle = fc.oneof(fc.constantFrom(0, 45, 90), fc.double({ min: -180, max: 180, noNaN: true }));

test("the pixels of a wall thinner than a pixel add up to its thickness, anywhere and in any direction", () => {
  fc.assert(
    fc.property(thin, place, place, angle, (thickness, x, y, z) => {
      const mesh = meshOf(box([thickness, 4, 1]));
      const wall = placed(mesh, { position: [x, y, 0.5], orientation: { x: 0, y: 0, z } });
      const [area] = areasOf({ placed: [wall], boundariesMm: evenly(1, 1), grid });
      assert.ok(Math.abs(area - mesh.volumeMm3) < 1e-9 + 1e-6 * area, `${area} is not ${mesh.volumeMm3}`);
    }),
  );
});

test("the pixels of a needle add up to its section, anywhere", () => {
  fc.assert(
    fc.property(thin, place, place, angle, fc.boolean(), (radius, x, y, z, isMirrored) => {
      const mesh = meshOf(cylinder(radius / 2, 1, 7));
      const needle = placed(mesh, { position: [x, y, 0.5], orientation: { x: 0, y: 0, z } });
      const request = { placed: [needle], boundariesMm: evenly(3, 1 / 3), grid: { ...grid, mirrorX: isMirrored } };
      assert.ok(Math.abs(slicedVolume(request) / mesh.volumeMm3 - 1) < 1e-5);
    }),
  );
});

test("walls within one pixel add up", () => {
  const walls = meshOf(...[0.02, 0.07, 0.13].map((x) => moved(box([0.03, 4, 1]), [x, 0, 0])));
  for (const turn of [0, 12, 90]) {
    const orientation = { x: 0, y: 0, z: turn };
    const one = placed(walls, { position: [0.013, 0.017, 0.5], orientation });
    const [area] = areasOf({ placed: [one], boundariesMm: evenly(1, 1), grid });
    assert.ok(Math.abs(area - 0.36) < 1e-6, `${area}`);
  }
});

test("an empty area is not drawn", () => {
  const boundariesMm = evenly(3, 1);
  const isBlank = (...surfaces: Surface[]): void => {
    assert.deepEqual(areasOfSurfaces(boundariesMm, ...surfaces), [0, 0, 0]);
    const pictures = picturesOf({ placed: surfaces.map((surface) => asFiled(meshOf(surface))), boundariesMm, grid });
    assert.ok(pictures.length === 3 && pictures.every((picture) => picture.every((value) => value === 0)));
  };
  isBlank();
  isBlank(standing(box([1, 1, 1]), -5), standing(box([2, 2, 2]), 3));
  const flat = box([3, 2, 0]);
  isBlank(standing(flat, 0.5));
  isBlank(standing(withFacets(flat, facetsOf(flat).slice(0, 2)), 0.5));
  const none = { placed: [asFiled(meshOf(box([1, 1, 1])))], grid };
  assert.deepEqual(areasOf({ ...none, boundariesMm: Float64Array.of(0) }), []);
  assert.deepEqual(areasOf({ ...none, boundariesMm: Float64Array.of() }), []);
});

test("parts below the platform or above the last layer do not appear in the layers", () => {
  const boundariesMm = evenly(4, 0.5);
  const tower = box([2, 3, 20]);
  assert.deepEqual(areasOfSurfaces(boundariesMm, tower), [6, 6, 6, 6]);
  assert.deepEqual(areasOfSurfaces(boundariesMm, moved(tower, [0, 0, 10.6])), [0, 6, 6, 6]);
});

test("layers of different thicknesses are each sampled at their middle", () => {
  const boundariesMm = Float64Array.of(0, 0.3, 0.35, 1.4, 1.5, 3.2, 4);
  const post = cylinder(2, 4, 24);
  // All top vertices are moved to one point.
  const isAtTop = (i: number): boolean => post.vertices[3 * Math.floor(i / 3) + 2] > 0;
  const cone = { ...post, vertices: post.vertices.map((value, i) => (i % 3 < 2 && isAtTop(i) ? 0 : value)) };
  const areas = areasOfSurfaces(boundariesMm, standing(cone, 0));
  const baseMm2 = 12 * Math.sin((2 * Math.PI) / 24) * 4;
  areas.forEach((area, k) => {
    const share = 1 - (boundariesMm[k] + boundariesMm[k + 1]) / 2 / 4;
    assert.ok(Math.abs(area - baseMm2 * share * share) < 1e-5, `layer ${k}: ${area} is not ${baseMm2 * share * share}`);
  });
});

test("a chunk has exactly the facets that its sampling planes cut", () => {
  const shape = uvSphere(2, 24, 16);
  // A quarter of the heights are exactly at sampling planes, which are binary fractions.
  const vertices = shape.vertices.map((value, i) => (i % 4 === 0 ? Math.round(16 * value) / 16 : value));
  const mesh = meshOf({ ...shape, vertices });
  const boundariesMm = evenly(96, 0.0625).map((heightMm) => heightMm - (heightMm > 3 ? 0.03125 : 0));
  const stack = prepareStack({ placed: [placed(mesh, { position: [0, 0, 2.5] })], boundariesMm, grid }, noProgress);
  assert.ok(stack.chunkCount > 2);
  const [solid] = stack.solids;
  const [, , zScale, offset] = stack.transforms.subarray(8);
  const heightOf = (vertex: number): number => zScale * solid.vertices[3 * vertex + 2] + offset;
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const planes = layersOfChunk(stack, chunk).map((k) => (boundariesMm[k] + boundariesMm[k + 1]) / 2);
    const isCut = (facet: number): boolean => {
      const heights = [0, 1, 2].map((corner) => heightOf(solid.triangles[3 * facet + corner]));
      return planes.some((z) => Math.min(...heights) < z && Math.max(...heights) >= z);
    };
    const expected = Array.from({ length: solid.triangles.length / 3 }, (_, facet) => facet).filter(isCut);
    assert.deepEqual([...facetsOfChunk(stack, 0, chunk)], expected, `chunk ${chunk}`);
  }
});
