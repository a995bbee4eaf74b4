import { createHash } from "node:crypto";
import * as v from "valibot";
import type { HoldCheck } from "../../check/hold.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import { runStepwise, mapSteps } from "../../core/steps.ts";
import { memoize } from "../../core/memoize.ts";
import { paired } from "../../core/paired.ts";
import { wireMm, wirePercent } from "../../scene/wire-numbers.ts";
import { type Pose, poseKey } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Weakness } from "../../hold/hold-walk.ts";
import { selectModels } from "../../scene/find.ts";
import { layerThicknessOf } from "../../scene/layers.ts";
import { cornerOnWire } from "../../scene/on-wire.ts";
import { bodyBox } from "../../scene/placement.ts";
import type { Model } from "../../scene/project.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";
import type { SharedItem } from "../../worker/shared-results.ts";
import type { TaskInput } from "../../worker/task.ts";
import { readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { modelIds, perModelReply, perModelResults, positionReply, sceneId } from "../../api/schema.ts";
import { checkHoldTask } from "./task.ts";

const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

/** An addition of ours (interface supplement, section 8). */
export const validateHold = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/hold/",
    summary:
      "An addition to the interface. Finds the places where a model is not held against the pull of the film during the print. It computes " +
      "the forces and moments in every layer; the tips of the supports and the parts that stand on the platform or the raft hold the model. " +
      "It lists at most 30 places per model, the worst first. In powder, all models are held.",
    async: true,
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: perModelReply(
      object({
        percent_held: field(percent, "Smallest percent_held of the weaknesses; 100 if there is none."),
        weaknesses: field(
          v.array(
            object({
              kind: field(
                v.picklist(["PULL", "LEAN", "NECK", "WOBBLE"]),
                "Cause. PULL: too few tips and too little area on the platform. LEAN: the part overhangs sideways beyond what holds it. NECK: a thin section below breaks. WOBBLE: the part is so tall and thin that it bends aside.",
              ),
              position: field(positionReply, "Point in the scene, in the layer that is not held."),
              percent_held: field(
                percent,
                "Share of the pull of the film that is held there, in percent; for WOBBLE the share of the required stiffness.",
              ),
              neck_height_mm: field(
                v.optional(v.number()),
                "Height above the platform of the thin section that breaks, in mm; for NECK alone.",
              ),
            }),
          ),
          "Places where the model is not held, the worst first; at most 30.",
        ),
      }),
    ),
  },
  async (scene, { model_ids }, context) => {
    const models = selectModels(scene, model_ids);
    if (profileOf(scene.setting).family === "powder") {
      return perModelResults(
        models,
        models.map(() => ({ percent_held: 100, weaknesses: [] })),
      );
    }
    const checks = await runStepwise(mapSteps(models, (model) => checkOf(model, scene.setting), MODELS_PER_STEP));
    const found = await context.computeShared((check, { compute }) => compute(checkHoldTask, check), checks);
    return perModelResults(
      models,
      paired(models, found).map(([{ pose }, weaknesses]) => onWire(weaknesses, pose)),
    );
  },
);

/** Models whose checks are prepared in one step, in a millisecond or two. */
const MODELS_PER_STEP = 512;

/** The check of a model in the middle of the platform: copies elsewhere share it. */
function checkOf(model: Model, setting: Setting): SharedItem<TaskInput<typeof checkHoldTask>> {
  const { mesh, supports } = model;
  const pose = centred(model.pose, model.pose);
  const thickness = layerThicknessOf(setting);
  const { min, max } = bodyBox(model);
  const common: HoldCheck = {
    placed: { mesh, pose },
    bottomMm: min[2],
    topMm: Math.min(max[2], setting.printerType.volume.dimensionsMm[2]),
    layerThicknessMm: typeof thickness === "number" ? thickness : thickness.minMm,
  };
  const { bottomMm, topMm, layerThicknessMm } = common;
  const ownKey = ["hold", poseKey(mesh.hash, pose), bottomMm, topMm, layerThicknessMm].join(" ");
  // The area of the walls: sections follow the outlines of layers.
  const effort = pose.scale ** 2 * mesh.areaMm2;
  if (!supports) return { key: ownKey, input: common, effort };
  const supportsPose = centred(supports.pose, model.pose);
  const { touchpointSizeMm, heightAboveRaftMm } = supports.settings;
  const isOnRaft = heightAboveRaftMm === 0;
  const key = [
    ownKey,
    poseKey(supports.mesh.hash, supportsPose),
    touchpointsKey(supports.touchpoints),
    touchpointSizeMm,
    isOnRaft,
  ].join(" ");
  const touchpoints = supports.touchpoints.map(({ position, sizeMm }) => ({ position, sizeMm }));
  const placed = { mesh: supports.mesh, pose: supportsPose };
  return { key, input: { ...common, supports: { placed, touchpoints, touchpointSizeMm, isOnRaft } }, effort };
}

/** Differences of coordinates have rounding: copies are compared in steps of a picometre. */
const STEPS_PER_MM = 1e9;

/** A pose relative to x and y of another pose. */
function centred(pose: Pose, { position: [x, y] }: Pose): Pose {
  const rounded = (mm: number): number => Math.round(mm * STEPS_PER_MM) / STEPS_PER_MM + 0;
  const position: Vec3 = [rounded(pose.position[0] - x), rounded(pose.position[1] - y), pose.position[2]];
  return { ...pose, position };
}

/** Memoized, because copies of a model share them. */
const touchpointsKey = memoize((touchpoints: readonly Touchpoint[]): string =>
  createHash("sha256")
    .update(JSON.stringify(touchpoints.map(({ position, sizeMm }) => [position, sizeMm])))
    .digest("hex"),
);

/** Largest share of a weakness in a reply, percent: rounding must not show it as held completely. */
const MOST_PERCENT = 99.999;

function onWire(weaknesses: readonly Weakness[], { position: [dx, dy] }: Pose) {
  const found = weaknesses.map(({ kind, point: [x, y, z], heldShare, neckMm }) => ({
    kind,
    position: cornerOnWire([x + dx, y + dy, z]),
    percent_held: Math.min(MOST_PERCENT, wirePercent(100 * heldShare)),
    ...(neckMm !== undefined && { neck_height_mm: wireMm(neckMm) }),
  }));
  return { percent_held: Math.min(100, ...found.map((one) => one.percent_held)), weaknesses: found };
}
