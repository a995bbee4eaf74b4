import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { booleanKernel } from "../../../src/mesh/boolean/kernel.ts";
import { solidOf } from "../../../src/mesh/boolean/solid-of.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { distanceTo } from "../../../src/mesh/bvh/nearest-point.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { FIXED, LOOKED_AT, mergeFlat, SETTLED } from "../../../src/mesh/voxel/merge-flat.ts";
import { surfaceNets } from "../../../src/mesh/voxel/surface-nets.ts";
import { makeWellComposed } from "../../../src/mesh/voxel/well-composed.ts";
import { randomFrom } from "../../fixture/altered.ts";
import { box } from "../../fixture/shapes.ts";
import { fieldOf, type Value } from "../../fixture/field.ts";
import { assertNear } from "../../fixture/workshop.ts";

const netOf = (size: number, valueOf: Value): Surface => {
  const field = fieldOf([size, size, size], 0.5, valueOf);
  makeWellComposed(field, unwatched);
  return surfaceNets(field, unwatched);
};

const statesOf = (surface: Surface, state: number): Uint8Array =>
  new Uint8Array(surface.vertices.length / 3).fill(state);

const merged = (surface: Surface, toleranceMm: number, states = statesOf(surface, LOOKED_AT)): Surface =>
  mergeFlat(surface, toleranceMm, states, unwatched);

const placesOf = ({ vertices }: Surface): string[] =>
  Array.from({ length: vertices.length / 3 }, (_, i) => vertices.subarray(3 * i, 3 * i + 3).join());

const random = randomFrom(3);
const ball: Value = (x, y, z) => 14 - Math.hypot(x - 17.3, y - 17.6, z - 18.1);
/** Level at 20.2, 3 lower about its edges, with a bump. */
const table: Value = (x, y, z) =>
  Math.min(20.2 - z, x - 4.6, 30.7 - x, y - 4.4, 31.1 - y, z - 5.3) +
  2 * Math.exp(-((x - 17) ** 2 + (y - 18) ** 2) / 9);
const NETS: Readonly<Record<string, Surface>> = {
  ball: netOf(36, ball),
  table: netOf(36, table),
  noise: netOf(14, () => (random() < 0.3 ? 1 : -1) * random()),
};

test("what is merged is a closed manifold of some of the vertices, in their order", async () => {
  const kernel = await booleanKernel();
  for (const [name, net] of Object.entries(NETS)) {
    for (const toleranceMm of [0.01, 0.03, 0.1]) {
      const surface = merged(net, toleranceMm);
      const places = placesOf(net);
      let at = -1;
      for (const place of placesOf(surface)) {
        at = places.indexOf(place, at + 1);
        assert.ok(at >= 0, `${name} at ${toleranceMm}`);
      }
      const mesh = canonicalMesh(surface, 1, unwatched);
      assert.equal(mesh.vertices.length, surface.vertices.length, "every vertex is used");
      assert.deepEqual(faultsOf(survey(mesh, unwatched)), [], `${name} at ${toleranceMm}`);
      solidOf(kernel, mesh).delete();
      const { length } = surface.triangles;
      if (name === "noise") assert.ok(length <= net.triangles.length);
      else assert.ok(length < net.triangles.length, `${name} at ${toleranceMm}`);
    }
  }
});

test("vertices that went lie about within the tolerance of what is left, which does not cross itself", () => {
  for (const name of ["ball", "table"]) {
    const net = NETS[name]!;
    for (const toleranceMm of [0.003, 0.03]) {
      const surface = merged(net, toleranceMm);
      const tree = facetTree({ ...surface, vertices: Float32Array.from(surface.vertices) }, unwatched);
      for (let i = 0; i < net.vertices.length; i += 3) {
        const place = net.vertices.subarray(i, i + 3) as unknown as Vec3;
        const mm = distanceTo(tree, place, 10);
        assert.ok(mm <= 1.5 * toleranceMm, `${name}: ${mm} mm from ${place}`);
      }
      assert.equal(isSelfIntersecting(tree, unwatched), false, name);
    }
  }
});

test("flat faces need few facets, at whatever tolerance, and keep their volume", () => {
  const net = netOf(40, (x, y, z) => Math.min(x - 4.5, 34.5 - x, y - 4.5, 34.5 - y, z - 4.5, 34.5 - z));
  const volume = canonicalMesh(net, 1, unwatched).volumeMm3;
  const surface = merged(net, 1e-6);
  assert.ok(surface.triangles.length < net.triangles.length / 10, `${surface.triangles.length / 3} facets`);
  assertNear(canonicalMesh(surface, 1, unwatched).volumeMm3, volume, 1e-6 * volume);
  // Nothing of a box can go.
  assert.deepEqual(merged(box([3, 4, 5]), 0.1).triangles.length, box([3, 4, 5]).triangles.length);
});

test("fixed vertices stay, nothing goes into them, and what is settled changes only where something around it goes", () => {
  const net = NETS.ball!;
  const states = statesOf(net, LOOKED_AT);
  const middle = Array.from(states, (_, i) => net.vertices[3 * i + 2]! > 12 && net.vertices[3 * i + 2]! < 14);
  middle.forEach((isMiddle, i) => (states[i] = isMiddle ? FIXED : LOOKED_AT));
  const kept = new Set(placesOf(merged(net, 0.01, states)));
  placesOf(net).forEach((place, i) => assert.ok(!middle[i] || kept.has(place)));

  const settled = merged(net, 0.01, statesOf(net, SETTLED));
  assert.deepEqual(settled.triangles, net.triangles);
  const low = statesOf(net, SETTLED).map((state, i) => (net.vertices[3 * i + 2]! < 7.5 ? LOOKED_AT : state));
  const { vertices } = merged(net, 0.01, low);
  assert.ok(vertices.length < net.vertices.length);
});
