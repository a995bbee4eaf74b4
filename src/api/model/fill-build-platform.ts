import * as v from "valibot";
import { newId } from "../../core/id.ts";
import { appendModels, MAX_MODELS, replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { laid } from "../../scene/laid.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { requireFamily } from "../require-family.ts";
import { ids, modelIds, sceneId } from "../schema.ts";
import { mayTurn, modelSpacingMm } from "./auto-layout.ts";
import { MAX_COPIES } from "./duplicate.ts";
import { seenFromAbove } from "./seen-from-above.ts";
import { turnModels } from "./turn-models.ts";

export const fillBuildPlatform = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/fill-build-platform/",
    summary: "Adds copies of models in turn until not one more fits the platform. Models move where more fit then.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      model_spacing_mm: modelSpacingMm,
      lock_rotation: v.optional(v.boolean(), false),
    }),
    reply: v.object({ results: v.array(v.object({ source_model_id: v.string(), new_model_ids: ids })) }),
    async: true,
  },
  async (scene, { model_ids, model_spacing_mm, lock_rotation }, kit) => {
    requireFamily(scene, "resin");
    const sources = selectModels(scene, model_ids);
    const staying = scene.models.filter((model) => !sources.includes(model));
    const seen = await seenFromAbove([...sources, ...staying], kit);
    const { places } = await kit.compute("fillPlatform", {
      volume: scene.setting.printerType.volume,
      spacingMm: model_spacing_mm,
      mostCopies: Math.min(MAX_COPIES, MAX_MODELS - scene.models.length),
      sources: sources.map(({ lock }, i) => ({
        ...seen[i],
        turns: !lock_rotation && mayTurn(lock),
        moves: lock !== "FULLY_LOCKED",
      })),
      obstacles: seen.slice(sources.length),
    });
    const copies = sources.map((model, i) => places[i].copies.map((place) => laid({ ...model, id: newId() }, place)));
    const moved = sources.map((model, i) => laid(model, places[i].source));
    const standing = await turnModels([...moved, ...copies.flat()], scene.setting, kit);
    const next = appendModels(replaceModels(scene, standing.slice(0, moved.length)), standing.slice(moved.length));
    const results = sources.map(({ id }, i) => ({ source_model_id: id, new_model_ids: idsOf(copies[i]) }));
    return [next, { results }];
  },
);
