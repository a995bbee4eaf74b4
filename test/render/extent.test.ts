import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unwatched } from "../../src/core/watch.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { viewMatrix } from "../../src/render/camera.ts";
import { mapPoints, placing } from "../../src/render/affine.ts";
import { extentOf, NOWHERE } from "../../src/render/extent.ts";
import { inSpaceOrder } from "../../src/render/in-space-order.ts";
import type { Item } from "../../src/render/item.ts";
import { bumpySphere } from "../bench/bumpy-sphere.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { bodyAt, meshOf } from "../fixture/stage.ts";

/** Of fewer vertices than are looked at together, of just as many, and of many more. */
const MESHES = [box([3, 40, 7]), cylinder(9, 4, 31), torus(15, 5), uvSphere(20, 96, 48), bumpySphere(6000)]
  .map(meshOf)
  .flatMap((mesh) => [mesh, inSpaceOrder(mesh, unwatched)]);

const degrees = fc.integer({ min: -180, max: 180 });
const direction = fc.record({ yawDeg: degrees, pitchDeg: fc.integer({ min: -90, max: 90 }) });
const millimetres = fc.integer({ min: -300, max: 300 });
const items = fc.array(
  fc
    .tuple(
      fc.constantFrom<Mesh>(...MESHES),
      fc.tuple(millimetres, millimetres, millimetres),
      fc.record({ x: degrees, y: degrees, z: degrees }),
    )
    .map(([mesh, position, orientation]) => bodyAt(mesh, position, "model", orientation)),
  { minLength: 1, maxLength: 3 },
);

test("the rectangle around silhouettes is that around all vertices", () => {
  fc.assert(
    fc.property(items, direction, (bodies, from) => {
      const view = viewMatrix(from);
      const { minX, minY, maxX, maxY } = extentOf(bodies, view);
      const points = bodies.flatMap((body) => verticesInView(body, view));
      const xs = points.map(([x]) => x);
      const ys = points.map(([, y]) => y);
      const wanted = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      [minX, minY, maxX, maxY].forEach((found, i) =>
        assert.ok(Math.abs(found - wanted[i]!) < 1e-3, `${found} is not ${wanted[i]}`),
      );
    }),
  );
});

function verticesInView({ mesh, pose }: Item, view: ReturnType<typeof viewMatrix>): [x: number, y: number][] {
  const world = mapPoints(mesh.vertices, placing(mesh, pose));
  const seen = mapPoints(world, { linear: view, offset: [0, 0, 0] });
  return Array.from({ length: seen.length / 3 }, (_, i) => [seen[3 * i]!, seen[3 * i + 1]!]);
}

test("nothing lies nowhere", () => {
  assert.deepEqual(extentOf([], viewMatrix({ yawDeg: 10, pitchDeg: 20 })), NOWHERE);
});
