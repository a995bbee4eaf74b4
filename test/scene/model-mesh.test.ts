import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { internMesh, scaleHollowed, withMesh } from "../../src/scene/model-mesh.ts";
import type { PlacedBody } from "../../src/scene/project.ts";
import { HOLLOWED } from "../fixture/form-project.ts";
import { fc } from "../fixture/property.ts";
import { box } from "../fixture/shapes.ts";
import { sceneModel, withSupports } from "../fixture/some-scene.ts";

const worldPoint = ({ mesh, pose }: PlacedBody, point: Vec3): Vec3 => {
  const [ox, oy, oz] = boxCentre(mesh.box);
  const [x, y, z] = rotateVector(rotationMatrix(pose.orientation), [point[0] - ox, point[1] - oy, point[2] - oz]);
  const [u, v, w] = pose.position;
  return [u + pose.scale * x, v + pose.scale * y, w + pose.scale * z];
};

test("geometry that both meshes share keeps its place, in every pose", () => {
  const angle = fc.double({ min: -180, max: 180, noNaN: true });
  const size = fc.double({ min: 1, max: 50, noNaN: true });
  fc.assert(
    fc.property(angle, angle, angle, size, size, size, (x, y, z, width, depth, scale) => {
      const model = sceneModel({ pose: { position: [3, -4, 5], orientation: { x: x / 2, y, z }, scale } });
      const next = withMesh(model, canonicalMesh(box([width, depth, 9]), 1, noProgress));
      const before = worldPoint(model, [1, 2, 3]);
      const after = worldPoint(next, [1, 2, 3]);
      after.forEach((coordinate, axis) => assert.ok(Math.abs(coordinate - before[axis]) < 1e-9 * (1 + scale * 100)));
    }),
    { numRuns: 50 },
  );
});

test("another mesh removes supports and hollow source", () => {
  const model = { ...withSupports(sceneModel({})), hollowed: HOLLOWED };
  const next = withMesh(model, model.mesh);
  assert.equal(next.supports, undefined);
  assert.equal(next.lostSupports, "MESH");
  assert.equal(next.hollowed, undefined);
  assert.deepEqual(next.pose, model.pose);
});

test("holes scale with their mesh", () => {
  const solid = canonicalMesh(box([1, 2, 3]), 1, noProgress);
  const grown = scaleHollowed(HOLLOWED, () => solid, 2);
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

const meshOf = (side: number): Mesh => canonicalMesh(box([side, side, side]), 1, noProgress);

test("an equal mesh is replaced by the first one", () => {
  const [first, second] = [meshOf(3), meshOf(3)];
  assert.notEqual(first, second);
  assert.equal(internMesh(first), first);
  assert.equal(internMesh(second), first);
  assert.equal(internMesh(first), first);
});

test("a different mesh stays separate", () => {
  const [one, other] = [meshOf(4), meshOf(5)];
  assert.equal(internMesh(one), one);
  assert.equal(internMesh(other), other);
  assert.notEqual(one.hash, other.hash);
});
