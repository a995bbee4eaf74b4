import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// A change of the mesh removes supports (supplement, section 4). The answer says so where it has a place for it.

let server: TestServer;
let cube: string;
/** Bodies that overlap, which repair unites. */
let pair: string;
before(async () => {
  server = await openTestServer();
  cube = server.file("cube.stl", binaryStl(box([12, 12, 12])));
  pair = server.file("pair.stl", binaryStl(concatenateSurfaces([box([12, 12, 12]), moved(box([6, 6, 6]), [6, 0, 0])])));
});
after(() => server.close());

/** The text and the hole are on the front of the cube. */
const orientation = { x: 90, y: 0, z: 0 };

const ACTIONS: [action: string, body: (model_id: string, position: object) => object, place: "infos" | "warnings"][] = [
  ["hollow", () => ({ wall_thickness_mm: 2 }), "infos"],
  [
    "label",
    (model_id, position) => ({ model_id, position, orientation, label: "A", font_size_mm: 4, depth_mm: 0.5 }),
    "infos",
  ],
  ["drill", (_, position) => ({ drain_holes: [{ position, orientation, diameter_mm: 2, depth_mm: 3 }] }), "infos"],
  ["dental-hollow", () => ({ extrude_distance_mm: 2, cutoff_height_mm: 8 }), "warnings"],
  ["repair", () => ({}), "warnings"],
];

for (const [action, bodyFor, place] of ACTIONS) {
  test(`${action} tells of supports that it removes`, async () => {
    for (const isSupported of [true, false]) {
      const scene_id = await server.newScene();
      const id = await server.importOne(scene_id, action === "repair" ? pair : cube);
      if (isSupported)
        bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
      const [{ position, has_supports }] = await server.models(scene_id);
      assert.equal(has_supports, isSupported);
      const front = { ...position, y: position.y - 6 };
      const answer = bodyOf(await server.ask(action, { scene_id, ...bodyFor(id, front) }));
      assert.equal((await server.models(scene_id))[0].has_supports, false);
      const told = answer[place].filter((line: string) => /^The supports of "(cube|pair)" were removed/.test(line));
      assert.equal(told.length, isSupported ? 1 : 0);
    }
  });
}
