import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { fastWindingNumber, windingBvh } from "../../../src/mesh/bvh/fast-winding-number.ts";
import { intersectingPairs } from "../../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { type Surface, concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { arrangeFacets } from "../../../src/repair/arrangement/arrange.ts";
import { patchWindings } from "../../../src/repair/arrangement/outer-hull.ts";
import { box, tetrahedron, uvSphere } from "../../fixture/shapes.ts";
import { randomFrom } from "../../fixture/random.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";

const random = randomFrom(7);
const placed = (surface: Surface): Surface => moved(surface, [8 * random(), 8 * random(), 8 * random()]);
const boxes = Array.from({ length: 6 }, () => placed(box([2 + 6 * random(), 2 + 6 * random(), 2 + 6 * random()])));
const PILES: Readonly<Record<string, readonly Surface[]>> = {
  "balls, one inside out": [
    ...Array.from({ length: 5 }, () => placed(uvSphere(4, 12, 6))),
    insideOut(placed(uvSphere(4, 12, 6))),
  ],
  boxes: boxes,
  "boxes in common planes": boxes.map(({ vertices, triangles }) => ({ vertices: vertices.map(Math.round), triangles })),
  tetrahedra: Array.from({ length: 8 }, () => placed(tetrahedron(8))),
};

for (const [name, pile] of Object.entries(PILES)) {
  test(`${name}: winding numbers propagated across cuts equal the sums over all facets`, () => {
    const surface = canonicalMesh(concatenateSurfaces(pile), 1, noProgress);
    const tree = buildBvh(surface, noProgress);
    const angles = windingBvh(tree);
    const arrangement = arrangeFacets(surface, intersectingPairs(tree, noProgress)!, noProgress)!;
    const { vertices, triangles, multiplicity, sourceFacetsOf } = arrangement;
    // Each piece is a separate patch.
    const pieces = Uint32Array.from({ length: triangles.length / 3 }, (_, piece) => piece);
    const inFrontOf = (piece: number): number => {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * piece + k]) as [number, number, number];
      const middle = (axis: number): number => (vertices[a + axis] + vertices[b + axis] + vertices[c + axis]) / 3;
      const point: Vec3 = [middle(0), middle(1), middle(2)];
      const slots = [...tree.facets.keys()].filter((slot) => !sourceFacetsOf(piece).includes(tree.facets[slot]));
      return fastWindingNumber(angles, { nodes: [], slots }, point) - multiplicity[piece] / 2;
    };
    const groups = patchWindings(surface, arrangement, pieces);
    assert.equal(
      groups.reduce((sum, { size }) => sum + size, 0),
      pieces.length,
    );
    let across = 0;
    for (const group of groups) {
      const [first = 0] = group.keys();
      const inFront = Math.round(inFrontOf(first));
      for (const [piece, steps] of group) {
        assert.ok(Math.abs(inFrontOf(piece) - inFront - steps) < 0.1, `${inFrontOf(piece)} for ${inFront} + ${steps}`);
        across += Math.abs(steps);
      }
    }
    assert.ok(across > 20, `${across}`);
  });
}
