import * as v from "valibot";
import { inputError } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import type { Lock } from "../../geometry/pose-lock.ts";
import { orientationScaleKey } from "../../geometry/pose.ts";
import type { ModelSilhouette } from "../../layout/part.ts";
import { MAX_MODELS } from "../../core/limits.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import { add, mapVec3 } from "../../geometry/vector.ts";
import type { Setting } from "../../catalog/setting.ts";
import { partVolume } from "../../catalog/shrink-factors.ts";
import { movesBeside } from "../../scene/beside-volume.ts";
import { sceneBox } from "../../scene/placement.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { withLayoutPlace, withPose } from "../../scene/pose.ts";
import { type Model, type Scene, printedBodies, quotedName } from "../../scene/project.ts";
import type { TaskInput } from "../../worker/task.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import {
  coordinateMm,
  idsOf,
  modelIds,
  modifiedReply,
  newModelsOfEach,
  overflow,
  sceneId,
  unplacedModelIds,
  warningsReply,
} from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { MAX_COPIES } from "../models/endpoint.ts";
import { mapDistinct, updateOutlines } from "../mesh-tasks.ts";
import { computeSilhouetteTask, fillFloorTask, layOutTask } from "./task.ts";

/** Enough for resin to run off between parts, and for a scraper. A third of the default of a common slicer, so that more parts fit. */
const DEFAULT_SPACING_MM = 2;

const modelSpacingMm = v.optional(v.pipe(coordinateMm, v.minValue(0)), DEFAULT_SPACING_MM);

/** Whether the lock of a model lets layout rotate it about z (interface, "lock values"). */
export const mayRotate = (lock: Lock): boolean =>
  lock !== "FULLY_LOCKED" && lock !== "LOCKED_ROTATION_FREE_TRANSLATION";

const bound = v.optional(coordinateMm);
const customBounds = strictObject({
  x_min_mm: field(bound, "Left bound in mm."),
  x_max_mm: field(bound, "Right bound in mm."),
  y_min_mm: field(bound, "Front bound in mm."),
  y_max_mm: field(bound, "Back bound in mm."),
});

type CustomBounds = v.InferOutput<typeof customBounds>;
type Bounds = TaskInput<typeof layOutTask>["bounds"];

export const layoutBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  mode: field(
    v.optional(v.picklist(["DENTAL"])),
    "DENTAL rotates dental arches so that they nest; if absent, models are placed by their shape.",
  ),
  model_spacing_mm: field(modelSpacingMm, "Least distance between models in mm."),
  allow_overlapping_supports: field(v.optional(v.boolean(), false), "Whether supports of different models may touch."),
  lock_rotation: field(v.optional(v.boolean(), false), "Whether models keep their rotation about z."),
  custom_bounds: field(
    v.optional(customBounds, {}),
    "Part of the platform to use. Absent bounds are those of the platform.",
  ),
  overflow,
});

/** The reply of a request with {@link overflow}. */
export const laidOutReply = object({ ...modifiedReply.entries, unplaced_model_ids: unplacedModelIds });

export const autoLayout = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-layout/",
    errors: ["UNSUPPORTED_SCENE"],
    summary: "Arranges models on the platform without overlaps and rotates them about z if their lock allows it.",
    body: layoutBody,
    reply: laidOutReply,
    async: true,
    check: checkBounds,
  },
  (scene, body, context) => layOutModels(scene, body, context),
);

/** `marginMm` is the least distance from the sides of the platform. */
export async function layOutModels(
  scene: Scene,
  body: v.InferOutput<typeof layoutBody>,
  context: RequestContext,
  marginMm = 0,
): Promise<[Scene, v.InferInput<typeof laidOutReply>]> {
  requireFamily(scene, "resin");
  const bounds = withMargin(boundsOf(body.custom_bounds), scene, marginMm);
  const moving = selectModels(scene, body.model_ids).filter(({ lock }) => lock !== "FULLY_LOCKED");
  const staying = scene.models.filter((model) => !moving.includes(model));
  const silhouettes = await silhouettesOf([...moving, ...staying], context);
  const places = await context.compute(layOutTask, {
    volume: partVolume(scene.setting),
    bounds,
    spacingMm: body.model_spacing_mm,
    overlappingSupports: body.allow_overlapping_supports,
    dental: body.mode === "DENTAL",
    models: paired(moving, silhouettes.slice(0, moving.length)).map(([model, silhouette]) => ({
      ...silhouette,
      name: quotedName(model),
      turns: !body.lock_rotation && mayRotate(model.lock),
    })),
    obstacles: silhouettes.slice(moving.length),
    isPartial: body.overflow === "BESIDE",
  });
  const unplaced = moving.filter((_, i) => places[i] === undefined);
  const beside = besideVolume(unplaced, staying, scene.setting, body.model_spacing_mm);
  const placed = paired(moving, places).flatMap(([model, place]) => (place ? [withLayoutPlace(model, place)] : []));
  const moved = await updateOutlines([...placed, ...beside], scene.setting, context);
  return [
    replaceModels(scene, moved),
    {
      modified_model_ids: idsOf(moving),
      ...(body.overflow === "BESIDE" && { unplaced_model_ids: idsOf(unplaced) }),
    },
  ];
}

/** The models in rows beside the build volume. */
function besideVolume(
  models: readonly Model[],
  others: readonly Model[],
  { printerType: { volume } }: Setting,
  gapMm: number,
): Model[] {
  const moves = movesBeside(models.map(sceneBox), others.map(sceneBox), volume, gapMm);
  return paired(models, moves).map(([model, move]) =>
    withPose(model, { ...model.pose, position: add(model.pose.position, move) }),
  );
}

/** Throws INPUT_ERROR if custom bounds are empty. */
export function checkBounds({ custom_bounds }: { readonly custom_bounds: CustomBounds }): void {
  boundsOf(custom_bounds);
}

/** The bounds within the platform less the margin. Throws INPUT_ERROR if nothing is left. */
function withMargin({ minX, maxX, minY, maxY }: Bounds, { setting }: Scene, marginMm: number): Bounds {
  const [halfX, halfY] = mapVec3(partVolume(setting).dimensionsMm, (size) => size / 2 - marginMm);
  if (halfX <= 0 || halfY <= 0) throw inputError(`A margin of ${marginMm} mm leaves no room on the platform.`);
  return {
    minX: Math.max(-halfX, minX ?? -Infinity),
    maxX: Math.min(halfX, maxX ?? Infinity),
    minY: Math.max(-halfY, minY ?? -Infinity),
    maxY: Math.min(halfY, maxY ?? Infinity),
  };
}

function boundsOf({ x_min_mm: minX, x_max_mm: maxX, y_min_mm: minY, y_max_mm: maxY }: CustomBounds): Bounds {
  for (const [axis, min, max] of [
    ["x", minX, maxX],
    ["y", minY, maxY],
  ] as const) {
    if (min === undefined || max === undefined || min < max) continue;
    throw inputError(
      `custom_bounds are empty along ${axis}: ${axis}_min_mm ${min} is not below ${axis}_max_mm ${max}.`,
    );
  }
  return { minX, maxX, minY, maxY };
}

export const fillPlatformBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  model_spacing_mm: field(modelSpacingMm, "Least distance between models in mm."),
  lock_rotation: field(v.optional(v.boolean(), false), "Whether models keep their rotation about z."),
});

export const filledReply = object({
  results: newModelsOfEach,
  warnings: warningsReply,
});

export const fillBuildPlatform = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/fill-build-platform/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Adds copies of the models, one of each in turn, until no further copy fits on the platform. Models are moved to make room. The error for a model that is too large for the platform names it.",
    body: fillPlatformBody,
    reply: filledReply,
    async: true,
  },
  (scene, body, context) => fillScenePlatform(scene, body, context),
);

/** `marginMm` as in {@link layOutModels}. */
export async function fillScenePlatform(
  scene: Scene,
  { model_ids, model_spacing_mm, lock_rotation }: v.InferOutput<typeof fillPlatformBody>,
  context: RequestContext,
  marginMm = 0,
): Promise<[Scene, v.InferInput<typeof filledReply>]> {
  requireFamily(scene, "resin");
  const bounds = withMargin({}, scene, marginMm);
  const sources = selectModels(scene, model_ids);
  const staying = scene.models.filter((model) => !sources.includes(model));
  const silhouettes = await silhouettesOf([...sources, ...staying], context);
  const { places } = await context.compute(fillFloorTask, {
    volume: partVolume(scene.setting),
    bounds,
    spacingMm: model_spacing_mm,
    maxCopies: Math.min(MAX_COPIES, MAX_MODELS - scene.models.length),
    sources: paired(sources, silhouettes.slice(0, sources.length)).map(([model, silhouette]) => ({
      ...silhouette,
      name: quotedName(model),
      turns: !lock_rotation && mayRotate(model.lock),
      moves: model.lock !== "FULLY_LOCKED",
    })),
    obstacles: silhouettes.slice(sources.length),
  });
  const layouts = paired(sources, places);
  const copies = layouts.map(([model, place]) =>
    place.copies.map((copyPlace) => withLayoutPlace({ ...model, id: newId() }, copyPlace)),
  );
  const moved = layouts.map(([model, place]) => withLayoutPlace(model, place.source));
  const placed = await updateOutlines([...moved, ...copies.flat()], scene.setting, context);
  const next = appendModels(replaceModels(scene, placed.slice(0, moved.length)), placed.slice(moved.length));
  const results = paired(sources, copies).map(([{ id }, made]) => ({
    source_model_id: id,
    new_model_ids: idsOf(made),
  }));
  return [next, { results }];
}

/** The silhouettes of models and their supports. */
async function silhouettesOf(models: readonly Model[], context: RequestContext): Promise<ModelSilhouette[]> {
  const bodies = models.flatMap(printedBodies);
  const regions = await mapDistinct(
    bodies,
    ({ mesh, pose }) => orientationScaleKey(mesh.hash, pose),
    ({ mesh, pose }, share) => context.compute(computeSilhouetteTask, { input: { mesh, pose }, ...share }),
  );
  const byBody = new Map(
    paired(bodies, regions).map(([body, region]) => [body, { position: body.pose.position, region }]),
  );
  return models.map((model) => ({
    ...must(byBody.get(model), "The silhouette of a model"),
    supports: model.supports && byBody.get(model.supports),
  }));
}
