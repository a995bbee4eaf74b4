import * as v from "valibot";
import { inputError, withErrorPrefixAsync } from "../../core/api-error.ts";
import { directionToModelSpace, rotateVector, rotationMatrix, toModelSpace, transpose } from "../../geometry/pose.ts";
import type { Mat3 } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { requirePlainMeshes } from "../../scene/model-mesh.ts";
import { replaceModels } from "../../scene/edit.ts";
import { findModel } from "../../scene/find.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import type { LabelRequest, LabelledMesh } from "../../solid/label/label-mesh.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { infosList, modelId, modifiedModelIds, sceneId, scenePosition, warningsList } from "../../api/schema.ts";
import { replaceMeshes } from "../mesh-tasks.ts";
import { eulerOf, rotationSchema } from "../placement/rotation.ts";
import { labelMeshTask } from "./task.ts";

const between = (min: number, max: number) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));

const body = strictObject({
  scene_id: sceneId,
  model_id: modelId,
  orientation: field(
    rotationSchema,
    "Rotation from the axes of the text to those of the scene: x along the text, y up the text, z out of the surface.",
  ),
  position: field(scenePosition, "Point of the scene; the text is centred at the point of the surface closest to it."),
  label: field(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), "Text of one line."),
  font_size_mm: field(between(2, 20), "Size of the em of the font in mm; capitals are 0.73 em high."),
  depth_mm: field(
    between(0.2, 10),
    "Height of raised text, or depth of sunk text, along the normal of the surface, in mm.",
  ),
  application_mode: field(
    v.optional(v.picklist(["EMBOSS", "ENGRAVE"]), "EMBOSS"),
    "Whether the text is raised (EMBOSS) or sunk (ENGRAVE).",
  ),
});

type LabelBody = v.InferOutput<typeof body>;

export const labelModel = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/label/",
    summary:
      "Embosses or engraves a line of text on the surface of a model. The text follows the surface. The middle of the text, at half the height of its capitals, is at the point of the surface closest to position. orientation rotates the axes of the text to those of the scene: the text runs along the rotated x, y points up the text and z out of the surface (where z points into the surface, y points down the text); z_direction and x_direction are the rotated z and x in the scene. font_size_mm is the size of the em: capitals are 0.73 em high. depth_mm is measured along the normal of the surface.",
    async: true,
    body,
    reply: object({ modified_model_ids: modifiedModelIds, warnings: warningsList, infos: infosList }),
    check: ({ label, orientation }) => {
      requireOneLine(label);
      eulerOf(orientation);
    },
  },
  async (scene, request, context) => {
    const model = findModel(scene, request.model_id);
    requirePlainMeshes([model]);
    const { mesh, isPierced, hollowed } = await applyLabel(model, request, context);
    const labelled = await replaceMeshes([{ model, mesh, hollowed }], scene.setting, context);
    const warnings = isPierced
      ? [`The label goes through a wall of ${quotedName(model)}: choose a smaller depth_mm.`]
      : [];
    const answer = { modified_model_ids: [model.id], warnings, infos: [] };
    return [replaceModels(scene, labelled), answer];
  },
);

/** Throws INPUT_ERROR for a label that is not a line of text. */
function requireOneLine(label: string): void {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(label))
    throw inputError("label must be one line without control characters. Label the model again for another line.");
  if (label.trim() === "") throw inputError("label has only spaces: give it a text.");
}

/** The labelled mesh of the model. The solid from which it can be hollowed again is labelled too, so that the label remains. */
async function applyLabel(
  model: Model,
  body: LabelBody,
  context: RequestContext,
): Promise<LabelledMesh & Pick<Model, "hollowed">> {
  const request = labelRequestOf(model, body);
  const count = model.hollowed ? 2 : 1;
  const label = (mesh: Mesh, index: number): Promise<LabelledMesh> =>
    context.compute(labelMeshTask, { input: { ...request, mesh }, index, count });
  const [labelled, solid] = await withErrorPrefixAsync(`${quotedName(model)} cannot be labelled`, () =>
    Promise.all([label(model.mesh, 0), model.hollowed && label(model.hollowed.solid, 1)]),
  );
  return { ...labelled, hollowed: model.hollowed && solid && { ...model.hollowed, solid: solid.mesh } };
}

/** The request in the coordinates of the model's raw mesh. */
function labelRequestOf(model: Model, body: LabelBody): LabelRequest {
  const { mesh, pose } = model;
  const rotation = textRotation(body.orientation);
  const { x, y, z } = body.position;
  return {
    mesh,
    text: body.label,
    placement: {
      position: toModelSpace(model, [x, y, z]),
      along: directionToModelSpace(pose, rotateVector(rotation, [1, 0, 0])),
      normal: directionToModelSpace(pose, rotateVector(rotation, [0, 0, 1])),
    },
    fontSizeMm: body.font_size_mm / pose.scale,
    depthMm: body.depth_mm / pose.scale,
    mode: body.application_mode,
  };
}

/** The rotation from the axes of the text to those of the scene. Its columns are the rotated x, y and z. */
function textRotation(orientation: LabelBody["orientation"]): Mat3 {
  const rotation = rotationMatrix(eulerOf(orientation));
  // For z_direction and x_direction, eulerOf returns the inverse: the rotation that takes them to the axes.
  return "z_direction" in orientation ? transpose(rotation) : rotation;
}
