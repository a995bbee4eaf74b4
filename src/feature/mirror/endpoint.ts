import * as v from "valibot";
import { must } from "../../core/must.ts";
import type { Axis } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { membersOf, unitsOf } from "../../scene/cages.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectEntries, selectModels } from "../../scene/find.ts";
import { internMesh, meshesOf, requirePlainMeshes } from "../../scene/model-mesh.ts";
import { type Model, type Scene, quotedNames } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, strictObject } from "../../api/field.ts";
import { coordinateMm, idsOf, modelIds, modifiedReply, sceneId } from "../../api/schema.ts";
import { mapDistinctMeshes, updateOutlines } from "../mesh-tasks.ts";
import { stretchMeshTask } from "../stretch/task.ts";
import { supportModels } from "../support/support-models.ts";
import { MIRRORED_X, type MirrorPlane, middlePlane, mirroredModel } from "./mirrored-model.ts";

const AXES = ["X", "Y", "Z"] as const;

export const mirrorModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/mirror/",
    summary:
      "Replaces models by their mirror images across an axis of the scene. Their supports are mirrored along with X and Y, and built anew if the raft has a label; Z removes them. Resin models stay on the platform. A cage is mirrored as one.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      axis: field(v.picklist(AXES), "Axis of the scene across which the mirror plane is."),
      about: field(
        v.optional(v.union([v.literal("SELECTION"), v.literal("EACH"), coordinateMm]), "SELECTION"),
        "Place of the mirror plane along the axis: the middle of all models together (SELECTION), of each model (EACH), or a coordinate in mm.",
      ),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, axis, about }, context) => {
    const units = modelUnits(scene, model_ids);
    const models = units.flat();
    if (models.length === 0) return [scene, { modified_model_ids: [] }];
    const index = AXES.indexOf(axis) as Axis;
    const common: MirrorPlane = typeof about === "number" ? { axis: index, atMm: about } : middlePlane(models, index);
    const imageOf = await mirrorImages(models, context);
    const images = units.flatMap((unit) => {
      const plane = about === "EACH" ? middlePlane(unit, index) : common;
      return unit.map((model) => mirroredModel(model, plane, imageOf));
    });
    const placed = await updateOutlines(images, scene.setting, context);
    const { models: relabelled, warnings } = await withReadableLabels(placed, scene, context);
    const told = [...warnings, ...mirroredLabelWarnings(placed)];
    return [
      replaceModels(replaceModels(scene, placed), relabelled),
      { modified_model_ids: idsOf(models), ...(told.length > 0 && { warnings: told }) },
    ];
  },
);

/** The selected models, each for itself, and those of each selected cage together. */
function modelUnits(scene: Scene, modelIds: readonly string[] | undefined): (readonly Model[])[] {
  requirePlainMeshes(selectModels(scene, modelIds));
  const { cages, models } = unitsOf(selectEntries(scene, modelIds));
  return [...models.map((model) => [model]), ...cages.map((cage) => membersOf(scene, cage))];
}

/** The mirror images of all raw meshes of models, by the mesh. */
async function mirrorImages(models: readonly Model[], context: RequestContext): Promise<(mesh: Mesh) => Mesh> {
  const meshes = models.flatMap(meshesOf);
  const bodies = meshes.map((mesh) => ({ mesh }));
  const images = await mapDistinctMeshes(bodies, ({ input: mesh, ...share }) =>
    context.compute(stretchMeshTask, { input: { mesh, factors: MIRRORED_X }, ...share }),
  );
  const byHash = new Map(meshes.map(({ hash }, i) => [hash, internMesh(must(images[i], "The image of a mesh"))]));
  return ({ hash }) => must(byHash.get(hash), "The image of a mesh");
}

/** Models whose mirrored raft may have a label, which only one-piece rafts have, with supports that are built anew from the mirrored touchpoints. */
async function withReadableLabels(models: readonly Model[], { setting }: Scene, context: RequestContext) {
  const targets = models.flatMap((model) =>
    model.supports?.settings.raftLabelEnabled && model.supports.settings.raftType === "FULL_RAFT"
      ? [{ model, settings: model.supports.settings, touchpoints: model.supports.touchpoints }]
      : [],
  );
  const { models: supported, answer } = await supportModels(targets, setting, context);
  return { models: supported, warnings: answer.warnings };
}

function mirroredLabelWarnings(models: readonly Model[]): string[] {
  const labelled = models.filter(({ letters }) => letters);
  return labelled.length === 0
    ? []
    : [`The label of ${quotedNames(labelled)} now reads backwards: it is mirrored along.`];
}
