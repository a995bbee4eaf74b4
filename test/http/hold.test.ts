import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { lathe } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { POWDER, type TestServer, UNKNOWN_ID, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Forces and moments by which supports and the platform hold a model; interface supplement, section 8.

let server: TestServer;
let cone: string;
before(async () => {
  server = await openTestServer();
  // A cone with its tip down.
  cone = server.file(
    "cone.stl",
    binaryStl(
      lathe(
        [
          [0, 0],
          [20, 30],
          [0, 30],
        ],
        48,
        false,
      ),
    ),
  );
});
after(() => server.close());

const PLAIN = { raft_label_enabled: false };

/** The warnings of new supports for the models of a scene. */
const warningsOf = async (scene_id: string, settings: object): Promise<string[]> =>
  bodyOf(await server.ask("auto-support", { scene_id, ...PLAIN, ...settings })).warnings;

longTest(
  "parts that too few supports hold are reported with height, share, cause and remedy, by all requests that make supports",
  async () => {
    const scene_id = await server.newScene();
    const model_id = await server.importOne(scene_id, cone);
    const [sparse] = await warningsOf(scene_id, { density: 0.2 });
    assert.match(
      sparse,
      /^"cone" is not held while it prints .*only \d\d? % of the pull of the film is held at \d+\.\d mm, because too few supports .*It helps to orient the model differently, raise the density or touchpoint_size_mm, .*\.$/,
    );
    const again = bodyOf(await server.ask("regenerate-supports", { scene_id }));
    assert.deepEqual(again, { modified_model_ids: [model_id], warnings: [sparse] });
    const [least] = await warningsOf(scene_id, { only_minima: true });
    assert.match(least, /It helps to orient the model differently, turn only_minima off, .*or make its thin sections/);
    assert.match(least, /it has only 0 % of the stiffness that it needs at 3\d\.\d mm/);
    const replacement_model_id = await server.importOne(scene_id, cone);
    const replaced = bodyOf(await server.ask("replace", { scene_id, model_id, replacement_model_id }));
    assert.deepEqual(replaced.warnings, [least]);
  },
);

interface HeldModel {
  readonly percent_held: number;
  readonly weaknesses: readonly {
    readonly kind: string;
    readonly position: { readonly x: number; readonly y: number; readonly z: number };
    readonly percent_held: number;
    readonly neck_height_mm?: number;
  }[];
}

const holdOf = async (scene_id: string, model_ids?: readonly string[]): Promise<Record<string, HeldModel>> =>
  bodyOf(await server.ask("validate/hold", { scene_id, model_ids })).per_model_results;

longTest("each model has its weaknesses at its place, with and without supports", async () => {
  const scene_id = await server.newScene();
  assert.deepEqual(await holdOf(scene_id), {});
  const id = await server.importOne(scene_id, cone);
  const copy = bodyOf(await server.ask("duplicate", { scene_id, count: 1 })).results[0].new_model_ids[0];
  const [{ position }] = await server.models(scene_id, [id]);
  for (const [model_id, x] of [
    [id, -40],
    [copy, 33],
  ] as const) {
    bodyOf(await server.ask("translate", { scene_id, model_ids: [model_id], position: { ...position, x, y: 7 } }));
  }
  const scene = await server.scene(scene_id);
  const bare = await holdOf(scene_id);
  assert.deepEqual(Object.keys(bare).sort(), [id, copy].sort());
  const shifted = bare[id].weaknesses.map((one) => ({ ...one, position: { ...one.position, x: one.position.x + 73 } }));
  assert.deepEqual(bare[copy].weaknesses, shifted);
  for (const { percent_held, weaknesses } of Object.values(bare)) {
    assert.equal(percent_held, weaknesses[0].percent_held);
    assert.ok(percent_held < 1);
    for (const { kind, position: at, neck_height_mm } of weaknesses) {
      assert.ok(Math.abs(at.y - 7) < 0.01 && at.z > 0 && at.z < 30);
      assert.equal(neck_height_mm !== undefined, kind === "NECK");
    }
  }
  assert.deepEqual(await server.scene(scene_id), scene);
  bodyOf(await server.ask("auto-support", { scene_id, model_ids: [id], ...PLAIN }));
  const [supported] = Object.values(await holdOf(scene_id, [id]));
  assert.deepEqual(supported, { percent_held: 100, weaknesses: [] });
  assert.deepEqual((await holdOf(scene_id))[copy], bare[copy]);
});

longTest("the check gives the same findings for new supports as their warnings", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, cone);
  const [warning] = await warningsOf(scene_id, { density: 0.2 });
  const [worst] = (await holdOf(scene_id))[id].weaknesses;
  const said = `only ${Math.floor(worst.percent_held)} % of the pull of the film is held at ${worst.position.z.toFixed(1)} mm`;
  assert.ok(warning.includes(said), `${said}: ${warning}`);
});

test("in powder every model is held", async () => {
  const scene_id = await server.newScene(POWDER);
  const id = await server.importOne(scene_id, cone);
  assert.deepEqual(await holdOf(scene_id), { [id]: { percent_held: 100, weaknesses: [] } });
});

test("invalid requests are refused", async () => {
  const ask = (body: object) => server.printwright.post("/v1/scene/model/validate/hold/", body);
  const scene_id = await server.newScene();
  assertRefused(await ask({}), "JSON_SCHEMA_MATCH_ERROR");
  assertRefused(await ask({ scene_id, threshold_mm: 1 }), "JSON_SCHEMA_MATCH_ERROR");
  assertRefused(await ask({ scene_id, model_ids: [UNKNOWN_ID] }), "NOT_FOUND");
  assertRefused(await ask({ scene_id: UNKNOWN_ID }), "INPUT_ERROR");
});
