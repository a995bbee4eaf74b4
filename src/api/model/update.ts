import * as v from "valibot";
import { inputError } from "../../core/fault.ts";
import { UNIT_MM, type Units } from "../../core/units.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { internMesh } from "../../scene/intern-mesh.ts";
import { replaceModels } from "../../scene/edit.ts";
import { countSelected, selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { rescaledHollowed } from "../../scene/rescaled-hollowed.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { lock, modelIds, modifiedReply, name, sceneId, units } from "../schema.ts";
import { turnModels } from "./turn-models.ts";

const fields = {
  name: v.optional(name),
  lock: v.optional(lock),
  visible: v.optional(v.boolean()),
  units: v.optional(units),
};

export const updateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/update/",
    summary: "Sets name (of one model), lock, visibility or units. New units rescale the raw mesh.",
    body: v.pipe(
      v.strictObject({ scene_id: sceneId, model_ids: modelIds, ...fields }),
      v.check(
        (body) => Object.keys(fields).some((field) => field in body),
        `needs at least one of ${Object.keys(fields).join(", ")}`,
      ),
    ),
    reply: modifiedReply,
  },
  async (scene, { model_ids, units: nextUnits, ...edit }, kit) => {
    if (edit.name !== undefined && countSelected(scene, model_ids) !== 1) {
      throw inputError("name can be given to one model at a time: put its id alone into model_ids.");
    }
    const edited = selectModels(scene, model_ids).map((model) => withFields(model, edit));
    const next = nextUnits === undefined ? edited : await withUnits(edited, nextUnits, scene, kit);
    return [replaceModels(scene, next), { modified_model_ids: idsOf(next) }];
  },
);

const withFields = (
  model: Model,
  { name, lock, visible }: Partial<Pick<Model, "name" | "lock" | "visible">>,
): Model => ({
  ...model,
  name: name ?? model.name,
  lock: lock ?? model.lock,
  visible: visible ?? model.visible,
});

async function withUnits(models: readonly Model[], nextUnits: Units, scene: Scene, kit: Kit): Promise<Model[]> {
  const changing = models.filter((model) => model.units !== nextUnits);
  const factorOf = ({ units }: Model): number => UNIT_MM[nextUnits] / UNIT_MM[units];
  const keyOf = (mesh: Mesh, factor: number): string => `${mesh.hash} ${factor}`;
  const requests = new Map(
    changing.flatMap((model) =>
      [model.mesh, ...(model.hollowed ? [model.hollowed.solid] : [])].map((mesh) => {
        const factor = factorOf(model);
        return [keyOf(mesh, factor), { mesh, factor }] as const;
      }),
    ),
  );
  const rescaled = await kit.compute("rescaleMeshes", [...requests.values()]);
  const meshByKey = new Map([...requests.keys()].map((key, i) => [key, internMesh(rescaled[i]!)]));
  const resized = changing.map((model): Model => {
    const factor = factorOf(model);
    const resizedMesh = (mesh: Mesh): Mesh => meshByKey.get(keyOf(mesh, factor))!;
    const { hollowed } = model;
    return {
      ...model,
      units: nextUnits,
      mesh: resizedMesh(model.mesh),
      supports: undefined,
      hollowed: hollowed && rescaledHollowed(hollowed, resizedMesh(hollowed.solid), factor),
    };
  });
  const standing = await turnModels(resized, scene.setting, kit);
  const byId = new Map(standing.map((model) => [model.id, model]));
  return models.map((model) => byId.get(model.id) ?? model);
}
