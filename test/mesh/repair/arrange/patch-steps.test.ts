import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../../src/core/geometry.ts";
import { unwatched } from "../../../../src/core/watch.ts";
import { facetTree } from "../../../../src/mesh/bvh/facet-tree.ts";
import { canonicalMesh } from "../../../../src/mesh/canonical.ts";
import { combine } from "../../../../src/mesh/combine.ts";
import type { Surface } from "../../../../src/mesh/mesh.ts";
import { arrange } from "../../../../src/mesh/repair/arrange/arrange.ts";
import { patchSteps } from "../../../../src/mesh/repair/arrange/patch-steps.ts";
import { crossingPairs } from "../../../../src/mesh/repair/crossing-pairs.ts";
import { angleTreeOf, windingOf } from "../../../../src/mesh/repair/solid-angles.ts";
import { insideOut, moved, randomFrom } from "../../../fixture/altered.ts";
import { box, tetrahedron, uvSphere } from "../../../fixture/shapes.ts";

const random = randomFrom(7);
const placed = (surface: Surface): Surface => moved(surface, [8 * random(), 8 * random(), 8 * random()]);
const boxes = Array.from({ length: 6 }, () => placed(box([2 + 6 * random(), 2 + 6 * random(), 2 + 6 * random()])));
const HEAPS: Readonly<Record<string, readonly Surface[]>> = {
  "balls, one inside out": [
    ...Array.from({ length: 5 }, () => placed(uvSphere(4, 12, 6))),
    insideOut(placed(uvSphere(4, 12, 6))),
  ],
  boxes: boxes,
  "boxes in common planes": boxes.map(({ vertices, triangles }) => ({ vertices: vertices.map(Math.round), triangles })),
  tetrahedra: Array.from({ length: 8 }, () => placed(tetrahedron(8))),
};

for (const [name, heap] of Object.entries(HEAPS)) {
  test(`${name}: what is told of patches across cuts is what all facets around a place tell`, () => {
    const surface = canonicalMesh(combine(heap), 1, unwatched);
    const tree = facetTree(surface, unwatched);
    const angles = angleTreeOf(tree);
    const arrangement = arrange(surface, crossingPairs(tree, unwatched)!, unwatched)!;
    const { vertices, triangles, sheets, originsOf } = arrangement;
    // Every piece by itself.
    const pieces = Uint32Array.from({ length: triangles.length / 3 }, (_, piece) => piece);
    const inFrontOf = (piece: number): number => {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * piece + k]) as [number, number, number];
      const middle = (axis: number): number => (vertices[a + axis] + vertices[b + axis] + vertices[c + axis]) / 3;
      const point: Vec3 = [middle(0), middle(1), middle(2)];
      const places = [...tree.facets.keys()].filter((place) => !originsOf(piece).includes(tree.facets[place]));
      return windingOf(angles, { nodes: [], places }, point) - sheets[piece] / 2;
    };
    const groups = patchSteps(surface, arrangement, pieces);
    assert.equal(
      groups.reduce((sum, { size }) => sum + size, 0),
      pieces.length,
    );
    let across = 0;
    for (const group of groups) {
      const [[first]] = group as unknown as [[number, number]];
      const inFront = Math.round(inFrontOf(first));
      for (const [piece, steps] of group) {
        assert.ok(Math.abs(inFrontOf(piece) - inFront - steps) < 0.1, `${inFrontOf(piece)} for ${inFront} + ${steps}`);
        across += Math.abs(steps);
      }
    }
    assert.ok(across > 20, `${across}`);
  });
}
