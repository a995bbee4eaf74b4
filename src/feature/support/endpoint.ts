import * as v from "valibot";
import { boxSize } from "../../geometry/box.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import type { SupportDefaults } from "../../catalog/profile-types.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/api-error.ts";
import { camelKeys } from "../../core/json.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { RAFT_TYPES } from "../../catalog/raft-type.ts";
import { type Pose, orientationScaleKey } from "../../geometry/pose.ts";
import { type Vec3, add } from "../../geometry/vector.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { layerThicknessOf } from "../../scene/layers.ts";
import { internMesh } from "../../scene/model-mesh.ts";
import { bodyBox, isInBounds, placeModel } from "../../scene/placement.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import type { SupportRequest, SupportedModel } from "../../support/support-model.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";
import type { SupportSettings } from "../../support/support-settings.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { idsOf, modelIds, modifiedModelIds, sceneId, warningsList } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { supportWarnings } from "./support-warnings.ts";
import { refitSupports, supportModel } from "./task.ts";

const between = (min: number, max: number) => v.optional(v.pipe(v.number(), v.minValue(min), v.maxValue(max)));
const atLeastZero = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const flag = v.optional(v.boolean());

/** The support settings that a request may change. */
const settingFields = {
  density: field(
    atLeastZero,
    "Number of touchpoints relative to the usual number; that of the print setting if absent.",
  ),
  slope_multiplier: field(
    atLeastZero,
    "Number of touchpoints on slopes relative to the usual number; that of the print setting if absent.",
  ),
  only_minima: field(
    flag,
    "Whether only minima are supported: places where a part begins in mid-air; as in the print setting if absent.",
  ),
  raft_type: field(
    v.optional(v.picklist(RAFT_TYPES)),
    "Shape of the plate on the platform; that of the print setting if absent.",
  ),
  raft_label_enabled: field(
    flag,
    "Whether the raft has the name of the model on it; as in the print setting if absent.",
  ),
  breakaway_structure_enabled: field(
    flag,
    "Whether pillars have a narrow neck above the raft, at which they break; as in the print setting if absent.",
  ),
  internal_supports_enabled: field(
    flag,
    "Whether pillars that cannot reach the platform may stand on the model; as in the print setting if absent.",
  ),
  touchpoint_size_mm: field(between(0.1, 5), "Diameter of touchpoints in mm; that of the print setting if absent."),
  raft_thickness_mm: field(between(0, 10), "Thickness of the raft in mm; that of the print setting if absent."),
  height_above_raft_mm: field(
    between(0, 50),
    "Height of the model above the raft in mm; that of the print setting if absent.",
  ),
  z_compression_correction_mm: field(
    between(0, 5),
    "Thickness by which the raft is raised in mm, because the first layers are compressed; that of the print setting if absent.",
  ),
  early_layer_merge_mm: field(
    between(0, 5),
    "Height over which the first layers count as merged in mm, so that shapes stay vertical; that of the print setting if absent.",
  ),
};

const supportedReply = object({ modified_model_ids: modifiedModelIds, warnings: warningsList });

export const autoSupport = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-support/",
    errors: ["UNSUPPORTED_SCENE"],
    summary: "Generates supports. Omitted fields have the values of the scene's print setting.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      ...settingFields,
    }),
    reply: supportedReply,
  },
  async (scene, body, context) => {
    requireFamily(scene, "resin");
    const models = selectModels(scene, body.model_ids);
    const { scene_id: _scene, model_ids: _models, ...changes } = body;
    // Fields that the request omits are absent, not undefined. Printers of the resin family have support settings.
    const settings = { ...supportSettingsOf(scene.setting)!, ...(camelKeys(changes) as Partial<SupportDefaults>) };
    const targets = models.map((model) => ({ model, settings }));
    const supported = await supportModels(targets, scene.setting, context);
    return [replaceModels(scene, supported.models), supported.answer];
  },
);

export const regenerateSupports = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/regenerate-supports/",
    errors: ["UNSUPPORTED_SCENE"],
    summary: "Rebuilds the supports of models that have supports. Touchpoints and settings are kept.",
    async: true,
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: supportedReply,
  },
  async (scene, { model_ids }, context) => {
    requireFamily(scene, "resin");
    const targets = selectModels(scene, model_ids).flatMap((model) =>
      model.supports ? { model, settings: model.supports.settings, touchpoints: model.supports.touchpoints } : [],
    );
    const supported = await supportModels(targets, scene.setting, context);
    return [replaceModels(scene, supported.models), supported.answer];
  },
);

/** A model to support. */
interface SupportTarget {
  readonly model: Model;
  readonly settings: SupportSettings;
  /** In the coordinates of the raw mesh. Without them, touchpoints are chosen. */
  readonly touchpoints?: readonly Touchpoint[];
}

interface SupportedModels {
  readonly models: readonly Model[];
  readonly answer: v.InferOutput<typeof supportedReply>;
}

/**
 * Builds the supports of models on all threads. Models that differ only in their place share the supports of a free-standing
 * model. Where only the raft of these would leave the build volume, it ends at the rim; where more would, supports are routed from the same
 * touchpoints for the place of the model. Those of a single model near the edge are routed there at once.
 */
export async function supportModels(
  targets: readonly SupportTarget[],
  setting: Setting,
  context: Pick<RequestContext, "compute">,
): Promise<SupportedModels> {
  const { volume } = setting.printerType;
  for (const { model } of targets) requirePrintableSize(model, volume);
  // Computed at the first use, since a single model near the edge of the platform may need none.
  const freeStanding = new Map<string, Promise<SupportedModel>>();
  const requests = targets.map((target) => freeRequestOf(target, setting));
  const keys = requests.map(keyOf);
  const alike = Map.groupBy(keys, (key) => key);
  async function supportThere(target: SupportTarget, index: number): Promise<SupportedModel> {
    const { model } = target;
    const compute = (input: SupportRequest): Promise<SupportedModel> =>
      context.compute(supportModel, { input, index, count: targets.length });
    const computeThere = (touchpoints = target.touchpoints) =>
      compute({
        ...requestOf({ ...target, ...(touchpoints && { touchpoints }) }, model.pose.position, setting),
        volume,
      });
    const isInside = (result: SupportedModel): boolean =>
      isInBounds(bare(withSupports(target, result, setting)), setting);
    const [x, y] = model.pose.position;
    if (alike.get(keys[index])!.length === 1 && isNearEdge(model, volume) && isInBounds(bare(model), setting)) {
      const there = await computeThere();
      if (isInside(there)) return there;
    }
    const free = await getOrInsert(freeStanding, keys[index], () => compute(requests[index]));
    const moved = translated(free, [x, y, 0]);
    const onlySupportsLeave = isInside(moved) && !isInBounds(withSupports(target, moved, setting), setting);
    if (!onlySupportsLeave) return moved;
    const refitted = await refit(free, [x, y], index);
    if (refitted) return { ...moved, ...refitted };
    const there = await computeThere(free.supports?.touchpoints);
    // Close to the rim other touchpoints may be reachable.
    return target.touchpoints || holdsAsMuch(there, free) ? there : computeThere();
  }
  /**
   * Free-standing supports with a smaller raft, for a position where the raft would leave the volume; undefined if more than the raft
   * would.
   */
  async function refit(
    { skeleton, supports }: SupportedModel,
    offset: readonly [x: number, y: number],
    index: number,
  ): Promise<Pick<SupportedModel, "supports" | "isLoose"> | undefined> {
    if (!skeleton || !supports) return undefined;
    const input = { skeleton, offset, volume };
    const made = await context.compute(refitSupports, { input, index, count: targets.length });
    if (!made) return undefined;
    const { isLoose, ...body } = made;
    return { supports: { ...supports, ...body }, isLoose };
  }
  const results = await mapDistinct(
    targets.map((target, index) => ({ target, index })),
    ({ target: { model }, index }) => [...model.pose.position.slice(0, 2), keys[index]].join(" "),
    ({ target, index }) => supportThere(target, index),
  );
  const models = targets.map((target, i) => withSupports(target, results[i], setting));
  const warnings = models.flatMap((model, i) => supportWarnings(model, results[i], setting));
  return { models, answer: { modified_model_ids: idsOf(models), warnings } };
}

const holdsAsMuch = (there: SupportedModel, free: SupportedModel): boolean =>
  there.unreached.length <= free.unreached.length && there.weaknesses.length <= free.weaknesses.length;

const bare = (model: Model): Model => ({ ...model, supports: undefined });

/** Pillars lean out by at most this, mm; rafts are hardly wider. */
const NEAR_EDGE_MM = 10;

function isNearEdge(model: Model, { dimensionsMm }: BuildVolume): boolean {
  const { min, max } = bodyBox(model);
  return [0, 1].some((axis) => Math.max(-min[axis], max[axis]) + NEAR_EDGE_MM > dimensionsMm[axis] / 2);
}

/** Larger models are rejected: they cannot be printed, and the computation has no limit of time. Multiple of the volume. */
const MAX_SIZE_RATIO = 2;

function requirePrintableSize(model: Model, { dimensionsMm }: BuildVolume): void {
  const size = boxSize(bodyBox(model));
  if (size.every((mm, axis) => mm <= MAX_SIZE_RATIO * dimensionsMm[axis])) return;
  throw operationFailed(
    `The model ${quotedName(model)} measures ${size.map((mm) => mm.toFixed(0)).join(" × ")} mm and is far larger than the build ` +
      `volume of ${dimensionsMm.join(" × ")} mm: scale it down, or change its units. Nothing was changed.`,
  );
}

function requestOf({ model, settings, touchpoints }: SupportTarget, position: Vec3, setting: Setting): SupportRequest {
  const { mesh, outline, pose, name } = model;
  const thickness = layerThicknessOf(setting);
  return {
    placed: { mesh, pose: { ...pose, position } },
    outline,
    settings,
    layerThicknessMm: typeof thickness === "number" ? thickness : thickness.minMm,
    label: name,
    ...(touchpoints && { touchpoints }),
  };
}

/** The request for the model in the middle of the platform. */
const freeRequestOf = (target: SupportTarget, setting: Setting): SupportRequest =>
  requestOf(target, [0, 0, target.model.pose.position[2]], setting);

/** Equal for models whose supports differ in their place only. */
function keyOf({ placed: { mesh, pose }, settings, label, touchpoints }: SupportRequest): string {
  const printedLabel = settings.raftLabelEnabled ? label : "";
  return JSON.stringify([orientationScaleKey(mesh.hash, pose), settings, printedLabel, touchpoints]);
}

const translated = (
  { pose, supports, unreached, weaknesses, slender, isLoose }: SupportedModel,
  offset: Vec3,
): SupportedModel => ({
  pose: { ...pose, position: add(pose.position, offset) },
  ...(supports && {
    supports: { ...supports, pose: { ...supports.pose, position: add(supports.pose.position, offset) } },
  }),
  unreached: unreached.map((place) => add(place, offset)),
  weaknesses: weaknesses.map((weakness) => ({ ...weakness, point: add(weakness.point, offset) })),
  slender: slender.map((place) => add(place, offset)),
  isLoose,
});

function withSupports({ model, settings }: SupportTarget, { pose, supports }: SupportedModel, setting: Setting): Model {
  const [x, y] = model.pose.position;
  const lifted: Pose = { ...model.pose, position: [x, y, pose.position[2]] };
  const internedSupports = supports && { ...supports, mesh: internMesh(supports.mesh), settings };
  return placeModel({ ...model, pose: lifted, supports: internedSupports }, setting);
}

/** The support settings of a print setting. Undefined for powder, which carries the parts. */
export function supportSettingsOf(setting: Setting): SupportSettings | undefined {
  const profile = profileOf(setting);
  if (profile.family === "powder") return undefined;
  const { supports, selfSupportingAngleDeg, bridgingDistanceMm } = profile;
  return { ...supports, selfSupportingAngleDeg, bridgingDistanceMm };
}
