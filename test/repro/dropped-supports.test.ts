import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { POWDER, RESIN, type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest, sampledTests } from "../fixture/long.ts";

// Changes that remove supports (supplement, section 4) report it in the warnings of their answer. Changes of poses and settings did not.

let server: TestServer;
let cube: string;
/** Overlapping bodies, which repair unites. */
let pair: string;
/** Separate bodies. */
let two: string;
before(async () => {
  server = await openTestServer();
  const block = box([12, 12, 12]);
  cube = server.file("cube.stl", binaryStl(block));
  pair = server.file("pair.stl", binaryStl(concatenateSurfaces([block, moved(box([6, 6, 6]), [6, 0, 0])])));
  two = server.file("two.stl", binaryStl(concatenateSurfaces([block, moved(block, [14, 0, 0])])));
});
after(() => server.close());

/** The text and the hole are on the front of the cube. */
const orientation = { x: 90, y: 0, z: 0 };
const MESH = /its mesh changed: generate new ones with \/v1\/scene\/model\/auto-support\/\.$/;

interface Action {
  readonly action: string;
  readonly file?: () => string;
  readonly body: (model_id: string, position: object) => object;
  readonly cause: RegExp;
}

const ACTIONS: readonly Action[] = [
  { action: "hollow", body: () => ({ wall_thickness_mm: 2 }), cause: MESH },
  {
    action: "label",
    body: (model_id, position) => ({ model_id, position, orientation, label: "A", font_size_mm: 4, depth_mm: 0.5 }),
    cause: MESH,
  },
  {
    action: "drill",
    body: (_, position) => ({ drain_holes: [{ position, orientation, diameter_mm: 2, depth_mm: 3 }] }),
    cause: MESH,
  },
  { action: "dental-hollow", body: () => ({ extrude_distance_mm: 2, cutoff_height_mm: 8 }), cause: MESH },
  { action: "repair", file: () => pair, body: () => ({}), cause: MESH },
  { action: "split-bodies", file: () => two, body: () => ({}), cause: MESH },
  { action: "scale", body: () => ({ scale: 1.5 }), cause: /its scale changed: generate/ },
  { action: "orient", body: () => ({ orientation }), cause: /it was turned: generate/ },
  { action: "update", body: () => ({ units: "INCHES" }), cause: /its units changed: generate/ },
];

async function importCube(isSupported: boolean, file = cube): Promise<{ scene_id: string; id: string }> {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, file);
  if (isSupported) bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  return { scene_id, id };
}

const toldIn = ({ warnings = [] }: { warnings?: string[] }): string[] =>
  warnings.filter((line) => /^The supports of "(cube|pair|two)" were removed, because /.test(line));

for (const [{ action, file, body, cause }, testOne] of sampledTests(ACTIONS, 4)) {
  testOne(`${action} reports supports that it removes`, async () => {
    for (const isSupported of [true, false]) {
      const { scene_id, id } = await importCube(isSupported, file?.());
      const [{ position, has_supports }] = await server.models(scene_id);
      assert.equal(has_supports, isSupported);
      const answer = bodyOf(await server.ask(action, { scene_id, ...body(id, { ...position, y: position.y - 6 }) }));
      assert.equal((await server.models(scene_id))[0].has_supports, false);
      const told = toldIn(answer);
      assert.equal(told.length, isSupported ? 1 : 0);
      if (isSupported) assert.match(told[0], cause);
    }
  });
}

test("scene/update reports removed supports and the reason", async () => {
  for (const [change, cause] of [
    [POWDER, /because powder carries the parts\.$/],
    [{ ...RESIN, material_code: "FLELCL02" }, /supports parts in another way: generate/],
  ] as const) {
    const { scene_id, id } = await importCube(true);
    const answer = bodyOf(await server.printwright.post("/v1/scene/update/", { scene_id, ...change }));
    assert.deepEqual(answer.unsupported_model_ids, [id]);
    assert.match(toldIn(answer).join("\n"), cause);
  }
});

longTest(
  "changes that keep supports report nothing, and a replacement that is only moved keeps its supports",
  async () => {
    const { scene_id, id } = await importCube(true);
    for (const [action, body] of [
      ["translate", { position: { x: 5, y: 5, z: 0 } }],
      ["orient", { orientation: { x: 0, y: 0, z: 45 } }],
      ["update", { name: "cube" }],
    ] as const)
      assert.deepEqual(bodyOf(await server.ask(action, { scene_id, ...body })), { modified_model_ids: [id] });
    const replaced = await server.importOne(scene_id, cube);
    bodyOf(await server.ask("orient", { scene_id, model_ids: [replaced], orientation: { x: 0, y: 0, z: 10 } }));
    const exchange = { scene_id, model_id: replaced, replacement_model_id: id };
    assert.equal("warnings" in bodyOf(await server.ask("replace", exchange)), false);
    assert.equal((await server.models(scene_id, [id]))[0].has_supports, true);
    const turned = await server.importOne(scene_id, cube);
    bodyOf(await server.ask("orient", { scene_id, model_ids: [turned], orientation }));
    const answer = bodyOf(await server.ask("replace", { ...exchange, model_id: turned }));
    assert.match(toldIn(answer).join("\n"), /it was turned: generate/);
  },
);
