import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { centreOf, type Vec3 } from "../../src/core/geometry.ts";
import { unwatched } from "../../src/core/watch.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import { toMatrix, turn } from "../../src/mesh/pose.ts";
import type { Body } from "../../src/scene/model.ts";
import { rescaledHollowed } from "../../src/scene/rescaled-hollowed.ts";
import { withMesh } from "../../src/scene/with-mesh.ts";
import { HOLLOWED } from "../fixture/form-project.ts";
import { box } from "../fixture/shapes.ts";
import { sceneModel, withSupports } from "../fixture/some-scene.ts";

const worldPoint = ({ mesh, pose }: Body, point: Vec3): Vec3 => {
  const [ox, oy, oz] = centreOf(mesh.box);
  const [x, y, z] = turn(toMatrix(pose.orientation), [point[0] - ox, point[1] - oy, point[2] - oz]);
  const [u, v, w] = pose.position;
  return [u + pose.scale * x, v + pose.scale * y, w + pose.scale * z];
};

test("what two meshes share stays where it stands, in every pose", () => {
  const angle = fc.double({ min: -180, max: 180, noNaN: true });
  const size = fc.double({ min: 1, max: 50, noNaN: true });
  fc.assert(
    fc.property(angle, angle, angle, size, size, size, (x, y, z, width, depth, scale) => {
      const model = sceneModel({ pose: { position: [3, -4, 5], orientation: { x: x / 2, y, z }, scale } });
      const next = withMesh(model, canonicalMesh(box([width, depth, 9]), 1, unwatched));
      const before = worldPoint(model, [1, 2, 3]);
      const after = worldPoint(next, [1, 2, 3]);
      after.forEach((coordinate, axis) => assert.ok(Math.abs(coordinate - before[axis]) < 1e-9 * (1 + scale * 100)));
    }),
    { numRuns: 50 },
  );
});

test("another mesh takes away what was made for the one before", () => {
  const model = { ...withSupports(sceneModel({})), hollowed: HOLLOWED };
  const next = withMesh(model, model.mesh);
  assert.equal(next.supports, undefined);
  assert.equal(next.hollowed, undefined);
  assert.deepEqual(next.pose, model.pose);
});

test("holes grow with the mesh they are in", () => {
  const solid = canonicalMesh(box([1, 2, 3]), 1, unwatched);
  const grown = rescaledHollowed(HOLLOWED, solid, 2);
  assert.equal(grown.solid, solid);
  assert.deepEqual(grown.holes[0], {
    position: [2, -4, 2 / 3],
    direction: [0, 0.6, -0.8],
    diameterMm: 6,
    depthMm: "AUTO",
    outsetMm: 0,
    searchMm: 1,
  });
  assert.equal(grown.holes[1].depthMm, 9);
});
