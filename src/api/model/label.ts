import * as v from "valibot";
import { inputError, withinFaultOf } from "../../core/fault.ts";
import type { Mat3 } from "../../core/geometry.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { toMatrix, transposed, turn } from "../../mesh/pose.ts";
import { rawDirection, rawPlace } from "../../mesh/raw-place.ts";
import { replaceModels } from "../../scene/edit.ts";
import { findModel } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import type { Labelled, LabelRequest } from "../../solid/label/label-mesh.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { ids, sceneId, scenePosition } from "../schema.ts";
import { remakeModels } from "./remake-models.ts";
import { eulerOf, rotationSchema } from "./rotation.ts";

const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

const body = v.strictObject({
  scene_id: sceneId,
  model_id: v.string(),
  orientation: rotationSchema,
  position: scenePosition,
  label: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  font_size_mm: between(2, 20),
  depth_mm: between(0.2, 10),
  application_mode: v.optional(v.picklist(["EMBOSS", "ENGRAVE"]), "EMBOSS"),
});

type Body = v.InferOutput<typeof body>;

export const labelModel = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/label/",
    summary:
      "Raises a line of text from a model's surface, or sinks it in, along the surface. The text's middle, half as high as its capitals, comes to the place of the surface nearest to position. orientation turns the text from its own axes to those of the scene: it reads along the turned x, on the side that z or -z points to from the surface; z_direction and x_direction are those directions in the scene. font_size_mm is the em: capitals are 0.73 of it high. depth_mm is measured along the surface's normal.",
    async: true,
    body,
    reply: v.object({ modified_model_ids: ids, warnings: v.array(v.string()), infos: v.array(v.string()) }),
    check: ({ label }) => requireOneLine(label),
  },
  async (scene, asked, kit) => {
    const model = findModel(scene, asked.model_id);
    const { mesh, isPierced, hollowed } = await labelled(model, asked, kit);
    const remade = await remakeModels([{ model, mesh, hollowed }], scene.setting, kit);
    const warnings = isPierced ? [`The label goes through a wall of "${model.name}": choose a smaller depth_mm.`] : [];
    return [replaceModels(scene, remade), { modified_model_ids: [model.id], warnings, infos: [] }];
  },
);

/** INPUT_ERROR for what is no line of text. */
function requireOneLine(label: string): void {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(label))
    throw inputError("label must be one line without control characters. Label the model again for another line.");
  if (label.trim() === "") throw inputError("label has nothing but spaces: give it a text.");
}

/** The model's mesh with the label, and what it is hollowed anew from, so that the label stays. */
async function labelled(model: Model, asked: Body, kit: Kit): Promise<Labelled & Pick<Model, "hollowed">> {
  const request = rawRequest(model, asked);
  const meshes = [model.mesh, ...(model.hollowed ? [model.hollowed.solid] : [])];
  const label = (mesh: Mesh, number: number): Promise<Labelled> =>
    kit.compute("labelModel", { request: { ...request, mesh }, number, of: meshes.length });
  const [hollow, solid] = await withinFaultOf(`"${model.name}" cannot be labelled`, () =>
    Promise.all(meshes.map(label)),
  );
  return { ...hollow!, hollowed: model.hollowed && { ...model.hollowed, solid: solid!.mesh } };
}

/** The request in the coordinates of the model's raw mesh. */
function rawRequest(model: Model, asked: Body): LabelRequest {
  const { mesh, pose } = model;
  const frame = frameOf(asked.orientation);
  const { x, y, z } = asked.position;
  return {
    mesh,
    text: asked.label,
    stance: {
      position: rawPlace(model, [x, y, z]),
      along: rawDirection(pose, turn(frame, [1, 0, 0])),
      across: rawDirection(pose, turn(frame, [0, 0, 1])),
    },
    fontSizeMm: asked.font_size_mm / pose.scale,
    depthMm: asked.depth_mm / pose.scale,
    mode: asked.application_mode,
  };
}

/** The rotation from the text's axes to those of the scene: its columns are where x, y and z then point. */
function frameOf(orientation: Body["orientation"]): Mat3 {
  const rotation = toMatrix(eulerOf(orientation));
  // Directions tell the rotation that carries them onto the axes, which is the way back.
  return "z_direction" in orientation ? transposed(rotation) : rotation;
}
