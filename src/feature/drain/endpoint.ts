import { profileOf } from "../../catalog/profile.ts";
import { operationFailed, withErrorPrefixAsync } from "../../core/api-error.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import { runStepwise } from "../../core/steps.ts";
import { STEPS_PER_DEGREE, poseKey, roundedAngles, shortestRotation } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { sceneBodies } from "../../scene/body-clusters.ts";
import { checkGroups } from "../../scene/check-groups.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import { internMesh, withHollowed, withMesh, requirePlainMeshes } from "../../scene/model-mesh.ts";
import { cornerOnWire } from "../../scene/on-wire.ts";
import { placeNewModel } from "../../scene/placement.ts";
import { type Model, type Scene, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { idsOf } from "../../api/schema.ts";
import { REACH_MM } from "../check/printability-endpoints.ts";
import { DEFAULT_OUTSET_MM, PLUG_CLEARANCE_MM, plugsOf } from "../drill/endpoint.ts";
import { mapDistinct, replaceMeshes, updateOutlines } from "../mesh-tasks.ts";
import { areaOf } from "../support-plan/areas-on-wire.ts";
import { type DrainBody, drainBody, drainReply } from "./drain-fields.ts";
import type { DrainRequest, DrainedModel, DrilledHole } from "./drain-model.ts";
import { drainModelTask } from "./task.ts";

export const drainModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-drain/",
    summary:
      "Drills the fewest holes by which every cavity of models drains and breathes in its print pose: vents at the ends of cups at the platform, drains at the ends of pools at the film. Holes avoid protected areas, areas that supports must never touch, and supports, which stay. Closed cavities of less than 0.03 ml are filled. The layers of the drilled model with its supports prove it, from the platform up and from the top down; what stays closed is listed with its reason. A model is drained alone, without its neighbours. Drain models after hollowing and orienting, and before supports, from which holes keep away; hollowing again drops these holes.",
    async: true,
    body: drainBody,
    reply: drainReply,
  },
  async (scene, body, context) => {
    const selected = selectModels(scene, body.model_ids);
    requirePlainMeshes(selected);
    const found = await drainAll(selected, scene, body, context);
    requireDrained(found);
    const changed = found.filter(({ model, result }) => result.mesh !== model.mesh && isChanged(result));
    const answer = answerOf(found, body.plugs);
    if (body.dry_run || changed.length === 0) return [scene, { ...answer, plugs: [], modified_model_ids: [] }];
    const models = await updateOutlines(changed.map(drainedModel), scene.setting, context);
    const plugs = await replaceMeshes(changed.flatMap(plugsOf), scene.setting, context);
    const drilledIds = changed.flatMap(({ model, result }) => result.plugs.map(() => model.id));
    const next = appendModels(
      replaceModels(scene, models),
      plugs.map((plug) => placeNewModel(plug, scene.setting)),
    );
    const plugsReply = paired(plugs, drilledIds).map(([{ id }, drilledId]) => ({
      plug_model_id: id,
      drilled_model_id: drilledId,
    }));
    return [next, { ...answer, plugs: plugsReply, modified_model_ids: idsOf(models) }];
  },
);

interface DrainResult {
  readonly model: Model;
  readonly result: DrainedModel;
}

const isChanged = ({ holes, filled }: DrainedModel): boolean => holes.length + filled.length > 0;

const MM3_PER_ML = 1000;

/** Drains each model alone, on all threads. Equal models at equal places are computed once. */
async function drainAll(
  models: readonly Model[],
  scene: Scene,
  body: DrainBody,
  context: RequestContext,
): Promise<DrainResult[]> {
  // Powder carries parts: it is taken out of cavities in other ways, and there are no cups.
  if (scene.setting.printerType.family === "powder") return [];
  const { volume } = scene.setting.printerType;
  const raised = body.before_supports ? models.map((model) => raisedModel(model, scene)) : models;
  const boundariesMm = await runStepwise(layerBoundariesOf(replaceModels(scene, raised)));
  const options = {
    diametersMm: { vent: body.vent_diameter_mm, drain: body.drain_diameter_mm },
    maxPoolMm3: MM3_PER_ML * body.max_pool_ml,
    ...(body.plugs && { plugGapMm: PLUG_CLEARANCE_MM }),
  };
  const requests: { readonly model: Model; readonly input: DrainRequest; readonly key: string }[] = [];
  for (const model of raised) {
    const [groups] = await runStepwise(
      checkGroups({ bodies: sceneBodies([model]), boundariesMm, volume }, REACH_MM.CUPS),
    );
    // Models outside of the volume are not printed there, and have no cups.
    if (!groups) continue;
    const keepOut = keepOutOf(model, body);
    const key = JSON.stringify([groups.placedKey, poseKey(model.mesh.hash, model.pose), keepOut]);
    requests.push({ model, input: { group: groups.placed, keepOut, ...options }, key });
  }
  const results = await mapDistinct(
    requests,
    ({ key }) => key,
    ({ model, input }, share) =>
      withErrorPrefixAsync(`${quotedName(model)} cannot be drained`, () =>
        context.compute(drainModelTask, { input, ...share }),
      ),
  );
  const given = new Map(models.map((model) => [model.id, model]));
  return paired(requests, results).map(([{ model: drained }, result]) => {
    const model = must(given.get(drained.id), "A drained model");
    return { model, result: movedResult(result, model.pose.position[2] - drained.pose.position[2]) };
  });
}

/** A model with as much air below it as on supports; the model itself if it has supports. */
function raisedModel(model: Model, { setting }: Scene): Model {
  const profile = profileOf(setting);
  if (model.supports || profile.family === "powder") return model;
  const [x, y, z] = model.pose.position;
  return { ...model, pose: { ...model.pose, position: [x, y, z + profile.supports.heightAboveRaftMm] } };
}

/** The result for the model at a height that differs by this. */
function movedResult(result: DrainedModel, upMm: number): DrainedModel {
  const moved = ([x, y, z]: Vec3): Vec3 => [x, y, z + upMm];
  return {
    ...result,
    holes: result.holes.map((hole) => ({ ...hole, position: moved(hole.position) })),
    filled: result.filled.map((one) => ({ ...one, point: moved(one.point) })),
    left: result.left.map((one) => ({ ...one, point: moved(one.point) })),
  };
}

function keepOutOf(model: Model, { protected_areas }: DrainBody): DrainRequest["keepOut"] {
  const own = (model.supportPlan?.areas ?? []).flatMap(({ mode, shape }) => (mode === "NEVER" ? [shape] : []));
  // Holes depend on the places of areas alone, so that normals need not be found.
  const given = protected_areas.map((shape) => areaOf({ mode: "NEVER", shape }, model, () => [0, 0, 1]).shape);
  return {
    never: [...own, ...given],
    touched: (model.supports?.touchpoints ?? []).map(({ position }) => position),
  };
}

/** Throws OPERATION_FAILED if something is sealed and nothing could be done about any of it. */
function requireDrained(found: readonly DrainResult[]): void {
  const [first] = found.flatMap(({ model, result }) => result.left.map((left) => ({ model, left })));
  if (!first || found.some(({ result }) => isChanged(result))) return;
  const what = first.left.sealing === "CUP" ? "cup" : "pool";
  throw operationFailed(
    `No cavity can be drained, and nothing was changed. A ${what} of ${quotedName(first.model)}: ${first.left.reason}. Turn the model, use smaller diameters, or drill holes by hand.`,
  );
}

function answerOf(found: readonly DrainResult[], plugs: boolean) {
  const ml = (mm3: number): number => Math.round(1e6 * mm3) / 1e9;
  const largest = (of: (result: DrainedModel) => number): number =>
    ml(found.reduce((most, { result }) => Math.max(most, of(result)), 0));
  const left = found.flatMap(({ model, result }) => result.left.map((space) => ({ model, space })));
  return {
    holes: found.flatMap(({ model, result }) =>
      result.holes.map((hole) => ({ model_id: model.id, kind: hole.kind, drain_hole: holeOnWire(hole, plugs) })),
    ),
    filled: found.flatMap(({ model, result }) =>
      result.filled.map(({ point, volumeMm3 }) => ({
        model_id: model.id,
        point: cornerOnWire(point),
        volume_ml: ml(volumeMm3),
      })),
    ),
    proof: {
      sealed_before: found.reduce((sum, { result }) => sum + result.sealedBefore, 0),
      cup_count: left.filter(({ space }) => space.sealing === "CUP").length,
      pool_count: left.filter(({ space }) => space.sealing === "POOL").length,
      largest_cup_ml: largest(({ largestCupMm3 }) => largestCupMm3),
      largest_pool_ml: largest(({ largestPoolMm3 }) => largestPoolMm3),
    },
    left: left.map(({ model, space: { sealing, volumeMm3, point, reason } }) => ({
      model_id: model.id,
      kind: sealing,
      point: cornerOnWire(point),
      volume_ml: ml(volumeMm3),
      reason,
    })),
    warnings: found.flatMap(({ model, result }) => {
      const [largestLeft] = result.left;
      if (!largestLeft) return [];
      const { length } = result.left;
      return [
        `${quotedName(model)} still has ${length} closed ${length === 1 ? "space" : "spaces"}; the largest of ${ml(largestLeft.volumeMm3)} ml: ${largestLeft.reason}. Turn the model, use smaller diameters, or drill holes by hand.`,
      ];
    }),
  };
}

const holeOnWire = ({ position, direction, depthMm, diameterMm }: DrilledHole, create_plug: boolean) => ({
  orientation: roundedAngles(shortestRotation([0, 0, -1], direction), STEPS_PER_DEGREE),
  position: cornerOnWire(position),
  diameter_mm: diameterMm,
  depth_mm: depthMm,
  outset_mm: DEFAULT_OUTSET_MM,
  create_plug,
});

/**
 * The model with its holes. Supports stay, because holes keep off them. The holes are not added to those of a hollowed model: when it is hollowed again,
 * its cavities are others.
 */
function drainedModel({ model, result }: DrainResult): Model {
  const { hollowed, supports, lostSupports } = model;
  return { ...withHollowed(withMesh(model, internMesh(result.mesh)), hollowed), supports, lostSupports };
}
