import * as v from "valibot";
import { selectModels } from "../../scene/find.ts";
import { readsScene } from "../endpoint.ts";
import { modelIds, sceneId } from "../schema.ts";
import { perMesh } from "./per-mesh.ts";
import { count } from "./printability.ts";

export const validateManifoldness = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/manifoldness/",
    summary:
      "Whether each model, without its supports, is a closed solid that an import takes without repair, and what is wrong with it. Facets without area and bodies that pass through each other are told, but leave a model manifold.",
    async: true,
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({
      per_model_results: v.record(
        v.string(),
        v.object({
          is_manifold: v.boolean(),
          open_edge_count: count,
          non_manifold_edge_count: count,
          degenerate_face_count: count,
          inverted_body_count: count,
          self_intersecting: v.boolean(),
        }),
      ),
    }),
  },
  async (scene, { model_ids }, kit) => {
    const models = selectModels(scene, model_ids);
    const found = await perMesh(models, (share) => kit.compute("checkManifoldness", share));
    const results = models.map(({ id }, i) => {
      const { isManifold, selfIntersecting, ...counts } = found[i];
      return [
        id,
        {
          is_manifold: isManifold,
          open_edge_count: counts.openEdgeCount,
          non_manifold_edge_count: counts.nonManifoldEdgeCount,
          degenerate_face_count: counts.degenerateFaceCount,
          inverted_body_count: counts.invertedBodyCount,
          self_intersecting: selfIntersecting,
        },
      ] as const;
    });
    return { per_model_results: Object.fromEntries(results) };
  },
);
