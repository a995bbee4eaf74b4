import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { loadManifold } from "../../src/geometry/manifold.ts";
import { toManifold } from "../../src/mesh/boolean.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../src/mesh/bvh/closest-point.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { ACTIVE, DORMANT, FIXED, decimateCoplanar } from "../../src/mesh/decimate-coplanar.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Surface, vertexAt } from "../../src/mesh/mesh.ts";
import { makeWellComposed, surfaceNets } from "../../src/mesh/voxel/surface-nets.ts";
import { type Value, fieldOf } from "../fixture/field.ts";
import { box } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { assertNear } from "../fixture/test-server.ts";

const netOf = (size: number, valueOf: Value): Surface => {
  const field = fieldOf([size, size, size], 0.5, valueOf);
  makeWellComposed(field, noProgress);
  return surfaceNets(field, noProgress);
};

const statesOf = (surface: Surface, state: number): Uint8Array =>
  new Uint8Array(surface.vertices.length / 3).fill(state);

const decimated = (surface: Surface, toleranceMm: number, states = statesOf(surface, ACTIVE)): Surface =>
  decimateCoplanar(surface, toleranceMm, states, noProgress);

const positionsOf = ({ vertices }: Surface): string[] =>
  Array.from({ length: vertices.length / 3 }, (_, i) => vertices.subarray(3 * i, 3 * i + 3).join());

const random = randomFrom(3);
const ball: Value = (x, y, z) => 14 - Math.hypot(x - 17.3, y - 17.6, z - 18.1);
/** A flat top at 20.2 with slopes around it and a bump. */
const table: Value = (x, y, z) =>
  Math.min(20.2 - z, x - 4.6, 30.7 - x, y - 4.4, 31.1 - y, z - 5.3) +
  2 * Math.exp(-((x - 17) ** 2 + (y - 18) ** 2) / 9);
const NETS: Readonly<Record<string, Surface>> = {
  ball: netOf(36, ball),
  table: netOf(36, table),
  noise: netOf(14, () => (random() < 0.3 ? 1 : -1) * random()),
};

test("the result is a closed manifold of some of the vertices, in their order", async () => {
  const kernel = await loadManifold();
  for (const [name, net] of Object.entries(NETS)) {
    for (const toleranceMm of [0.01, 0.03, 0.1]) {
      const surface = decimated(net, toleranceMm);
      const places = positionsOf(net);
      let at = -1;
      for (const place of positionsOf(surface)) {
        at = places.indexOf(place, at + 1);
        assert.ok(at >= 0, `${name} at ${toleranceMm}`);
      }
      const mesh = canonicalMesh(surface, 1, noProgress);
      assert.equal(mesh.vertices.length, surface.vertices.length, "every vertex is used");
      assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), [], `${name} at ${toleranceMm}`);
      toManifold(kernel, mesh).delete();
      const { length } = surface.triangles;
      if (name === "noise") assert.ok(length <= net.triangles.length);
      else assert.ok(length < net.triangles.length, `${name} at ${toleranceMm}`);
    }
  }
});

test("removed vertices are within about the tolerance of the result, which has no self-intersections", () => {
  for (const name of ["ball", "table"]) {
    const net = NETS[name];
    for (const toleranceMm of [0.003, 0.03]) {
      const surface = decimated(net, toleranceMm);
      const tree = buildBvh({ ...surface, vertices: Float32Array.from(surface.vertices) }, noProgress);
      for (let i = 0; i < net.vertices.length; i += 3) {
        const position = vertexAt(net, i / 3);
        const mm = distanceToSurface(tree, position, 10);
        assert.ok(mm <= 1.5 * toleranceMm, `${name}: ${mm} mm from ${position}`);
      }
      assert.equal(isSelfIntersecting(surface, noProgress), false, name);
    }
  }
});

test("flat faces get few facets at any tolerance, and the volume stays", () => {
  const net = netOf(40, (x, y, z) => Math.min(x - 4.5, 34.5 - x, y - 4.5, 34.5 - y, z - 4.5, 34.5 - z));
  const volume = canonicalMesh(net, 1, noProgress).volumeMm3;
  const surface = decimated(net, 1e-6);
  assert.ok(surface.triangles.length < net.triangles.length / 10, `${surface.triangles.length / 3} facets`);
  assertNear(canonicalMesh(surface, 1, noProgress).volumeMm3, volume, 1e-6 * volume);
  // No vertex of a box can be removed.
  assert.deepEqual(decimated(box([3, 4, 5]), 0.1).triangles.length, box([3, 4, 5]).triangles.length);
});

test("fixed vertices stay, and dormant ones are removed only after a neighbour", () => {
  const net = NETS.ball;
  const states = statesOf(net, ACTIVE);
  const middle = Array.from(states, (_, i) => net.vertices[3 * i + 2] > 12 && net.vertices[3 * i + 2] < 14);
  middle.forEach((isMiddle, i) => (states[i] = isMiddle ? FIXED : ACTIVE));
  const kept = new Set(positionsOf(decimated(net, 0.01, states)));
  positionsOf(net).forEach((place, i) => assert.ok(!middle[i] || kept.has(place)));

  const dormant = decimated(net, 0.01, statesOf(net, DORMANT));
  assert.deepEqual(dormant.triangles, net.triangles);
  const low = statesOf(net, DORMANT).map((state, i) => (net.vertices[3 * i + 2] < 7.5 ? ACTIVE : state));
  const { vertices } = decimated(net, 0.01, low);
  assert.ok(vertices.length < net.vertices.length);
});
