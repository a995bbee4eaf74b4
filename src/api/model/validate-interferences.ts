import * as v from "valibot";
import type { MeshTree } from "../../check/interferences/mesh-tree.ts";
import { selectModels } from "../../scene/find.ts";
import { bodiesOf, type Model } from "../../scene/model.ts";
import { worldBox } from "../../scene/stand.ts";
import type { Placed } from "../../slice/placed.ts";
import { type Kit, readsScene } from "../endpoint.ts";
import { coordinateMm, modelIds, sceneId } from "../schema.ts";
import { perMesh } from "./per-mesh.ts";

export const validateInterferences = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/interferences/",
    summary:
      "Pairs of models, with their supports, that overlap, one inside the other included, or stand nearer to each other than collision_offset_mm, in the order of the scene. To 1 µm: models that touch do not overlap.",
    async: true,
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      collision_offset_mm: v.optional(v.pipe(coordinateMm, v.minValue(0)), 0),
    }),
    reply: v.object({ interferences: v.array(v.tuple([v.string(), v.string()])) }),
  },
  async (scene, { model_ids, collision_offset_mm: offsetMm }, kit) => {
    const selected = new Set(selectModels(scene, model_ids));
    const models = scene.models.filter((model) => selected.has(model));
    const shares = await kit.compute("findNeighbours", { boxes: boxesOf(models), reachMm: offsetMm });
    const near = [...new Set(shares.flatMap((pairs) => [...pairs]))];
    const trees = await treesOf(
      near.map((number) => models[number]),
      kit,
    );
    const found = await Promise.all(
      shares.map((pairs, number) => {
        const named = new Map([...new Set(pairs)].map((model) => [model, placedBodies(models[model])]));
        const request = { models: named, trees, pairs, offsetMm };
        return kit.compute("checkInterferences", { request, number, of: shares.length });
      }),
    );
    const interferences = found
      .flatMap((pairs) => Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1]]))
      .sort(([a, b], [c, d]) => a - c || b - d)
      .map(([a, b]): [string, string] => [models[a].id, models[b].id]);
    return { interferences };
  },
);

const boxesOf = (models: readonly Model[]): Float64Array =>
  Float64Array.from(models.map(worldBox).flatMap(({ min, max }) => [...min, ...max]));

const placedBodies = (model: Model): Placed[] => bodiesOf(model).map(({ mesh, pose }) => ({ mesh, pose }));

async function treesOf(models: readonly Model[], kit: Kit): Promise<Map<string, MeshTree>> {
  const bodies = models.flatMap(bodiesOf);
  const trees = await perMesh(bodies, (share) => kit.compute("growMeshTree", share));
  return new Map(bodies.map(({ mesh }, i) => [mesh.hash, trees[i]]));
}
