import * as v from "valibot";
import { ApiError, inputError, operationFailed, withErrorPrefix } from "../../core/api-error.ts";
import { mapConcurrent } from "../../core/map-concurrent.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import { INFILL_KINDS, type InfillRule } from "../../mesh/mesh.ts";
import { requirePlainMeshes } from "../../scene/model-mesh.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import type { Hole } from "../../solid/drill/bore.ts";
import type { HollowRequest } from "../../solid/hollow/hollow-plan.ts";
import type { HollowResult } from "./hollow-model.ts";
import type { BatchItem } from "../../worker/task.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import type { Compute } from "../../worker/compute.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { coordinateMm, ids, idsOf, infosList, modelIds, sceneId, warningsList } from "../../api/schema.ts";
import { computeChunks } from "../chunk-tasks.ts";
import { replaceMeshes } from "../mesh-tasks.ts";
import {
  composeCavityTask,
  extractCavitySurfaceTask,
  fillCavityTask,
  hollowModelTask,
  planHollowTask,
} from "./task.ts";

const MIN_WALL_MM = 0.1;
const MIN_FEATURE_MM = 0.05;
const MAX_FEATURE_MM = 1;
const DEFAULT_ACCURACY = 0.5;
/** Infill reaches a little into walls, and would come out of thinner ones. */
const MIN_FILLED_WALL_MM = 0.5;
/** Thicker walls leave no arches between the feet of infill. */
const MIN_CELL_WALLS = 6;
/** Drains of 3.5 mm open into narrower spaces. */
const MIN_DRAINED_CELL_MM = 4;

const lengthMm = (least: number, most: number, standard: number) =>
  v.optional(v.pipe(v.number(), v.minValue(least), v.maxValue(most)), standard);

const infillSchema = strictObject({
  kind: field(
    v.picklist(INFILL_KINDS),
    "The pattern. GYROID, SCHWARZ_P and SCHWARZ_D are walls along a periodic surface: GYROID carries itself best while it is printed, SCHWARZ_D is the densest. STRUTS are the diagonals of a body-centred cubic lattice: they use least resin, and leave one space.",
  ),
  cell_size_mm: field(
    lengthMm(1, 100, 6),
    "Side of a cell in mm, in the scene whatever the scale of the model. At least 6 walls.",
  ),
  wall_thickness_mm: field(
    lengthMm(0.1, 10, 0.6),
    "Mean thickness of the walls of infill in mm, or diameter of its struts.",
  ),
  clearance_mm: field(
    lengthMm(0, 20, 1.5),
    "Greatest height in mm of the arches through which resin flows between the walls of infill at floors and roofs. 0 for none: then spaces stay closed. STRUTS need no arches, and have none.",
  ),
});

export const hollowModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/hollow/",
    summary:
      "Hollows models to walls of the given thickness. Regions thinner than two walls stay solid, and regions of the cavity narrower than feature_size_mm are filled. A model that was hollowed before is hollowed again from its original solid, and its holes are drilled again. Models must be closed manifolds. Models that fail are listed in warnings and stay unchanged.",
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      wall_thickness_mm: field(v.pipe(coordinateMm, v.minValue(MIN_WALL_MM)), "Thickness of the walls in mm."),
      feature_size_mm: field(
        v.optional(
          v.pipe(
            v.number(),
            v.minValue(MIN_FEATURE_MM),
            v.transform((mm) => Math.min(mm, MAX_FEATURE_MM)),
          ),
          MAX_FEATURE_MM,
        ),
        "Width in mm below which regions of the cavity are filled; values above 1 count as 1.",
      ),
      accuracy: field(
        v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), DEFAULT_ACCURACY),
        "How closely the cavity follows the surface, from 0 (quick) to 1 (fine).",
      ),
      infill: field(
        v.optional(infillSchema),
        "Walls along a periodic surface, or struts, that fill the cavity. They are sliced, and not part of the mesh. No infill if absent.",
      ),
    }),
    reply: object({
      hollowed_model_ids: field(ids, "Ids of the models that were hollowed."),
      unhollowed_model_ids: field(ids, "Ids of the models that could not be hollowed and stay unchanged."),
      warnings: warningsList,
      infos: infosList,
    }),
    async: true,
  },
  async (scene, { model_ids, wall_thickness_mm, feature_size_mm, accuracy, infill }, context) => {
    const rule = infill && infillRuleOf(infill, wall_thickness_mm);
    // Unlike other endpoints, this one does not answer NOT_FOUND for an unknown model (interface, "hollow").
    const selected = withErrorPrefix("INPUT_ERROR", "Nothing was hollowed", () => selectModels(scene, model_ids));
    if (selected.length === 0) throw operationFailed("There is no model to hollow: import one first.");
    requirePlainMeshes(selected);
    const options = { wallMm: wall_thickness_mm, featureMm: feature_size_mm, accuracy, infill: rule };
    const outcomes = await hollowAll(selected, options, context);
    const hollowed = outcomes.filter((outcome) => "result" in outcome);
    const failed = outcomes.filter((outcome) => "reason" in outcome);
    if (hollowed.length === 0) throw operationFailed(allFailedMessage(failed));
    const models = await replaceMeshes(hollowed.map(meshReplacementOf), scene.setting, context);
    const answer = {
      hollowed_model_ids: idsOf(models),
      unhollowed_model_ids: failed.map(({ model }) => model.id),
      warnings: [...(failed.length > 0 ? [...failed.map(failureMessage), REPAIR_HINT] : []), ...infillWarnings(rule)],
      infos: hollowed.flatMap(infosOf),
    };
    return [replaceModels(scene, models), answer];
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

interface HollowOptions extends Pick<HollowRequest, "wallMm" | "featureMm" | "accuracy"> {
  readonly infill: InfillRule | undefined;
}

function infillRuleOf(infill: v.InferOutput<typeof infillSchema>, wallMm: number): InfillRule {
  const { kind, cell_size_mm, wall_thickness_mm, clearance_mm } = infill;
  if (wallMm < MIN_FILLED_WALL_MM) {
    throw inputError(
      `Walls of ${wallMm} mm are too thin for infill: wall_thickness_mm is at least ${MIN_FILLED_WALL_MM} with infill.`,
    );
  }
  if (cell_size_mm < MIN_CELL_WALLS * wall_thickness_mm) {
    throw inputError(
      `Infill of cells of ${cell_size_mm} mm has too little room for ${kind === "STRUTS" ? "struts" : "walls"} of ${wall_thickness_mm} mm: infill.cell_size_mm is at least ${MIN_CELL_WALLS} times infill.wall_thickness_mm.`,
    );
  }
  return { kind, cellMm: cell_size_mm, wallMm: wall_thickness_mm, clearanceMm: kind === "STRUTS" ? 0 : clearance_mm };
}

const infillWarnings = (rule: InfillRule | undefined): string[] =>
  rule && rule.cellMm < MIN_DRAINED_CELL_MM
    ? [
        `Resin leaves cells of ${rule.cellMm} mm slowly: infill.cell_size_mm of at least ${MIN_DRAINED_CELL_MM} mm suits drain holes of 3.5 mm.`,
      ]
    : [];

/**
 * Hollows the models on all threads. Models with the same solid, scale and holes are computed once. One model per thread runs at once,
 * half as many as `mapDistinct` starts: each model occupies all threads by itself and holds the voxels of its cavity.
 */
function hollowAll(
  models: readonly Model[],
  options: HollowOptions,
  context: RequestContext,
): Promise<(HollowedModel | FailedModel)[]> {
  const known = new Map<string, Promise<HollowResult>>();
  const hollow = async (model: Model, index: number): Promise<HollowedModel | FailedModel> => {
    const { solid, holes } = model.hollowed ?? { solid: model.mesh, holes: [] };
    const { scale } = model.pose;
    const { infill, ...plan } = options;
    const item = { input: { ...plan, mesh: solid, scale }, index, count: models.length };
    const compute = () => hollowInSlabs(item, { holes, infill }, context);
    try {
      return { model, result: await getOrInsert(known, JSON.stringify([solid.hash, scale, holes]), compute) };
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === "OPERATION_FAILED") return { model, reason: thrown.message };
      throw thrown;
    }
  };
  return Array.fromAsync(
    mapConcurrent(
      models.length,
      (index) => hollow(must(models[index], "A model"), index),
      context.tasksAtOnce(fillCavityTask, Infinity),
    ),
  );
}

const meshReplacementOf = ({ model, result: { mesh, holes, infill } }: HollowedModel) => ({
  model,
  mesh,
  hollowed: { solid: model.hollowed?.solid ?? model.mesh, holes, infill },
});

const REPAIR_HINT =
  "Check the models that were not hollowed with /v1/scene/model/validate/manifoldness/ and repair them with /v1/scene/model/repair/.";

const failureMessage = ({ model, reason }: FailedModel): string => `${quotedName(model)} was not hollowed: ${reason}`;

/** Most models that the error lists. */
const MAX_LISTED_FAILURES = 5;

function allFailedMessage(failed: readonly FailedModel[]): string {
  const more =
    failed.length > MAX_LISTED_FAILURES
      ? [`${failed.length - MAX_LISTED_FAILURES} more models were not hollowed.`]
      : [];
  return [...failed.slice(0, MAX_LISTED_FAILURES).map(failureMessage), ...more, REPAIR_HINT].join(" ");
}

function infosOf({ model, result }: HollowedModel): string[] {
  const { hollowed } = model;
  const name = quotedName(model);
  const { voxelMm, wantedMm, cavities, holes } = result;
  const infos: string[] = [];
  if (hollowed) infos.push(`${name} was hollow already: it was hollowed again from its solid.`);
  if (holes.length > 0) infos.push(`The holes of ${name} were drilled again: ${holes.length}.`);
  const missed = (hollowed?.holes.length ?? 0) - holes.length;
  if (missed > 0) infos.push(`Holes of ${name} that no longer meet it were removed: ${missed}.`);
  if (voxelMm > wantedMm) {
    const [coarse, fine] = [voxelMm, wantedMm].map((mm) => mm.toFixed(3));
    infos.push(`${name} is large for its walls: it was computed in voxels of ${coarse} mm instead of ${fine} mm.`);
  }
  if (cavities > 1) {
    infos.push(
      `The hollow of ${name} is in ${cavities} parts: drill holes into each of them with /v1/scene/model/drill/.`,
    );
  }
  return infos;
}

/** Processor time of the slabs of a cavity per voxel, ms. */
const SLAB_MS_PER_VOXEL = 1e-4;

/** Hollows a solid on all threads and drills the holes into it. The result does not depend on the number of threads. */
async function hollowInSlabs(
  { input, ...share }: BatchItem<HollowRequest>,
  { holes, infill }: { readonly holes: readonly Hole[]; readonly infill: InfillRule | undefined },
  context: Compute,
): Promise<HollowResult> {
  const plan = await context.compute(planHollowTask, { input, ...share });
  const slabs = {
    count: plan.bounds.length - 1,
    inputOf: (slab: number) => ({ input: { plan, slab }, ...share }),
    workMs: SLAB_MS_PER_VOXEL * plan.workVoxels,
  };
  await Array.fromAsync(computeChunks(fillCavityTask, slabs, context));
  await context.compute(composeCavityTask, { input: plan, ...share });
  const surfaces = await Array.fromAsync(computeChunks(extractCavitySurfaceTask, slabs, context));
  return context.compute(hollowModelTask, { input: { plan, surfaces, holes, infill }, ...share });
}
