import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import type { PowderProfile } from "../../catalog/profile-types.ts";
import { inputError, operationFailed } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { type Lock, MAX_MODELS, PACKING_MODES } from "../../core/model-options.ts";
import type { ChamberRequest, PackRequest, Packing } from "../../pack/pack-chamber.ts";
import type { AllowedTurns } from "../../pack/turns.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { cageByMember } from "../../scene/cages.ts";
import { selectModels } from "../../scene/find.ts";
import { withPose } from "../../scene/pose.ts";
import { type Model, type Scene, printedBodies, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../endpoint.ts";
import { requireFamily } from "../preconditions.ts";
import { coordinateMm, idsOf, modelIds, modifiedReply, sceneId } from "../schema.ts";
import { filledReply } from "./layout.ts";
import { MAX_COPIES } from "./crud.ts";
import { updateOutlines } from "./mesh-tasks.ts";

/** The turns that the lock of a model allows to packing (interface, "lock values"). */
export const TURNS: Readonly<Record<Lock, AllowedTurns>> = {
  FREE: "all",
  LOCKED_XY_FLIP_ENABLED: "z-and-flip",
  LOCKED_XY_ROTATION_FREE_TRANSLATION: "z",
  LOCKED_ROTATION_FREE_TRANSLATION: "none",
  FULLY_LOCKED: "none",
};

const modelSpacingMm = v.optional(v.pipe(coordinateMm, v.minValue(0)));

export const packBody = v.strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  model_spacing_mm: modelSpacingMm,
  packing_mode: v.optional(v.picklist(PACKING_MODES), "BALANCED"),
});

export const autoPack = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-pack/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Packs models into the chamber, as low as they come, turned where their locks allow. BALANCED (default) tilts large level faces, keeps sections even and thick bodies apart as far as the top rises by at most 10 %; HEIGHT does not. Cages and their parts stay as they are. Each model can be taken out by moves without turns once those above it are out.",
    body: packBody,
    reply: modifiedReply,
    async: true,
  },
  (scene, body, context) => packModels(scene, body, context),
);

/** What requests of `/v1/` leave to the program. */
export interface PackOptions {
  /** From the sides of the chamber, mm; by default that of the material. */
  readonly wallDistanceMm?: number | undefined;
}

export async function packModels(
  scene: Scene,
  { model_ids, model_spacing_mm, packing_mode }: v.InferOutput<typeof packBody>,
  context: RequestContext,
  { wallDistanceMm }: PackOptions = {},
): Promise<[Scene, v.InferInput<typeof modifiedReply>]> {
  requireFamily(scene, "powder");
  const caged = cageByMember(scene);
  const moving = selectModels(scene, model_ids).filter(({ id, lock }) => lock !== "FULLY_LOCKED" && !caged.has(id));
  const chamber = chamberOf(scene, moving, { modelSpacing: model_spacing_mm, wallDistanceMm });
  const parts = moving.map(({ mesh, pose, lock }) => ({ mesh, pose, turns: TURNS[lock] }));
  const { poses, placed } = bestPacking(await packings({ ...chamber, parts, mode: packing_mode }, context));
  if (placed < moving.length) {
    throw operationFailed(
      `Of ${moving.length} models ${placed} fit in the chamber, ${chamber.spacingMm} mm apart: nothing was moved. ` +
        "Name fewer models, delete some, use a smaller model_spacing_mm or a larger machine, or let more models turn with the lock FREE.",
    );
  }
  // All have found a place.
  const moved = await updateOutlines(
    moving.map((model, i) => withPose(model, poses[i]!)),
    scene.setting,
    context,
  );
  return [replaceModels(scene, moved), { modified_model_ids: idsOf(moved) }];
}

/** Packings of up to so many parts are made twice, in different orders, at the same time. */
const MAX_STARTED_TWICE = 300;

/** Packings that the threads make at the same time. */
function packings(request: PackRequest, { compute }: RequestContext): Promise<Packing[]> {
  const starts = request.parts.length <= MAX_STARTED_TWICE ? 2 : 1;
  return Promise.all(
    Array.from({ length: starts }, (_, start) =>
      compute("packChamber", { input: { ...request, start }, index: start, count: starts }),
    ),
  );
}

/** The best of packings of the same parts: with the most parts, then as low as the mode wants, then the lowest, then the first. */
export function bestPacking(packings: readonly Packing[]): Packing {
  const most = Math.max(...packings.map(({ placed }) => placed));
  const full = packings.filter(({ placed }) => placed === most);
  const highestMm = Math.min(...full.map((packing) => packing.highestMm));
  const low = full.filter(({ heightMm }) => heightMm <= highestMm);
  return (low.length > 0 ? low : full).reduce((best, one) => (one.heightMm < best.heightMm ? one : best));
}

export const fillChamberBody = v.strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  fill_to_height_mm: v.optional(v.pipe(coordinateMm, v.gtValue(0))),
  model_spacing_mm: modelSpacingMm,
});

export const fillBuildChamber = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/fill-build-chamber/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Adds copies of the models in turn and packs them up to the given height, until no other fits. The models count as first copies and are moved where their locks allow. Cages and their parts stay as they are.",
    body: fillChamberBody,
    reply: filledReply,
    async: true,
  },
  (scene, body, context) => fillChamber(scene, body, context),
);

/** `wallDistanceMm` as in {@link PackOptions}. */
export async function fillChamber(
  scene: Scene,
  body: v.InferOutput<typeof fillChamberBody>,
  context: RequestContext,
  wallDistanceMm?: number,
): Promise<[Scene, v.InferInput<typeof filledReply>]> {
  requireFamily(scene, "powder");
  const caged = cageByMember(scene);
  const sources = selectModels(scene, body.model_ids).filter(({ id }) => !caged.has(id));
  const chamber = chamberOf(scene, sources, {
    modelSpacing: body.model_spacing_mm,
    wallDistanceMm,
    heightMm: body.fill_to_height_mm,
  });
  const filling = await context.compute("fillChamber", {
    ...chamber,
    sources: sources.map(({ mesh, pose, lock }) => ({
      mesh,
      pose,
      turns: TURNS[lock],
      moves: lock !== "FULLY_LOCKED",
    })),
    maxCopies: Math.min(MAX_COPIES, MAX_MODELS - scene.models.length),
  });
  const homeless = sources.find((_, i) => filling.sources[i].pose === undefined);
  if (homeless) {
    throw operationFailed(
      `The model ${quotedName(homeless)} does not fit in the chamber up to ${chamber.region.max[2]} mm beside the others, ` +
        `${chamber.spacingMm} mm apart: nothing was changed. Use a greater fill_to_height_mm or a smaller model_spacing_mm, or name fewer models.`,
    );
  }
  // Every source has a pose.
  const moved = sources.map((model, i) => withPose(model, filling.sources[i].pose!));
  const copies = sources.map((model, i) =>
    filling.sources[i].copies.map((pose) => withPose({ ...model, id: newId() }, pose)),
  );
  const placed = await updateOutlines([...moved, ...copies.flat()], scene.setting, context);
  const next = appendModels(replaceModels(scene, placed.slice(0, moved.length)), placed.slice(moved.length));
  return [next, { results: sources.map(({ id }, i) => ({ source_model_id: id, new_model_ids: idsOf(copies[i]) })) }];
}

/** Least distances of packed models in a powder scene. */
export const packingDistances = ({ setting }: Scene): PowderProfile["packing"] =>
  // Powder scenes have powder profiles.
  (profileOf(setting) as PowderProfile).packing;

interface ChamberOptions {
  readonly modelSpacing: number | undefined;
  readonly wallDistanceMm: number | undefined;
  readonly heightMm?: number | undefined;
}

/** The chamber of a powder scene up to a height, with all models but the moving ones as obstacles. */
function chamberOf(
  scene: Scene,
  moving: readonly Model[],
  { modelSpacing, wallDistanceMm, heightMm = Infinity }: ChamberOptions,
): ChamberRequest {
  const distances = packingDistances(scene);
  const {
    dimensionsMm: [x, y, z],
    filletRadiusMm,
  } = scene.setting.printerType.volume;
  if (wallDistanceMm !== undefined && 2 * wallDistanceMm >= Math.min(x, y))
    throw inputError(`A distance of ${wallDistanceMm} mm from the walls leaves no room in the chamber.`);
  const selected = new Set(moving);
  return {
    obstacles: scene.models
      .filter((model) => !selected.has(model))
      .flatMap(printedBodies)
      .map(({ mesh, pose }) => ({ mesh, pose })),
    region: { min: [-x / 2, -y / 2, 0], max: [x / 2, y / 2, Math.min(z, heightMm)], filletRadiusMm },
    spacingMm: modelSpacing ?? distances.spacingMm,
    wallDistanceMm: wallDistanceMm ?? distances.wallDistanceMm,
  };
}
