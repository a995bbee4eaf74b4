import * as v from "valibot";
import { operationFailed, withErrorPrefixAsync } from "../../core/api-error.ts";
import { paired } from "../../core/paired.ts";
import { runStepwise } from "../../core/steps.ts";
import { STEPS_PER_DEGREE, poseKey, roundedAngles, shortestRotation } from "../../geometry/pose.ts";
import { sceneBodies } from "../../scene/body-clusters.ts";
import { checkGroups } from "../../scene/check-groups.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import { internMesh, withHollowed, withMesh, requirePlainMeshes } from "../../scene/model-mesh.ts";
import { cornerOnWire } from "../../scene/on-wire.ts";
import { type Model, type Scene, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import {
  coordinateMm,
  count,
  idsOf,
  modelIds,
  modifiedModelIds,
  positionReply,
  sceneId,
  uuid,
  warningsReply,
} from "../../api/schema.ts";
import { drainHoleReply } from "../drill/hole-fields.ts";
import { REACH_MM } from "../check/printability-endpoints.ts";
import { type DrainHole, rawHole } from "../drill/endpoint.ts";
import { mapDistinct, updateOutlines } from "../mesh-tasks.ts";
import { ventModelTask } from "./task.ts";
import type { Vent, VentRequest, VentedModel } from "./vent-model.ts";

const lengthMm = v.pipe(coordinateMm, v.gtValue(0));

/** Where a hole begins outside of the surface: the default of `drill`. */
const OUTSET_MM = 1;
/** A working value: viscous resins drain through it. It is not proven on a printer. */
const DIAMETER_MM = 2.5;

export const ventModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/vent/",
    summary:
      "Drills holes that vent the cups of models, from the end of each cup at the platform on the shortest straight way out that keeps a wall of a diameter to edges, and counts the cups again. Holes avoid areas that supports must never touch, and touchpoints; supports stay unless a hole takes away what a tip holds. Supports and other models are not considered as walls of cups.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      diameter_mm: field(v.optional(lengthMm, DIAMETER_MM), "Diameter of the holes in mm."),
      max_length_mm: field(v.optional(lengthMm, 30), "Largest length of a hole in mm."),
      dry_run: field(v.optional(v.boolean(), false), "Whether the holes are only returned, and no model is changed."),
    }),
    reply: object({
      drain_holes: field(
        v.array(drainHoleReply("Always false: these holes get no plugs.")),
        "The holes, as `drill` takes them.",
      ),
      vented_cup_count: field(count, "Number of cups that are gone."),
      unvented: field(
        v.array(
          object({
            model_id: field(uuid, "Id of the model of the cup."),
            point: field(positionReply, "Point at the lower end of the cup in the scene."),
            reason: field(v.string(), "Why it has no hole, as text for people."),
          }),
        ),
        "Cups that are left.",
      ),
      modified_model_ids: modifiedModelIds,
      warnings: warningsReply,
    }),
  },
  async (scene, { model_ids, diameter_mm, max_length_mm, dry_run }, context) => {
    const limits = { diameterMm: diameter_mm, maxLengthMm: max_length_mm };
    const models = selectModels(scene, model_ids);
    requirePlainMeshes(models);
    const found = await ventAll(models, scene, limits, context);
    requireVented(found);
    const changed = found.filter(({ result }) => result.vents.length > 0);
    const holes = changed.map(({ result }) => result.vents.map((vent) => drainHoleOf(vent, diameter_mm)));
    const answer = {
      drain_holes: holes.flat(),
      vented_cup_count: found.reduce((sum, { result }) => sum + Math.max(0, result.cupsBefore - result.cupsAfter), 0),
      unvented: found.flatMap(({ model, result }) =>
        result.unvented.map(({ point, reason }) => ({ model_id: model.id, point: cornerOnWire(point), reason })),
      ),
      modified_model_ids: dry_run ? [] : idsOf(changed.map(({ model }) => model)),
    };
    if (dry_run || changed.length === 0) return [scene, answer];
    const vented = paired(changed, holes).map(([one, ofModel]) => ventedModel(one, ofModel));
    return [replaceModels(scene, await updateOutlines(vented, scene.setting, context)), answer];
  },
);

interface VentingResult {
  readonly model: Model;
  readonly result: VentedModel;
}

/** Finds the vents of each model alone, on all threads. Equal models at equal places are computed once. */
async function ventAll(
  models: readonly Model[],
  scene: Scene,
  limits: Pick<VentRequest, "diameterMm" | "maxLengthMm">,
  context: RequestContext,
): Promise<VentingResult[]> {
  // Powder carries parts: there are no cups.
  if (scene.setting.printerType.family === "powder") return [];
  const { volume } = scene.setting.printerType;
  const boundariesMm = await runStepwise(layerBoundariesOf(scene));
  const requests: { readonly model: Model; readonly input: VentRequest; readonly key: string }[] = [];
  for (const model of models) {
    const bodies = sceneBodies([{ ...model, supports: undefined }]);
    const [groups] = await runStepwise(checkGroups({ bodies, boundariesMm, volume }, REACH_MM.CUPS));
    // Models outside of the volume are not printed there, and have no cups.
    if (!groups) continue;
    const keepOut = {
      never: (model.supportPlan?.areas ?? []).flatMap(({ mode, shape }) => (mode === "NEVER" ? [shape] : [])),
      touched: (model.supports?.touchpoints ?? []).map(({ position }) => position),
    };
    requests.push({
      model,
      input: { group: groups.placed, keepOut, ...limits },
      key: JSON.stringify([groups.placedKey, poseKey(model.mesh.hash, model.pose), keepOut]),
    });
  }
  const results = await mapDistinct(
    requests,
    ({ key }) => key,
    ({ model, input }, share) =>
      withErrorPrefixAsync(`${quotedName(model)} cannot be vented`, () =>
        context.compute(ventModelTask, { input, ...share }),
      ),
  );
  return paired(requests, results).map(([{ model }, result]) => ({ model, result }));
}

/** Throws OPERATION_FAILED if there are cups and none of them is vented. */
function requireVented(found: readonly VentingResult[]): void {
  const [first] = found.flatMap(({ model, result }) => result.unvented.map(({ reason }) => ({ model, reason })));
  if (!first || found.some(({ result }) => result.cupsAfter < result.cupsBefore)) return;
  throw operationFailed(
    `No cup can be vented, and nothing was changed. A cup of ${quotedName(first.model)}: ${first.reason}. Turn the model, or drill holes by hand.`,
  );
}

const drainHoleOf = ({ position, direction, depthMm }: Vent, diameterMm: number) => ({
  orientation: roundedAngles(shortestRotation([0, 0, -1], direction), STEPS_PER_DEGREE),
  position: cornerOnWire(position),
  diameter_mm: diameterMm,
  depth_mm: depthMm,
  outset_mm: OUTSET_MM,
  create_plug: false,
});

/** The model with its holes. Supports stay unless a hole takes away what a tip of them holds. */
function ventedModel({ model, result }: VentingResult, holes: readonly DrainHole[]): Model {
  const { hollowed, supports } = model;
  const source = hollowed && { ...hollowed, holes: [...hollowed.holes, ...holes.map((hole) => rawHole(hole, model))] };
  const drilled = withHollowed(withMesh(model, internMesh(result.mesh)), source);
  const isHeld = supports !== undefined && !result.vents.some(({ meetsTip }) => meetsTip);
  return {
    ...drilled,
    ...(isHeld && { supports, lostSupports: undefined }),
  };
}
