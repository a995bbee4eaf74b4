import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { type Vec3, cross, dot, subtract } from "../../src/geometry/vector.ts";
import { type HullFace, hullFaces } from "../../src/mesh/hull-faces.ts";
import { type Mesh, type Surface, vertexAt, vertexCount } from "../../src/mesh/mesh.ts";
import { longTest, slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { box, cylinder, mug, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved, subdivided } from "../fixture/surface-edits.ts";

const faces = (mesh: Mesh): Promise<HullFace[]> => hullFaces(mesh, noProgress);

const cornersOf = ({ rim }: HullFace): Vec3[] =>
  Array.from({ length: rim.length / 3 }, (_, i): Vec3 => [rim[3 * i], rim[3 * i + 1], rim[3 * i + 2]]);

/** Area from the corners, in the direction of the normal. */
function areaOf(face: HullFace): number {
  const [first, ...others] = cornersOf(face);
  return others.slice(1).reduce((sum, corner, i) => {
    const normal = cross(subtract(others[i], first), subtract(corner, first));
    return sum + dot(normal, face.normal) / 2;
  }, 0);
}

const turned = (surface: Surface, x: number, y: number): Surface => {
  const rotation = rotationMatrix({ x, y, z: 0 });
  const vertices = Array.from({ length: vertexCount(surface) }, (_, i) => rotateVector(rotation, vertexAt(surface, i)));
  return { vertices: Float64Array.from(vertices.flat()), triangles: surface.triangles };
};

const SHAPES = [box([10, 20, 30]), tetrahedron(20), cylinder(12, 30, 24), mug(9, 20, 16), torus(20, 6, 24, 12)];

test("each face is a convex outline in a plane with the whole part behind it, counter-clockwise, the largest first", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SHAPES),
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.boolean(),
      async (shape, x, y, isFine) => {
        const mesh = meshOf(turned(isFine ? subdivided(shape) : shape, x, y));
        const found = await faces(mesh);
        assert.ok(found.length > 1 && found.length <= 254);
        for (const [i, face] of found.entries()) {
          const { normal, areaMm2 } = face;
          assert.ok(areaMm2 >= 5 && (i === 0 || areaMm2 <= found[i - 1].areaMm2));
          assert.ok(Math.abs(areaOf(face) - areaMm2) < 1e-3 * areaMm2);
          assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-9);
          const [first] = cornersOf(face);
          for (let v = 0; v < vertexCount(mesh); v++)
            assert.ok(dot(subtract(vertexAt(mesh, v), first), normal) < 3e-3, "the part is beyond the face");
          const corners = cornersOf(face);
          corners.forEach((corner, k) => {
            const [next, after] = [corners[(k + 1) % corners.length], corners[(k + 2) % corners.length]];
            assert.ok(dot(cross(subtract(next, corner), subtract(after, next)), normal) > -1e-3);
          });
        }
      },
    ),
    { numRuns: slowRuns(24) },
  );
});

test("a block has six faces, a mug its mouth as well, whatever the subdivision", async () => {
  for (const shape of [box([10, 20, 30]), subdivided(subdivided(box([10, 20, 30])))]) {
    const found = await faces(meshOf(moved(shape, [100, -50, 7])));
    assert.deepEqual(
      found.map(({ areaMm2 }) => Math.round(areaMm2)),
      [600, 600, 300, 300, 200, 200],
    );
    for (const { normal } of found) assert.equal(normal.filter((value) => Math.abs(value) < 1e-9).length, 2);
  }
  const ends = (await faces(meshOf(mug(9, 20, 16)))).filter(({ normal }) => Math.abs(normal[2]) > 0.999);
  assert.equal(ends.length, 2);
  assert.ok(Math.abs(ends[0].areaMm2 - ends[1].areaMm2) < 1e-3);
});

test("a fine ball has no face of 5 mm², and a flat mesh none at all; a long list is cut at 254", async () => {
  assert.deepEqual(await faces(meshOf(uvSphere(10, 96, 48))), []);
  assert.deepEqual(
    await faces(
      meshOf({ vertices: Float64Array.from([0, 0, 0, 9, 0, 0, 0, 9, 0]), triangles: Uint32Array.of(0, 1, 2) }),
    ),
    [],
  );
  assert.equal((await faces(meshOf(uvSphere(60, 32, 16)))).length, 254);
});

longTest("more vertices than one call takes give the faces of all", async () => {
  let plate: Surface = box([80, 70, 60]);
  for (let times = 0; times < 7; times++) plate = subdivided(plate);
  const mesh = meshOf(plate);
  assert.ok(vertexCount(mesh) > 65_536);
  const [face, ...others] = await faces(mesh);
  assert.ok(Math.abs(face.areaMm2 - 5600) < 1e-3);
  assert.equal(others.length, 5);
});
