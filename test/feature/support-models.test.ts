import assert from "node:assert/strict";
import { test } from "node:test";
import { singleRequestOf, supportModels } from "../../src/feature/support/support-models.ts";
import { draftOfPoints } from "../../src/feature/support-preview/draft-of-points.ts";
import { supportSettingsOf } from "../../src/feature/support/endpoint.ts";
import { heldBytes, newMemoryBudget } from "../../src/core/memory-budget.ts";
import { noProgress } from "../../src/core/progress.ts";
import { type HeldValues, newHeldValues } from "../../src/worker/held-values.ts";
import type { Task } from "../../src/worker/task.ts";
import { longTest } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { RESIN_SETTING, sceneModel } from "../fixture/some-scene.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";
import { supportModel } from "../../src/support/support-model.ts";

/** Plates far enough apart that few of their trees touch those of others; together they have more than 192 chains of struts. */
const plates = Array.from({ length: 81 }, (_, i) => moved(box([3, 3, 1]), [9 * (i % 9), 9 * Math.floor(i / 9), 0]));

longTest("the supports of a large tree are the same on several threads, whichever group is united first", async () => {
  const model = sceneModel({ mesh: meshOf(...plates) });
  const settings = { ...supportSettingsOf(RESIN_SETTING)!, raftLabelEnabled: false, density: 4 };
  const started: string[] = [];
  const ended: string[] = [];
  let last = Promise.resolve<unknown>(undefined);
  /** Of tasks that wait at the same time, the one that was started last runs first. */
  const waiting: (() => Promise<void>)[] = [];
  const compute = <Input, Output>({ name, run }: Task<Input, Output>, input: Input): Promise<Output> =>
    new Promise((resolve, reject) => {
      const id = `${name} ${started.length}`;
      started.push(id);
      waiting.push(() =>
        Promise.resolve(run(input, noProgress)).then((output) => {
          ended.push(id);
          resolve(output);
        }, reject),
      );
      last = last.then(() => waiting.pop()?.());
    });
  const { models } = await supportModels([{ model, settings }], RESIN_SETTING, { compute, tasksAtOnce: () => 3 });
  for (const name of ["rasterisePart", "uniteStruts"])
    assert.ok(started.filter((id) => id.startsWith(name)).length > 1, name);
  assert.notDeepEqual(ended, started);
  const { mesh, outline, pose, name } = model;
  const request = {
    placed: { mesh, pose: { ...pose, position: [0, 0, pose.position[2]] as const } },
    outline,
    settings,
  };
  const whole = await supportModel({ ...request, layerThicknessMm: 0.1, label: name }, noProgress);
  assert.equal(models[0].supports?.mesh.hash, whole.supports?.mesh.hash);
});

test("the layers and obstacles of a part are kept for its next supports, which are those that it would get anew", async () => {
  const model = sceneModel({ mesh: meshOf(moved(box([8, 8, 2]), [0, 0, 5]), box([2, 2, 6])) });
  const budget = newMemoryBudget(2 ** 40);
  const kept = new Map<string, object>();
  const ofRequests = newHeldValues(budget);
  const held: HeldValues = {
    hold: (value) => ofRequests.hold(value),
    dropKept() {},
    kept: (key) => kept.get(key) as never,
    alsoDrop() {},
    async keep(key, _, make) {
      const value = kept.get(key) ?? (await make());
      kept.set(key, value);
      return value as never;
    },
  };
  const ran: string[] = [];
  const compute = async <Input, Output>({ name, run }: Task<Input, Output>, input: Input): Promise<Output> => {
    ran.push(`${name}${heldBytes(budget) > 0 ? " with held memory" : ""}`);
    return run(input, noProgress);
  };
  const settingsOf = (density: number) => ({ ...supportSettingsOf(RESIN_SETTING)!, raftLabelEnabled: false, density });
  const supported = async (density: number, context: object): Promise<string | undefined> => {
    const { models } = await supportModels([{ model, settings: settingsOf(density) }], RESIN_SETTING, {
      compute,
      tasksAtOnce: () => 3,
      ...context,
    });
    return models[0].supports?.mesh.hash;
  };
  const hashes = [await supported(1, { held }), await supported(2, { held })];
  const tasks = ran.splice(0);
  assert.deepEqual(
    tasks.filter((name) => !name.startsWith("rasterisePart")),
    ["supportLayers", "obstacleTree", "supportFaces", "walkSupports", "supportModel with held memory"].concat([
      "supportFaces",
      "walkSupports",
      "supportModel with held memory",
    ]),
  );
  // Layers, obstacles, and the loads of the layers.
  assert.equal(kept.size, 3);
  assert.equal(heldBytes(budget), 0);
  assert.equal(hashes[1], await supported(2, {}));
  assert.notEqual(hashes[0], hashes[1]);

  // A draft leaves them to the supports as well.
  kept.clear();
  const request = singleRequestOf({ model, settings: settingsOf(1) }, RESIN_SETTING);
  const list = { points: new Float64Array(), origin: model.pose.position, snapMm: 1 };
  await draftOfPoints(request, list, { compute, tasksAtOnce: () => 3, held });
  assert.ok(ran.includes("supportLayers") && ran.includes("draftObstacles"));
  ran.length = 0;
  assert.equal(await supported(1, { held }), hashes[0]);
  assert.deepEqual(ran, tasks.slice(-3));
});
