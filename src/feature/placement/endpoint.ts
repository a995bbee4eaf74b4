import * as v from "valibot";
import { runStepwise } from "../../core/steps.ts";
import type { Pose } from "../../geometry/pose.ts";
import { type Vec3, add } from "../../geometry/vector.ts";
import { containersOf, latticeOf, unitsOf, withCagePose } from "../../scene/cages.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectEntries } from "../../scene/find.ts";
import { placeModels } from "../../scene/placement.ts";
import { withPose } from "../../scene/pose.ts";
import type { Model, Scene } from "../../scene/project.ts";
import { changesScene } from "../../api/endpoint.ts";
import { field, strictObject } from "../../api/field.ts";
import { idsOf, modelIds, modifiedReply, sceneId, scenePosition } from "../../api/schema.ts";
import { updateOutlines } from "../mesh-tasks.ts";
import { eulerOf, rotationSchema } from "./rotation.ts";

const AS_ONE =
  " A cage moves, turns and scales together with its lattice and its parts. Its container has the pose of the lattice.";

export const translateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/translate/",
    summary: `Moves the origins of models to a position, or by an offset. Resin models stay on the platform.${AS_ONE}`,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      position: field(scenePosition, "New position of the model, or its offset with RELATIVE. Resin scenes ignore z."),
      mode: field(
        v.optional(v.picklist(["ABSOLUTE", "RELATIVE"]), "ABSOLUTE"),
        "ABSOLUTE moves the centre of the box of the raw mesh to the position; RELATIVE adds the position to it.",
      ),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, position: { x, y, z }, mode }) => {
    const target: Vec3 = [x, y, z];
    const { moved, ids } = transformed(scene, model_ids, (pose) => ({
      ...pose,
      position: mode === "ABSOLUTE" ? target : add(pose.position, target),
    }));
    const placed = await runStepwise(placeModels(moved, scene.setting));
    return [replaceModels(scene, placed), { modified_model_ids: ids }];
  },
);

export const orientModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/orient/",
    summary: `Sets the orientation of models; it replaces the current one. Supports follow a rotation about z; any other rotation removes them.${AS_ONE}`,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      orientation: field(
        rotationSchema,
        "New rotation of the model: Euler angles in degrees, a matrix (linear), or two directions.",
      ),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, orientation: rotation }, context) => {
    const orientation = eulerOf(rotation);
    const { moved, ids } = transformed(scene, model_ids, (pose) => ({ ...pose, orientation }));
    const oriented = await updateOutlines(moved, scene.setting, context);
    return [replaceModels(scene, oriented), { modified_model_ids: ids }];
  },
);

export const scaleModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/scale/",
    summary: `Sets the scale of models; it replaces the current one. Another scale removes supports.${AS_ONE}`,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      scale: field(
        v.pipe(v.number(), v.finite(), v.gtValue(0)),
        "Scale factor, above 0, about the centre of the raw mesh.",
      ),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, scale }) => {
    const { moved, ids } = transformed(scene, model_ids, (pose) => ({ ...pose, scale }));
    const placed = await runStepwise(placeModels(moved, scene.setting));
    return [replaceModels(scene, placed), { modified_model_ids: ids }];
  },
);

/** The selected models and the members of the selected cages in their next poses, and the ids of the changed entries. */
function transformed(
  scene: Scene,
  modelIds: readonly string[] | undefined,
  next: (pose: Pose) => Pose,
): { readonly moved: Model[]; readonly ids: string[] } {
  const { cages, models } = unitsOf(selectEntries(scene, modelIds));
  const moved = [
    ...models.map((model) => withPose(model, next(model.pose))),
    ...cages.flatMap((cage) => withCagePose(scene, cage, next(latticeOf(scene, cage).pose))),
  ];
  return { moved, ids: idsOf([...moved, ...containersOf(scene, moved)]) };
}
