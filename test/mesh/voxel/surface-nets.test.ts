import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { loadManifold } from "../../../src/geometry/manifold.ts";
import { toManifold } from "../../../src/mesh/boolean.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import { makeWellComposed, surfaceNets, surfaceNetsOfLayers } from "../../../src/mesh/voxel/surface-nets.ts";
import { fieldOf } from "../../fixture/field.ts";
import { randomFrom } from "../../fixture/random.ts";
import { assertNear } from "../../fixture/test-server.ts";

test("noise of any density gives a closed manifold that Manifold accepts", async () => {
  const kernel = await loadManifold();
  const random = randomFrom(11);
  for (const share of [0.02, 0.2, 0.5, 0.8, 0.97]) {
    for (const size of [
      [9, 8, 7],
      [20, 21, 22],
    ] as const) {
      const field = fieldOf(size, 0.7, () => (random() < share ? 1 : -1) * random());
      const before = Int16Array.from(field.values);
      makeWellComposed(field, noProgress);
      assert.ok(field.values.every((value, i) => value === before[i] || (value === -1 && before[i] >= 0)));
      const surface = surfaceNets(field, noProgress);
      if (surface.triangles.length === 0) continue;
      const mesh = canonicalMesh(surface, 1, noProgress);
      assert.equal(mesh.vertices.length, surface.vertices.length, "no two vertices meet");
      assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), [], `${share} of ${size}`);
      toManifold(kernel, mesh).delete();
    }
  }
});

test("a well-composed ball does not change, and its surface has the right orientation and volume", () => {
  const field = fieldOf([40, 40, 40], 0.5, (x, y, z) => 16 - Math.hypot(x - 19.3, y - 19.6, z - 20.1));
  const before = Int16Array.from(field.values);
  makeWellComposed(field, noProgress);
  assert.deepEqual(field.values, before);
  const { volumeMm3, box } = canonicalMesh(surfaceNets(field, noProgress), 1, noProgress);
  const volume = (4 / 3) * Math.PI * 8 ** 3;
  assertNear(volumeMm3, volume, 0.005 * volume);
  assertNear(box.max[0] - box.min[0], 16, 0.03);
  assertNear((box.max[2] + box.min[2]) / 2, 5 + 0.5 * 20.1, 0.01);
});

test("the nets of slabs share the vertices between them and together equal the net of all layers", () => {
  const random = randomFrom(7);
  const field = fieldOf([17, 16, 23], 0.7, () => (random() < 0.4 ? 1 : -1) * random());
  makeWellComposed(field, noProgress);
  const whole = surfaceNets(field, noProgress);
  for (const bounds of [
    [0, 8, 16, 23],
    [0, 2, 4, 22, 23],
    [0, 23],
  ]) {
    const vertices: number[] = [];
    const triangles: number[] = [];
    let shared = 0;
    bounds.slice(1).forEach((to, i) => {
      const { surface, low, high } = surfaceNetsOfLayers(field, bounds[i], to, noProgress);
      assert.equal(low, shared);
      shared = high;
      const first = vertices.length / 3 - low;
      assert.deepEqual([...surface.vertices.subarray(0, 3 * low)], vertices.slice(3 * first));
      vertices.push(...surface.vertices.subarray(3 * low));
      for (const corner of surface.triangles) triangles.push(corner + first);
    });
    assert.equal(shared, 0, "there is nothing above the last");
    assert.deepEqual(Float64Array.from(vertices), Float64Array.from(whole.vertices));
    assert.deepEqual(Uint32Array.from(triangles), Uint32Array.from(whole.triangles));
  }
});
