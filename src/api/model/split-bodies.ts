import * as v from "valibot";
import { inputError } from "../../core/fault.ts";
import type { Box } from "../../core/geometry.ts";
import { newId } from "../../core/id.ts";
import { shortened } from "../../core/shortened.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { MAX_MODELS, succeedModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { ids, modelIds, sceneId } from "../schema.ts";
import { perMesh } from "./per-mesh.ts";
import { type Remade, remakeModels } from "./remake-models.ts";

export const splitBodies = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/split-bodies/",
    summary:
      "Takes models of several bodies apart, each body with its cavities a model in the place of the old one. The pieces stand where they stood, but on the platform where the printer asks for it, without supports. A model of one body stays as it is and is not listed.",
    async: true,
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ results: v.array(v.object({ source_model_id: v.string(), new_model_ids: ids })) }),
  },
  async (scene, { model_ids }, kit) => {
    const models = selectModels(scene, model_ids);
    // One goes for those that come.
    const most = MAX_MODELS - scene.models.length + 1;
    const splits = await perMesh(models, ({ request: mesh, ...share }) =>
      kit.compute("splitBodies", { request: { mesh, most }, ...share }),
    );
    const splitting = models.flatMap((model, i) => (splits[i].count > 1 ? [{ model, ...splits[i] }] : []));
    requireRoom(scene, splitting);
    const hollowed = await splitSolids(
      splitting.map(({ model }) => model),
      kit,
    );
    const remade = splitting.flatMap(({ model, meshes }) =>
      meshes.map((mesh, i) => pieceOf(model, mesh, i + 1, hollowed.get(model) ?? [])),
    );
    const standing = await remakeModels(remade, scene.setting, kit);
    let next = 0;
    const parts = new Map(splitting.map(({ model, meshes }) => [model, standing.slice(next, (next += meshes.length))]));
    const results = [...parts].map(([{ id }, made]) => ({ source_model_id: id, new_model_ids: idsOf(made) }));
    return [succeedModels(scene, parts), { results }];
  },
);

function requireRoom({ models }: Scene, splitting: readonly { readonly count: number }[]): void {
  const pieces = splitting.reduce((sum, { count }) => sum + count, 0);
  if (models.length - splitting.length + pieces <= MAX_MODELS) return;
  throw inputError(
    `A scene holds at most ${MAX_MODELS} models; this one has ${models.length}, of which ${splitting.length} fall into ${pieces} pieces: split fewer at a time, or delete some.`,
  );
}

/** The solids that hollowed models were, taken apart as well. */
async function splitSolids(models: readonly Model[], kit: Kit): Promise<Map<Model, readonly Mesh[]>> {
  const hollowed = models.flatMap((model) =>
    model.hollowed ? [{ model, whole: { ...model, mesh: model.hollowed.solid } }] : [],
  );
  const splits = await perMesh(
    hollowed.map(({ whole }) => whole),
    ({ request: mesh, ...share }) =>
      kit.compute("splitBodies", { request: { mesh, most: MAX_MODELS }, ...share }),
  );
  return new Map(hollowed.map(({ model }, i) => [model, splits[i]!.meshes]));
}

/** A piece is hollowed anew from the solid around it, and keeps the holes that meet it then. */
function pieceOf(model: Model, mesh: Mesh, number: number, solids: readonly Mesh[]): Remade {
  const around = solids.filter(({ box }) => encloses(box, mesh.box));
  return {
    model: { ...model, id: newId(), name: `${shortened(model.name)} ${number}` },
    mesh,
    hollowed: model.hollowed && around.length === 1 ? { ...model.hollowed, solid: around[0]! } : undefined,
  };
}

const encloses = (outer: Box, inner: Box): boolean =>
  [0, 1, 2].every((axis) => outer.min[axis]! <= inner.min[axis]! && inner.max[axis]! <= outer.max[axis]!);
