import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import type { PowderProfile } from "../../catalog/profile-types.ts";
import { type ApiError, inputError, operationFailed } from "../../core/api-error.ts";
import { MAX_MODELS } from "../../core/limits.ts";
import type { Lock } from "../../geometry/pose-lock.ts";
import { bestFilling } from "./best-filling.ts";
import { PACKING_MODES, bestPacking } from "./best-packing.ts";
import type { ChamberRequest } from "../../pack/pack-chamber.ts";
import type { AllowedTurns } from "../../pack/turns.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { isCage } from "../../scene/cages.ts";
import { type Scene, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, strictObject } from "../../api/field.ts";
import { coordinateMm, idsOf, modelIds, modifiedReply, sceneId } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { filledReply } from "../layout/endpoint.ts";
import { MAX_COPIES } from "../models/endpoint.ts";
import { updateOutlines } from "../mesh-tasks.ts";
import { type PackUnit, copyAt, membersAt, obstaclesBeside, packUnitsOf } from "./pack-units.ts";
import { fillWithCopies, packChamber } from "./task.ts";

/** The turns that the lock of a model allows to packing (interface, "lock values"). */
export const TURNS: Readonly<Record<Lock, AllowedTurns>> = {
  FREE: "all",
  LOCKED_XY_FLIP_ENABLED: "z-and-flip",
  LOCKED_XY_ROTATION_FREE_TRANSLATION: "z",
  LOCKED_ROTATION_FREE_TRANSLATION: "none",
  FULLY_LOCKED: "none",
};

const modelSpacingMm = v.optional(v.pipe(coordinateMm, v.minValue(0)));

export const packBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  model_spacing_mm: field(modelSpacingMm, "Least distance between models in mm; that of the print setting if absent."),
  packing_mode: field(
    v.optional(v.picklist(PACKING_MODES), "BALANCED"),
    "HEIGHT: the lowest packing. BALANCED: tilted, evened out and spread, at most 10 % higher.",
  ),
});

export const autoPack = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-pack/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Packs models into the chamber, as low as they come, turned where their locks allow. BALANCED (default) tilts large level faces, keeps sections even and thick bodies apart as far as the top rises by at most 10 %; HEIGHT gives the lowest packing that was found. A cage is packed as one body, with its lattice and its parts. Each model can be taken out by moves without turns once those above it are out.",
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
  const moving = packUnitsOf(scene, model_ids).filter(({ isFixed }) => !isFixed);
  const chamber = chamberOf(scene, moving, { modelSpacing: model_spacing_mm, wallDistanceMm });
  const parts = moving.map(partOf);
  const packed = await bestPacking({ ...chamber, parts, mode: packing_mode }, (input, share) =>
    context.compute(packChamber, { input, ...share }),
  );
  if (packed.tooLarge) throw tooLargeError(moving[packed.tooLarge.part], packed.tooLarge.byMm, chamber);
  const { poses, placed } = packed;
  if (placed < moving.length) {
    throw operationFailed(
      `Of ${moving.length} models ${placed} fit in the chamber, ${chamber.spacingMm} mm apart: nothing was moved. ` +
        "Name fewer models, delete some, use a smaller model_spacing_mm or a larger machine, or let more models turn with the lock FREE.",
    );
  }
  // All have found a place.
  const moved = await updateOutlines(
    moving.flatMap((unit, i) => membersAt(scene, unit, poses[i]!)),
    scene.setting,
    context,
  );
  const cages = moving.map(({ entry }) => entry).filter(isCage);
  return [replaceModels(scene, moved), { modified_model_ids: idsOf([...moved, ...cages]) }];
}

const nameOf = ({ entry }: PackUnit): string =>
  isCage(entry) ? `The cage "${entry.name}"` : `The model ${quotedName(entry)}`;

/** OPERATION_FAILED that names a unit which is too large for the chamber, and by how much. */
function tooLargeError(
  unit: PackUnit,
  byMm: number,
  { region: { min, max }, wallDistanceMm }: ChamberRequest,
): ApiError {
  const size = max.map((end, axis) => end - min[axis] - (axis < 2 ? 2 * wallDistanceMm : 0));
  const mayTurn = isCage(unit.entry) || unit.entry.lock === "FREE";
  return operationFailed(
    `${nameOf(unit)} is too large for the chamber: the ${size.map((mm) => Number(mm.toFixed(1))).join(" × ")} mm within its walls ` +
      `are ${Math.ceil(100 * byMm) / 100} mm too short for it${isCage(unit.entry) ? "" : ", however its lock lets it turn"}. Nothing was moved. ` +
      `Leave it out of model_ids, scale it down${mayTurn ? "" : ", set its lock to FREE"}, or use a larger machine.`,
  );
}

/** A unit as packing takes it. Cages are moved, but not turned: their parts may have locks. */
const partOf = ({ entry, body: { mesh, pose } }: PackUnit) => ({
  mesh,
  pose,
  turns: isCage(entry) ? ("none" as const) : TURNS[entry.lock],
});

export const fillChamberBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  fill_to_height_mm: field(
    v.optional(v.pipe(coordinateMm, v.gtValue(0))),
    "Height above the platform up to which the chamber is filled, in mm; the height of the chamber if absent.",
  ),
  model_spacing_mm: field(modelSpacingMm, "Least distance between models in mm; that of the print setting if absent."),
});

export const fillBuildChamber = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/fill-build-chamber/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Adds copies of the models in turn and packs them up to the given height, until no other fits. The models count as first copies and are moved where their locks allow. A cage is copied and packed as one body; each of its members has a result of its own.",
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
  const sources = packUnitsOf(scene, body.model_ids);
  const chamber = chamberOf(scene, sources, {
    modelSpacing: body.model_spacing_mm,
    wallDistanceMm,
    heightMm: body.fill_to_height_mm,
  });
  const mostMembers = sources.reduce((most, { members }) => Math.max(most, members.length + 1), 1);
  const room = MAX_MODELS - scene.models.length - scene.cages.length;
  const filling = await bestFilling(
    {
      ...chamber,
      sources: sources.map((unit) => ({ ...partOf(unit), moves: !unit.isFixed })),
      maxCopies: Math.min(
        MAX_COPIES,
        sources.some(({ entry }) => isCage(entry)) ? Math.floor(room / mostMembers) : room,
      ),
    },
    (input, share) => context.compute(fillWithCopies, { input, ...share }),
  );
  if (filling.tooLarge) throw tooLargeError(sources[filling.tooLarge.part], filling.tooLarge.byMm, chamber);
  const homeless = sources.find((_, i) => filling.sources[i].pose === undefined);
  if (homeless) {
    throw operationFailed(
      `${nameOf(homeless)} does not fit in the chamber up to ${chamber.region.max[2]} mm beside the others, ` +
        `${chamber.spacingMm} mm apart: nothing was changed. Use a greater fill_to_height_mm or a smaller model_spacing_mm, or name fewer models.`,
    );
  }
  // Every source has a pose.
  const moved = sources.flatMap((unit, i) => membersAt(scene, unit, filling.sources[i].pose!));
  const copies = sources.map((unit, i) => filling.sources[i].copies.map((pose) => copyAt(scene, unit, pose)));
  const made = copies.flat();
  const placed = await updateOutlines([...moved, ...made.flatMap(({ models }) => models)], scene.setting, context);
  const next = appendModels(
    replaceModels(scene, placed.slice(0, moved.length)),
    placed.slice(moved.length),
    made.flatMap(({ cages }) => cages),
  );
  const results = sources.flatMap(({ entry, members }, i) =>
    (isCage(entry) ? [...members, entry] : members).map(({ id }) => ({
      source_model_id: id,
      // Each copy has one of every member.
      new_model_ids: copies[i].map(({ idOf }) => idOf.get(id)!),
    })),
  );
  return [next, { results }];
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

/** The chamber of a powder scene up to a height, with all but the moving units as obstacles. */
function chamberOf(
  scene: Scene,
  moving: readonly PackUnit[],
  { modelSpacing, wallDistanceMm, heightMm = Infinity }: ChamberOptions,
): ChamberRequest {
  const distances = packingDistances(scene);
  const {
    dimensionsMm: [x, y, z],
    filletRadiusMm,
  } = scene.setting.printerType.volume;
  if (wallDistanceMm !== undefined && 2 * wallDistanceMm >= Math.min(x, y))
    throw inputError(`A distance of ${wallDistanceMm} mm from the walls leaves no room in the chamber.`);
  return {
    obstacles: obstaclesBeside(scene, moving),
    region: { min: [-x / 2, -y / 2, 0], max: [x / 2, y / 2, Math.min(z, heightMm)], filletRadiusMm },
    spacingMm: modelSpacing ?? distances.spacingMm,
    wallDistanceMm: wallDistanceMm ?? distances.wallDistanceMm,
  };
}
