import * as v from "valibot";
import { paired } from "../../core/paired.ts";
import { type Vec3, mapVec3, unit } from "../../geometry/vector.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { type SurfaceMap, mapPlan } from "../../scene/map-plan.ts";
import { internMesh, requirePlainMeshes } from "../../scene/model-mesh.ts";
import { type Model, withLostSupports } from "../../scene/project.ts";
import { changesScene } from "../../api/endpoint.ts";
import { field, strictObject } from "../../api/field.ts";
import { idsOf, modelIds, modifiedReply, sceneId } from "../../api/schema.ts";
import { mapDistinctMeshes, updateOutlines } from "../mesh-tasks.ts";
import { stretchMeshTask } from "./task.ts";

const factor = v.pipe(v.number(), v.minValue(0.01), v.maxValue(100));

export const stretchModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/stretch/",
    summary:
      "Stretches the raw meshes of models along the axes of their files, about the centre of the mesh. It changes the mesh itself, unlike scale. Supports are removed.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      factors: field(
        strictObject({
          x: field(factor, "Factor along x of the file; 1 keeps the size."),
          y: field(factor, "Factor along y of the file; 1 keeps the size."),
          z: field(factor, "Factor along z of the file; 1 keeps the size."),
        }),
        "Factors along the axes of the raw mesh, before its rotation.",
      ),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, factors: { x, y, z } }, context) => {
    const models = selectModels(scene, model_ids);
    requirePlainMeshes(models);
    const factors: Vec3 = [x, y, z];
    const meshes = await mapDistinctMeshes(models, ({ input: mesh, ...share }) =>
      context.compute(stretchMeshTask, { input: { mesh, factors }, ...share }),
    );
    const stretched = paired(models, meshes).map(([model, mesh]): Model => {
      // With factors of 1 nothing changes, and supports stay.
      if (mesh.hash === model.mesh.hash) return model;
      const { letters, supportPlan } = model;
      return {
        ...withLostSupports(model, "MESH"),
        mesh: internMesh(mesh),
        supportPlan: supportPlan && mapPlan(supportPlan, stretching(factors)),
        // Round holes would be drilled again in another shape.
        hollowed: undefined,
        letters: letters && { ...letters, atMm: letters.atMm * factors[letters.axis] },
      };
    });
    const placed = await updateOutlines(stretched, scene.setting, context);
    return [replaceModels(scene, placed), { modified_model_ids: idsOf(models) }];
  },
);

/** Normals stretch by the inverse factors. Brushes stay round: their radius has the mean factor. */
const stretching = (factors: Vec3): SurfaceMap => ({
  point: (point) => mapVec3(point, (value, axis) => value * factors[axis]),
  normal: (normal) => unit(mapVec3(normal, (value, axis) => value / factors[axis])),
  lengthFactor: Math.cbrt(factors[0] * factors[1] * factors[2]),
});
