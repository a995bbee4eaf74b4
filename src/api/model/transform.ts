import * as v from "valibot";
import { inTurns } from "../../core/in-turns.ts";
import { type Vec3, add } from "../../geometry/vector.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { placeModels } from "../../scene/placement.ts";
import { withPose } from "../../scene/pose.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf, modelIds, modifiedReply, sceneId, scenePosition } from "../schema.ts";
import { updateOutlines } from "./mesh-tasks.ts";
import { eulerOf, rotationSchema } from "./rotation.ts";

export const translateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/translate/",
    summary: "Moves the origins of models to a position, or by an offset. Resin models stay on the platform.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      position: scenePosition,
      mode: v.optional(v.picklist(["ABSOLUTE", "RELATIVE"]), "ABSOLUTE"),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, position: { x, y, z }, mode }) => {
    const target: Vec3 = [x, y, z];
    const posed = selectModels(scene, model_ids).map((model) => {
      const position = mode === "ABSOLUTE" ? target : add(model.pose.position, target);
      return withPose(model, { ...model.pose, position });
    });
    const moved = await inTurns(placeModels(posed, scene.setting));
    return [replaceModels(scene, moved), { modified_model_ids: idsOf(moved) }];
  },
);

export const orientModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/orient/",
    summary:
      "Sets the orientation of models; it replaces the current one. Supports follow a rotation about z; any other removes them.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds, orientation: rotationSchema }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, orientation: rotation }, context) => {
    const selected = selectModels(scene, model_ids);
    const orientation = eulerOf(rotation);
    const posed = selected.map((model) => withPose(model, { ...model.pose, orientation }));
    const oriented = await updateOutlines(posed, scene.setting, context);
    return [replaceModels(scene, oriented), { modified_model_ids: idsOf(oriented) }];
  },
);

export const scaleModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/scale/",
    summary: "Sets the scale of models; it replaces the current one. Another scale removes supports.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      scale: v.pipe(v.number(), v.finite(), v.gtValue(0)),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, scale }) => {
    const posed = selectModels(scene, model_ids).map((model) => withPose(model, { ...model.pose, scale }));
    const scaled = await inTurns(placeModels(posed, scene.setting));
    return [replaceModels(scene, scaled), { modified_model_ids: idsOf(scaled) }];
  },
);
