import assert from "node:assert/strict";
import { test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { lazy } from "../../src/core/memoize.ts";
import { inProcess } from "../fixture/in-process.ts";
import { box } from "../fixture/shapes.ts";
import { POWDER } from "../fixture/test-server.ts";

const server = inProcess();
const PREVIEW = "/v1/scene/model/supports/preview/";

interface WireTree {
  readonly id: number;
  readonly points: readonly number[];
  readonly struts: readonly (readonly (number | string)[])[];
}
type WirePoint = { readonly position: object; readonly size_mm?: number };

/** A plate in the air with its automatic points. */
const supportedPlate = lazy(async () => {
  const scene_id = await server.newScene();
  const model_id = await server.importShape(scene_id, box([36, 20, 3]));
  await server.ask("auto-support", { scene_id });
  const { points, struts } = await server.ask("supports/get", { scene_id, model_id, include_struts: true });
  const preview = (changes: object) => server.ask("supports/preview", { scene_id, model_id, ...changes });
  const present: WirePoint[] = points.map(({ position, size_mm }: WirePoint) => ({ position, size_mm }));
  return { scene_id, model_id, points: present, struts, preview };
});

/** Texts of struts in hundredths of a millimetre, sorted: the preview moves points by less. */
const textsOf = (struts: WireTree["struts"]): string[] =>
  struts.map((strut) => strut.map((value) => (typeof value === "number" ? value.toFixed(2) : value)).join(" ")).sort();

const strutsOf = (trees: readonly WireTree[]) => textsOf(trees.flatMap(({ struts }) => struts));

longTest("the preview of the present points has the struts of the supports, and changes nothing", async () => {
  const { scene_id, points, struts, preview } = await supportedPlate();
  const before = server.scene(scene_id);
  const { trees, removed_trees, unreached_indices, load_ratio_min, lift_mm, took_ms } = await preview({ points });
  assert.deepEqual(strutsOf(trees), textsOf(struts));
  assert.deepEqual([removed_trees, unreached_indices, lift_mm], [[], [], 0]);
  assert.deepEqual(
    trees.flatMap((tree: WireTree) => tree.points).sort((a: number, b: number) => a - b),
    points.map((_, i) => i),
  );
  assert.ok(load_ratio_min >= 2 && took_ms > 0);
  assert.equal(server.scene(scene_id), before);
});

longTest("clients get only the trees that they lack, and the trees before once an edit is taken back", async () => {
  const { points, preview } = await supportedPlate();
  const { trees: all } = await preview({ points });
  const known_trees = all.map(({ id }: WireTree) => id);
  const [edited, again] = [await preview({ points: points.slice(1), known_trees }), await preview({ points })];
  const left = all.filter(({ id }: WireTree) => !edited.removed_trees.includes(id));
  assert.ok(edited.removed_trees.length > 0 && left.length > 0);
  const full = await preview({ points: points.slice(1) });
  assert.deepEqual(strutsOf([...left, ...edited.trees]), strutsOf(full.trees));
  assert.deepEqual(again.trees, all);
  const { trees, removed_trees } = await preview({ points, known_trees });
  assert.deepEqual([trees, removed_trees], [[], []]);
});

test("a point of another size gets a tip and a trunk of that size", async () => {
  const { points, preview } = await supportedPlate();
  const widest = async (size_mm: number): Promise<number> => {
    const { trees } = await preview({ points: [{ ...points[0], size_mm }] });
    return Math.max(...trees.flatMap((tree: WireTree) => tree.struts.map((strut) => Number(strut[3]))));
  };
  assert.ok((await widest(0.3)) < (await widest(3)));
});

test("a model without supports is previewed at the height that they give it", async () => {
  const scene_id = await server.newScene();
  const model_id = await server.importShape(scene_id, box([20, 20, 3]));
  const points = [{ position: { x: 0, y: 0, z: 0.4 } }];
  const { trees, lift_mm } = await server.ask("supports/preview", {
    scene_id,
    model_id,
    points,
    height_above_raft_mm: 9,
  });
  assert.ok(lift_mm >= 9, `${lift_mm}`);
  const top = Math.max(...trees[0].struts.map((strut: readonly number[]) => strut[2]));
  assert.ok(Math.abs(top - lift_mm) < 0.5, `${top}`);
});

test("points beyond the limits of the request are refused, and points that no tip can hold are told", async () => {
  const { scene_id, model_id, points, preview } = await supportedPlate();
  const { z } = points[0].position as { z: number };
  const above = { position: { x: 0, y: 0, z: z + 3 } };
  assert.deepEqual((await preview({ points: [above, points[0]] })).unreached_indices, [0]);
  const refused = (body: object, code: string, message: RegExp) =>
    server.refused(PREVIEW, { scene_id, model_id, points, ...body }, code, message);
  await refused(
    { points: [{ position: { x: 0, y: 0, z: z - 1.5 } }] },
    "INPUT_ERROR",
    /^\/points\/0\/position is more/,
  );
  await preview({ points: [{ position: { x: 0, y: 0, z: z - 1.5 } }], snap_mm: 2 });
  await refused({ snap_mm: 5.1 }, "JSON_SCHEMA_MATCH_ERROR", /snap_mm/);
  await refused({ points: undefined }, "JSON_SCHEMA_MATCH_ERROR", /points/);
  await refused({ edit: {} }, "JSON_SCHEMA_MATCH_ERROR", /edit/);
  await refused({ model_id: scene_id }, "NOT_FOUND", /./);
  const powder = await server.newScene(POWDER);
  const part = await server.importShape(powder);
  await server.refused(PREVIEW, { scene_id: powder, model_id: part, points: [] }, "UNSUPPORTED_SCENE");
});

test("a preview without points has no trees and no loads", async () => {
  const { preview } = await supportedPlate();
  const { trees, load_ratio_min } = await preview({ points: [] });
  assert.deepEqual([trees, load_ratio_min], [[], null]);
});
