import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { inMortonOrder } from "../../src/render/prepare.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

/** The facets as their vertices' coordinates, each rotated to begin with its least vertex, sorted. */
const facetsOf = ({ vertices, triangles }: Mesh): string[] =>
  Array.from({ length: triangles.length / 3 }, (_, facet) => {
    const corners = Array.from(triangles.subarray(3 * facet, 3 * facet + 3), (vertex) =>
      vertices.subarray(3 * vertex, 3 * vertex + 3).join(" "),
    );
    const least = corners.indexOf(corners.toSorted()[0]);
    return [...corners.slice(least), ...corners.slice(0, least)].join(", ");
  }).sort();

/** Share of the edges between vertices in different 4 kB blocks of memory. */
function spreadOf({ triangles }: Mesh): number {
  let sum = 0;
  for (let at = 0; at < triangles.length; at++)
    sum += pageOf(triangles[at]) === pageOf(triangles[at - (at % 3) + ((at + 1) % 3)]) ? 0 : 1;
  return sum / triangles.length;
}

const pageOf = (vertex: number): number => Math.floor((12 * vertex) / 4096);

test("a mesh in Morton order has the same facets with the same winding", () => {
  for (const surface of [box([10, 20, 30]), torus(15, 5), cylinder(3, 40)]) {
    const mesh = meshOf(surface);
    assert.deepEqual(facetsOf(inMortonOrder(mesh, noProgress)), facetsOf(mesh));
  }
});

test("Morton order brings neighbours closer together in memory", () => {
  const ball = meshOf(uvSphere(20, 256, 128));
  assert.ok(spreadOf(inMortonOrder(ball, noProgress)) < 0.7 * spreadOf(ball));
});

test("a mesh with one point is sorted", () => {
  const point = { ...meshOf(box([1, 1, 1])), vertices: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) };
  const ordered = inMortonOrder({ ...point, box: { min: [0, 0, 0], max: [0, 0, 0] } }, noProgress);
  assert.deepEqual(Array.from(ordered.triangles), [0, 1, 2]);
});
