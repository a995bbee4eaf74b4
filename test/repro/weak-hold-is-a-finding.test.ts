import assert from "node:assert/strict";
import { longTest } from "../fixture/long.ts";
import { inProcess } from "../fixture/in-process.ts";
import { box } from "../fixture/shapes.ts";

const server = inProcess();

// The reply to a request said that the supports do not hold the part, while the scene called them sound ever after.
longTest("supports that do not hold a part are a finding until they are made anew", async () => {
  const scene_id = await server.newScene();
  const model_id = await server.importShape(scene_id, box([16, 16, 6]));
  const checked = async (): Promise<string[]> => {
    const { findings } = await server.post("/v1/scene/check/", { scene_id, checks: ["SUPPORTS"] });
    return findings.map(({ text }: { text: string }) => text);
  };
  await server.ask("auto-support", { scene_id });
  const { points } = await server.ask("supports/get", { scene_id, model_id });
  assert.deepEqual(await checked(), []);
  const [first] = points;
  const { warnings } = await server.ask("supports/set", { scene_id, model_id, points: [{ position: first.position }] });
  assert.match(warnings.join("\n"), /is not held while it prints/);
  assert.match((await checked()).join("\n"), /^Too little holds the part at/m);
  await server.ask("auto-support", { scene_id, keep_hand_points: false });
  assert.deepEqual(await checked(), []);
});
