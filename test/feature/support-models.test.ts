import assert from "node:assert/strict";
import { supportModels } from "../../src/feature/support/support-models.ts";
import { supportSettingsOf } from "../../src/feature/support/endpoint.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { Task } from "../../src/worker/task.ts";
import { longTest } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { RESIN_SETTING, sceneModel } from "../fixture/some-scene.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";
import { supportModel } from "../../src/support/support-model.ts";

/** Plates far enough apart that few of their trees touch those of others; together they have more than 512 struts. */
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
