import * as v from "valibot";
import { inputError } from "../../core/fault.ts";
import { newId } from "../../core/id.ts";
import { appendModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { ids, modelIds, sceneId } from "../schema.ts";

/** Copies one request may make (interface supplement, "Limits of the server"). */
export const MAX_COPIES = 10_000;

export const duplicateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/duplicate/",
    summary: "Copies each model `count` times, standing where their source stands. Copies share its mesh.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES)),
    }),
    reply: v.object({ results: v.array(v.object({ source_model_id: v.string(), new_model_ids: ids })) }),
  },
  (scene, { model_ids, count }) => {
    const sources = selectModels(scene, model_ids);
    if (sources.length * count > MAX_COPIES) {
      throw inputError(`One request makes at most ${MAX_COPIES} copies; ${sources.length} models × ${count} are more.`);
    }
    const copies = sources.map((source) => Array.from({ length: count }, () => ({ ...source, id: newId() })));
    const results = sources.map((source, i) => ({ source_model_id: source.id, new_model_ids: idsOf(copies[i]!) }));
    return [appendModels(scene, copies.flat()), { results }];
  },
);
