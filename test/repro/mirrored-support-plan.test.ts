import assert from "node:assert/strict";
import { longTest } from "../fixture/long.ts";
import { inProcess } from "../fixture/in-process.ts";
import { box } from "../fixture/shapes.ts";

// The struts, hand-made points and areas of a mirrored model were those of the model before.

const { ask, newScene, importShape, models } = inProcess();

type Place = { readonly x: number; readonly y: number; readonly z: number };

const rounded = ({ x, y, z }: Place): string =>
  [x, y, z].map((mm) => (Math.round(100 * mm) / 100 + 0).toFixed(2)).join();

longTest("supports/get tells the mirrored struts, points and areas", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, box([9, 6, 5]));
  await ask("orient", { scene_id, orientation: { x: 20, y: 30, z: 10 } });
  await ask("auto-support", { scene_id, only_minima: true });
  const [{ id: model_id }] = await models(scene_id);
  const read = () => ask("supports/get", { scene_id, model_id, include_struts: true });
  const [{ position: centre }] = (await read()).points;
  await ask("supports/set", {
    scene_id,
    model_id,
    areas: [{ mode: "ALWAYS", shape: { kind: "BALL", centre, radius_mm: 2 } }],
  });
  const before = await read();
  await ask("mirror", { scene_id, axis: "X", about: 5 });
  const after = await read();
  const image = ({ x, y, z }: Place): Place => ({ x: 10 - x, y, z });
  assert.ok(before.points.length > 0 && before.struts.length > 0);
  assert.deepEqual(
    after.points.map(({ position }: { position: Place }) => rounded(position)),
    before.points.map(({ position }: { position: Place }) => rounded(image(position))),
  );
  const endsOf = ([x, y, z, , u, v, w]: readonly number[]): Place[] => [
    { x: x!, y: y!, z: z! },
    { x: u!, y: v!, z: w! },
  ];
  assert.deepEqual(
    after.struts.map((strut: number[]) => endsOf(strut).map(rounded)),
    before.struts.map((strut: number[]) => endsOf(strut).map((end) => rounded(image(end)))),
  );
  assert.equal(rounded(after.areas[0].shape.centre), rounded(image(before.areas[0].shape.centre)));
});
