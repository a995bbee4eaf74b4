import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { manifoldnessOf } from "../../src/check/manifoldness.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { fc } from "../fixture/property.ts";
import { slowRuns } from "../fixture/long.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { threeMf } from "../fixture/three-mf-file.ts";

// Parts were checked one by one and then combined, so that a model that ERROR accepted was not a closed manifold if its parts touched.

const CUBE = box([10, 10, 10]);
const packageOf = (parts: readonly Surface[]): Uint8Array => threeMf(parts.map((surface) => ({ surface })));

let server: TestServer;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "parts-"));
  server = await openTestServer();
});
after(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

test("parts on a coarse grid, which share faces, edges and corners, are a closed manifold together", async () => {
  const file = join(folder, "parts.3mf");
  const step = fc.integer({ min: -1, max: 1 });
  const place = fc.tuple(step, step, step, fc.constantFrom(CUBE, box([10, 10, 20]), tetrahedron(Math.SQRT2 * 10)));
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 2, maxLength: 6 }), async (places) => {
      writeFileSync(
        file,
        packageOf(places.map(([x, y, z, part]) => moved(part, [10 * x, 10 * y, 10 * z] satisfies Vec3))),
      );
      const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
      const { parts } = await importFile({ file, repairBehavior: "ERROR", split: false, options }, noProgress);
      const { isManifold, nonManifoldEdgeCount } = manifoldnessOf(parts[0].mesh, noProgress);
      assert.deepEqual([isManifold, nonManifoldEdgeCount], [true, 0]);
    }),
    { numRuns: slowRuns(24) },
  );
});

test("two cubes that share an edge are checked, drilled and hollowed as a closed manifold", async () => {
  const scene_id = await server.newScene();
  const file = server.file("edge.3mf", packageOf([CUBE, moved(CUBE, [10, 10, 0])]));
  const id = await server.importOne(scene_id, file, {});
  const { per_model_results } = bodyOf(await server.ask("validate/manifoldness", { scene_id }));
  assert.equal(per_model_results[id].is_manifold, true);
  const [{ position }] = await server.models(scene_id);
  const hole = { orientation: { x: 0, y: 0, z: 0 }, position: { x: position.x + 5, y: position.y + 5, z: 10 } };
  const sizes = { diameter_mm: 3, depth_mm: 4, outset_mm: 1, create_plug: false };
  const drilled = await server.ask("drill", { scene_id, drain_holes: [{ ...hole, ...sizes }] });
  assert.equal(drilled.status, 200, JSON.stringify(drilled.body));
  const { hollowed_model_ids } = bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  assert.deepEqual(hollowed_model_ids, [id]);
});
