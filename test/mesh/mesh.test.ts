import assert from "node:assert/strict";
import { test } from "node:test";
import { boxCentre } from "../../src/geometry/box.ts";
import { type Vec3, add, length, subtract, times } from "../../src/geometry/vector.ts";
import { facetNormal, placedSurface, setFacetNormal } from "../../src/mesh/mesh.ts";
import { rotated } from "../fixture/rotated.ts";
import { torus } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";
import { moved } from "../fixture/surface-edits.ts";

test("every vertex is at the place that the pose gives", () => {
  const mesh = meshOf(moved(torus(9, 3, 12, 8), [40, -3, 7]));
  const pose = { position: [-12, 30, 55] as const, orientation: { x: 20, y: -75, z: 130 }, scale: 1.7 };
  const { vertices, triangles } = placedSurface({ mesh, pose });
  assert.deepEqual(triangles, mesh.triangles);
  for (let at = 0; at < vertices.length; at += 3) {
    const raw: Vec3 = [mesh.vertices[at], mesh.vertices[at + 1], mesh.vertices[at + 2]];
    const centred = times(subtract(raw, boxCentre(mesh.box)), pose.scale);
    const wanted = add(pose.position, rotated(centred, pose.orientation));
    assert.ok(length(subtract([vertices[at], vertices[at + 1], vertices[at + 2]], wanted)) < 2e-5);
  }
});

test("the two ways to compute a facet's normal agree to the last bit", () => {
  const surface = torus(10, 3, 24, 16);
  const normal = new Float64Array(3);
  for (let facet = 0; facet < surface.triangles.length / 3; facet++) {
    setFacetNormal(normal, surface.vertices, surface.triangles, facet);
    assert.deepEqual([...normal], [...facetNormal(surface, facet)]);
  }
});
