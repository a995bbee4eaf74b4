import * as v from "valibot";
import { Fault, operationFailed, withinFault } from "../../core/fault.ts";
import { remembered } from "../../core/remembered.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import type { HollowRequest } from "../../solid/hollow/hollow-plan.ts";
import type { HollowResult } from "../../worker/task/hollow-model.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { ahead } from "../ahead.ts";
import { coordinateMm, ids, modelIds, sceneId } from "../schema.ts";
import { hollowInSlabs } from "./hollow-in-slabs.ts";
import { remakeModels } from "./remake-models.ts";

const LEAST_WALL_MM = 0.1;
const LEAST_FEATURE_MM = 0.05;
const MOST_FEATURE_MM = 1;
const DEFAULT_ACCURACY = 0.5;

export const hollowModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/hollow/",
    summary:
      "Hollows models to walls of a thickness. Parts of a hollow narrower than feature_size_mm stay solid, and so does what is thinner than two walls. A model that was hollowed here before is hollowed anew from its solid, and its holes are drilled again. Models must be closed manifolds; those that fail are named in warnings and stay as they are.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      wall_thickness_mm: v.pipe(coordinateMm, v.minValue(LEAST_WALL_MM)),
      feature_size_mm: v.optional(
        v.pipe(
          v.number(),
          v.minValue(LEAST_FEATURE_MM),
          v.transform((mm) => Math.min(mm, MOST_FEATURE_MM)),
        ),
        MOST_FEATURE_MM,
      ),
      accuracy: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), DEFAULT_ACCURACY),
    }),
    reply: v.object({
      hollowed_model_ids: ids,
      unhollowed_model_ids: ids,
      warnings: v.array(v.string()),
      infos: v.array(v.string()),
    }),
    async: true,
  },
  async (scene, { model_ids, wall_thickness_mm, feature_size_mm, accuracy }, kit) => {
    // Other endpoints answer NOT_FOUND for an unknown model, this one does not (interface, "hollow").
    const selected = withinFault("INPUT_ERROR", "Nothing was hollowed", () => selectModels(scene, model_ids));
    if (selected.length === 0) throw operationFailed("There is no model to hollow: import one first.");
    const asked = { wallMm: wall_thickness_mm, featureMm: feature_size_mm, accuracy };
    const tried = await hollowEach(selected, asked, kit);
    const hollowed = tried.filter((one) => "result" in one);
    const failed = tried.filter((one) => "reason" in one);
    if (hollowed.length === 0) throw operationFailed(allFailed(failed));
    const remade = await remakeModels(hollowed.map(remadeOf), scene.setting, kit);
    const answer = {
      hollowed_model_ids: idsOf(remade),
      unhollowed_model_ids: failed.map(({ model }) => model.id),
      warnings: failed.length > 0 ? [...failed.map(failureOf), CHECK_THEM] : [],
      infos: hollowed.flatMap(infosOf),
    };
    return [replaceModels(scene, remade), answer];
  },
);

interface HollowedModel {
  readonly model: Model;
  readonly result: HollowResult;
}

interface FailedModel {
  readonly model: Model;
  readonly reason: string;
}

type Asked = Pick<HollowRequest, "wallMm" | "featureMm" | "accuracy">;

/** Each model on all threads, a few models at a time; what differs neither in its solid nor in scale and holes once. */
function hollowEach(models: readonly Model[], asked: Asked, kit: Kit): Promise<(HollowedModel | FailedModel)[]> {
  const known = new Map<string, Promise<HollowResult>>();
  const hollow = async (model: Model, number: number): Promise<HollowedModel | FailedModel> => {
    const { solid, holes } = model.hollowed ?? { solid: model.mesh, holes: [] };
    const { scale } = model.pose;
    const share = { request: { ...asked, mesh: solid, scale }, number, of: models.length };
    const compute = () => hollowInSlabs(share, holes, kit);
    try {
      return { model, result: await remembered(known, JSON.stringify([solid.hash, scale, holes]), compute) };
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === "OPERATION_FAILED") return { model, reason: thrown.message };
      throw thrown;
    }
  };
  return Array.fromAsync(ahead(models.length, (number) => hollow(models[number]!, number)));
}

const remadeOf = ({ model, result: { mesh, holes } }: HollowedModel) => ({
  model,
  mesh,
  hollowed: { solid: model.hollowed?.solid ?? model.mesh, holes },
});

const CHECK_THEM =
  "Check the models that were not hollowed with /v1/scene/model/validate/manifoldness/ and repair them with /v1/scene/model/repair/.";

const failureOf = ({ model, reason }: FailedModel): string => `"${model.name}" was not hollowed: ${reason}`;

/** Models told of in an error; more would hide the way out. */
const MOST_TOLD = 5;

function allFailed(failed: readonly FailedModel[]): string {
  const more = failed.length > MOST_TOLD ? [`${failed.length - MOST_TOLD} more were not either.`] : [];
  return [...failed.slice(0, MOST_TOLD).map(failureOf), ...more, CHECK_THEM].join(" ");
}

function infosOf({ model: { name, hollowed }, result }: HollowedModel): string[] {
  const { voxelMm, wantedMm, cavities, holes } = result;
  const infos: string[] = [];
  if (hollowed) infos.push(`"${name}" was hollow already: it was hollowed anew from its solid.`);
  if (holes.length > 0) infos.push(`The holes of "${name}" were drilled again: ${holes.length}.`);
  const missed = (hollowed?.holes.length ?? 0) - holes.length;
  if (missed > 0) infos.push(`Holes of "${name}" that no longer meet it are gone: ${missed}.`);
  if (voxelMm > wantedMm) {
    const [coarse, fine] = [voxelMm, wantedMm].map((mm) => mm.toFixed(3));
    infos.push(`"${name}" is large for its walls: it was worked out in steps of ${coarse} mm in place of ${fine} mm.`);
  }
  if (cavities > 1) {
    infos.push(
      `The hollow of "${name}" is in ${cavities} parts: drill holes into each of them with /v1/scene/model/drill/.`,
    );
  }
  return infos;
}
