import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { facetsOf, insideOut, withFacets } from "../fixture/surface-edits.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Programs that show surfaces from both sides write every facet twice. All of these facets were dropped as enclosing nothing; if
// they made half of a ball, the hole was filled with a plane.

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const ball = uvSphere(10, 32, 16);
const halfAgain = facetsOf(insideOut(ball)).filter((facet) => facet.every((v) => ball.vertices[3 * v] > 0.5));
const ring = torus(20, 6);

const SHOWN: readonly { readonly name: string; readonly meant: Surface; readonly shown: Surface }[] = [
  { name: "a ring", meant: ring, shown: concatenateSurfaces([ring, insideOut(ring)]) },
  { name: "half of a ball", meant: ball, shown: concatenateSurfaces([ball, withFacets(ball, halfAgain)]) },
];

for (const { name, meant, shown } of SHOWN) {
  test(`${name} with facets back to back becomes the visible body`, async () => {
    const scene_id = await server.newScene();
    const id = await server.importOne(scene_id, server.file("meant.stl", binaryStl(meant)));
    const both = await server.importOne(scene_id, server.file("both.stl", binaryStl(shown)), {
      repair_behavior: "IGNORE",
    });
    const { modified_model_ids, warnings } = bodyOf(await server.ask("repair", { scene_id }));
    assert.deepEqual({ modified_model_ids, warnings }, { modified_model_ids: [both], warnings: [] });
    const { models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
    const hashOf = (wanted: string): string =>
      models.find((model: { id: string }) => model.id === wanted).raw_mesh_hash;
    assert.equal(hashOf(both), hashOf(id));
  });
}

test("walls between bodies that touch, and walls on a body, are removed", async () => {
  const scene_id = await server.newScene();
  const cube = box([10, 10, 10]);
  const wall = { vertices: Float64Array.of(5, 5, 5, 5, 5, -5, 12, 12, 0), triangles: Uint32Array.of(0, 1, 2, 0, 2, 1) };
  const next = { vertices: cube.vertices.map((value, i) => value - (i % 3 === 0 ? 10 : 0)), triangles: cube.triangles };
  const file = server.file("walls.stl", binaryStl(concatenateSurfaces([cube, next, wall])));
  const id = await server.importOne(scene_id, file, { repair_behavior: "REPAIR" });
  const { models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  assert.ok(Math.abs(models.find((model: { id: string }) => model.id === id).volume_ml - 2) < 1e-6);
});
