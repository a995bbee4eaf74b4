import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { lathe } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Forces and moments by which supports and the platform hold a model; interface supplement, section 8.

let server: TestServer;
let cone: string;
before(async () => {
  server = await openTestServer();
  // On its tip.
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

test("what too few supports hold is named with height, share, cause and remedy, by all that makes supports", async () => {
  const scene_id = await server.newScene();
  const model_id = await server.importOne(scene_id, cone);
  assert.deepEqual(await warningsOf(scene_id, {}), []);
  const [sparse] = await warningsOf(scene_id, { density: 0.2 });
  assert.match(
    sparse,
    /^"cone" is not held while it prints .*only \d\d? % of the pull of the film is held at \d+\.\d mm, because too few supports .*It helps to orient the model differently, raise density or touchpoint_size_mm, .*\.$/,
  );
  const again = bodyOf(await server.ask("regenerate-supports", { scene_id }));
  assert.deepEqual(again, { modified_model_ids: [model_id], warnings: [sparse] });
  const [least] = await warningsOf(scene_id, { only_minima: true });
  assert.match(least, /it has only 0 % of the stiffness that it needs at 3\d\.\d mm/);
  const replacement_model_id = await server.importOne(scene_id, cone);
  const replaced = bodyOf(await server.ask("replace", { scene_id, model_id, replacement_model_id }));
  assert.deepEqual(replaced.warnings, [least]);
});
