import { AXIS_INDICES } from "../../geometry/vector.ts";
import { excerpt, inputError } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import type { Box } from "../../geometry/box.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { MAX_MODELS } from "../../core/limits.ts";
import { paired } from "../../core/paired.ts";
import { requirePlainMeshes } from "../../scene/model-mesh.ts";
import { substituteModels } from "../../scene/edit.ts";
import { selectModels, selectWithContainers } from "../../scene/find.ts";
import { type Model, type Scene, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene, readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import {
  count,
  idsOf,
  modelIds,
  newModelsOfEach,
  perModelReply,
  perModelResults,
  sceneId,
  warningsReply,
} from "../../api/schema.ts";
import { MESH_CHANGED, lostSupportsWarning } from "../../api/lost-supports.ts";
import { type MeshReplacement, mapDistinctMeshes, replaceMeshes } from "../mesh-tasks.ts";
import { countBodiesTask, splitMeshTask } from "./task.ts";

export const bodyCount = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/body-count/",
    summary:
      "Counts the bodies of each model. A body is a set of facets that are connected by edges, together with its cavities. A body inside a cavity counts separately. The container of a cage has no body.",
    async: true,
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: perModelReply(object({ body_count: field(count, "Number of bodies.") })),
  },
  async (scene, { model_ids }, context) => {
    const { models, containers } = selectWithContainers(scene, model_ids);
    const counts = await mapDistinctMeshes(models, (item) => context.compute(countBodiesTask, item));
    return perModelResults(
      [...models, ...containers],
      [...counts, ...containers.map(() => 0)].map((body_count) => ({ body_count })),
    );
  },
);

export const splitBodies = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/split-bodies/",
    summary:
      "Splits models of several bodies: each body with its cavities becomes a model. The new models keep the position of their body, but resin models are placed on the platform. Supports are removed. Models of one body stay unchanged and are not listed.",
    async: true,
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: object({
      results: newModelsOfEach,
      warnings: warningsReply,
    }),
  },
  async (scene, { model_ids }, context) => {
    const models = selectModels(scene, model_ids);
    requirePlainMeshes(models);
    // The bodies take the place of one model.
    const maxBodies = MAX_MODELS - scene.models.length + 1;
    const splits = await mapDistinctMeshes(models, ({ input: mesh, ...share }) =>
      context.compute(splitMeshTask, { input: { mesh, maxBodies }, ...share }),
    );
    const sources = paired(models, splits).flatMap(([model, split]) => (split.count > 1 ? [{ model, ...split }] : []));
    requireCapacity(scene, sources);
    const solids = await splitSolids(
      sources.map(({ model }) => model),
      context,
    );
    const replacements = sources.flatMap(({ model, meshes }) =>
      meshes.map((mesh, i) => bodyReplacement(model, mesh, i + 1, solids.get(model) ?? [])),
    );
    const bodies = await replaceMeshes(replacements, scene.setting, context);
    let next = 0;
    const substitutes = new Map(
      sources.map(({ model, meshes }) => [model, bodies.slice(next, (next += meshes.length))]),
    );
    const results = [...substitutes].map(([{ id }, parts]) => ({ source_model_id: id, new_model_ids: idsOf(parts) }));
    const warnings = sources.flatMap(({ model }) => [
      ...(model.supports ? [lostSupportsWarning(model, MESH_CHANGED)] : []),
      ...(model.hollowed?.infill ? [`The bodies of ${quotedName(model)} have no infill: hollow them again.`] : []),
    ]);
    return [substituteModels(scene, substitutes), { results, ...(warnings.length > 0 && { warnings }) }];
  },
);

function requireCapacity({ models }: Scene, sources: readonly { readonly count: number }[]): void {
  const bodies = sources.reduce((sum, { count }) => sum + count, 0);
  if (models.length - sources.length + bodies <= MAX_MODELS) return;
  throw inputError(
    `A scene holds at most ${MAX_MODELS} models; this one has ${models.length}, of which ${sources.length} would be split into ${bodies} bodies: split fewer at a time, or delete some.`,
  );
}

/** The bodies of the solids from which models were hollowed. */
async function splitSolids(models: readonly Model[], context: RequestContext): Promise<Map<Model, readonly Mesh[]>> {
  const hollowed = models.flatMap((model) => (model.hollowed ? [{ model, mesh: model.hollowed.solid }] : []));
  const splits = await mapDistinctMeshes(hollowed, ({ input: mesh, ...share }) =>
    context.compute(splitMeshTask, { input: { mesh, maxBodies: MAX_MODELS }, ...share }),
  );
  return new Map(paired(hollowed, splits).map(([{ model }, { meshes }]) => [model, meshes]));
}

/** A body of a hollowed model can be hollowed again from the solid around it, with the holes that still meet it, but it loses its infill. */
function bodyReplacement(model: Model, mesh: Mesh, number: number, solids: readonly Mesh[]): MeshReplacement {
  const [enclosing, ...others] = solids.filter(({ box }) => containsBox(box, mesh.box));
  return {
    model: { ...model, id: newId(), name: `${excerpt(model.name)} ${number}` },
    mesh,
    hollowed:
      model.hollowed && enclosing && others.length === 0
        ? { solid: enclosing, holes: model.hollowed.holes }
        : undefined,
  };
}

const containsBox = (outer: Box, inner: Box): boolean =>
  AXIS_INDICES.every((axis) => outer.min[axis] <= inner.min[axis] && inner.max[axis] <= outer.max[axis]);
