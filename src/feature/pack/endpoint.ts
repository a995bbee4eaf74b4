import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import type { PowderProfile } from "../../catalog/profile-types.ts";
import { type ApiError, inputError, operationFailed } from "../../core/api-error.ts";
import { MAX_MODELS } from "../../core/limits.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import { unionBoxes } from "../../geometry/box.ts";
import type { Pose } from "../../geometry/pose.ts";
import { add, mapVec3 } from "../../geometry/vector.ts";
import { movesBeside } from "../../scene/beside-volume.ts";
import { sceneBox } from "../../scene/placement.ts";
import type { Lock } from "../../geometry/pose-lock.ts";
import { bestFilling } from "./best-filling.ts";
import { PACKING_MODES, type PackingMode, bestPacking } from "./best-packing.ts";
import type { ChamberRequest, Packing } from "../../pack/pack-chamber.ts";
import type { AllowedTurns } from "../../pack/turns.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { isCage } from "../../scene/cages.ts";
import { type Scene, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, strictObject } from "../../api/field.ts";
import { coordinateMm, idsOf, modelIds, overflow, sceneId } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { filledReply, laidOutReply } from "../layout/endpoint.ts";
import { MAX_COPIES } from "../models/endpoint.ts";
import { updateOutlines } from "../mesh-tasks.ts";
import { type PackUnit, copyAt, membersAt, obstaclesBeside, packUnitsOf } from "./pack-units.ts";
import { fillWithCopiesTask, packChamberTask } from "./task.ts";

/** The rotations that the lock of a model allows to packing (interface, "lock values"). */
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
  model_spacing_mm: field(
    modelSpacingMm,
    "Least distance between models in mm; the value of the print setting if absent.",
  ),
  packing_mode: field(
    v.optional(v.picklist(PACKING_MODES), "BALANCED"),
    "HEIGHT: the lowest packing. BALANCED: models tilted, layers evened out, thick bodies spread; at most 10 % higher.",
  ),
  overflow,
});

export const autoPack = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-pack/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Packs models into the chamber as low as possible and rotates them if their locks allow it. BALANCED (default) tilts large level faces, evens out the areas of layers and keeps thick bodies apart, while the top rises by at most 10 %. HEIGHT gives the lowest packing that was found. A cage is packed as one body with its lattice and its parts. Each model can be taken out without rotation once the models above it are out.",
    body: packBody,
    reply: laidOutReply,
    async: true,
  },
  (scene, body, context) => packModels(scene, body, context),
);

/** Options that requests of `/v1/` leave to the program. */
export interface PackOptions {
  /** Least distance from the sides of the chamber, mm; by default that of the material. */
  readonly wallDistanceMm?: number | undefined;
}

export async function packModels(
  scene: Scene,
  { model_ids, model_spacing_mm, packing_mode, overflow: onOverflow }: v.InferOutput<typeof packBody>,
  context: RequestContext,
  { wallDistanceMm }: PackOptions = {},
): Promise<[Scene, v.InferInput<typeof laidOutReply>]> {
  requireFamily(scene, "powder");
  const isPartial = onOverflow === "BESIDE";
  const moving = packUnitsOf(scene, model_ids).filter(({ isFixed }) => !isFixed);
  const chamber = chamberOf(scene, moving, { modelSpacing: model_spacing_mm, wallDistanceMm });
  const poses = await posesInChamber(moving, chamber, { mode: packing_mode, isPartial }, context);
  const unplaced = moving.filter((_, i) => poses[i] === undefined);
  const beside = posesBeside(unplaced, scene, moving, chamber.spacingMm);
  const moved = await updateOutlines(
    [
      ...paired(moving, poses).flatMap(([unit, pose]) => (pose ? membersAt(scene, unit, pose) : [])),
      ...paired(unplaced, beside).flatMap(([unit, pose]) => membersAt(scene, unit, pose)),
    ],
    scene.setting,
    context,
  );
  return [
    replaceModels(scene, moved),
    {
      modified_model_ids: idsOfUnits(moving),
      ...(isPartial && { unplaced_model_ids: idsOfUnits(unplaced) }),
    },
  ];
}

/** Ids of the models of units, then of their cages. */
const idsOfUnits = (units: readonly PackUnit[]): string[] =>
  idsOf([...units.flatMap(({ members }) => members), ...units.map(({ entry }) => entry).filter(isCage)]);

type Pack = (units: readonly PackUnit[]) => Promise<Packing>;

/**
 * The poses of units in the chamber. Throws OPERATION_FAILED unless all fit; with `isPartial`, units that do not fit are undefined instead.
 */
async function posesInChamber(
  moving: readonly PackUnit[],
  chamber: ChamberRequest,
  { mode, isPartial }: { readonly mode: PackingMode; readonly isPartial: boolean },
  context: RequestContext,
): Promise<readonly (Pose | undefined)[]> {
  const pack: Pack = (units) =>
    bestPacking({ ...chamber, parts: units.map(partOf), mode }, (input, share) =>
      context.compute(packChamberTask, { input, ...share }),
    );
  if (isPartial) {
    const poses = await packSmallEnough(moving, pack);
    return moving.map((unit) => poses.get(unit));
  }
  const packed = await pack(moving);
  if (packed.tooLarge) throw tooLargeError(moving, packed.tooLarge, chamber);
  if (packed.placed === moving.length) return packed.poses;
  throw operationFailed(
    `Of ${moving.length} models ${packed.placed} fit in the chamber, ${chamber.spacingMm} mm apart: nothing was moved. ` +
      "Name fewer models, delete some, use a smaller model_spacing_mm or a larger machine, or let more models turn with the lock FREE.",
  );
}

/** The poses of the units that are not too large for the chamber. A unit that is too large is found before any other is placed. */
async function packSmallEnough(units: readonly PackUnit[], pack: Pack): Promise<Map<PackUnit, Pose | undefined>> {
  const { tooLarge, poses } = await pack(units);
  if (!tooLarge) return new Map(paired(units, poses));
  return packSmallEnough(units.toSpliced(tooLarge.part, 1), pack);
}

/** Poses of units in rows beside the chamber. */
function posesBeside(units: readonly PackUnit[], scene: Scene, moving: readonly PackUnit[], gapMm: number): Pose[] {
  const movingModels = new Set(moving.flatMap(({ members }) => members));
  const others = scene.models.filter((model) => !movingModels.has(model));
  const boxes = units.map(({ members }) => members.map(sceneBox).reduce(unionBoxes));
  const moves = movesBeside(boxes, others.map(sceneBox), scene.setting.printerType.volume, gapMm);
  return paired(units, moves).map(
    ([
      {
        body: { pose },
      },
      move,
    ]) => ({ ...pose, position: add(pose.position, move) }),
  );
}

const nameOf = ({ entry }: PackUnit): string =>
  isCage(entry) ? `The cage "${entry.name}"` : `The model ${quotedName(entry)}`;

/** OPERATION_FAILED that names the unit which is too large for the chamber, and by how much. */
function tooLargeError(
  units: readonly PackUnit[],
  { part, byMm }: NonNullable<Packing["tooLarge"]>,
  { region: { min, max }, wallDistanceMm }: ChamberRequest,
): ApiError {
  const unit = must(units[part], "The unit that is too large");
  const size = mapVec3(max, (end, axis) => end - min[axis] - (axis < 2 ? 2 * wallDistanceMm : 0));
  const mayTurn = isCage(unit.entry) || unit.entry.lock === "FREE";
  return operationFailed(
    `${nameOf(unit)} is too large for the chamber: the ${size.map((mm) => Number(mm.toFixed(1))).join(" × ")} mm within its walls ` +
      `are ${Math.ceil(100 * byMm) / 100} mm too short for it${isCage(unit.entry) ? "" : ", however its lock lets it turn"}. Nothing was moved. ` +
      `Leave it out of model_ids, scale it down${mayTurn ? "" : ", set its lock to FREE"}, or use a larger machine.`,
  );
}

/** A unit as input of packing. Cages are moved, but not rotated: their parts may have locks. */
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
  model_spacing_mm: field(
    modelSpacingMm,
    "Least distance between models in mm; the value of the print setting if absent.",
  ),
});

export const fillBuildChamber = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/fill-build-chamber/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Adds copies of the models, one of each in turn, and packs them up to the given height until no further copy fits. The models themselves are moved if their locks allow it. A cage is copied and packed as one body; each of its members has a separate result.",
    body: fillChamberBody,
    reply: filledReply,
    async: true,
  },
  (scene, body, context) => fillSceneChamber(scene, body, context),
);

/** `wallDistanceMm` as in {@link PackOptions}. */
export async function fillSceneChamber(
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
  const filling = await bestFilling(
    {
      ...chamber,
      sources: sources.map((unit) => ({ ...partOf(unit), moves: !unit.isFixed })),
      maxCopies: maxCopiesOf(sources, scene),
    },
    (input, share) => context.compute(fillWithCopiesTask, { input, ...share }),
  );
  if (filling.tooLarge) throw tooLargeError(sources, filling.tooLarge, chamber);
  const filled = paired(sources, filling.sources);
  const moved = filled.flatMap(([unit, { pose }]) => {
    if (!pose) throw noRoomError(unit, chamber);
    return membersAt(scene, unit, pose);
  });
  const copies = filled.map(([unit, { copies: poses }]) => poses.map((pose) => copyAt(scene, unit, pose)));
  const made = copies.flat();
  const placed = await updateOutlines([...moved, ...made.flatMap(({ models }) => models)], scene.setting, context);
  const next = appendModels(
    replaceModels(scene, placed.slice(0, moved.length)),
    placed.slice(moved.length),
    made.flatMap(({ cages }) => cages),
  );
  const results = paired(sources, copies).flatMap(([{ entry, members }, ofUnit]) =>
    (isCage(entry) ? [...members, entry] : members).map(({ id }) => ({
      source_model_id: id,
      new_model_ids: ofUnit.map(({ idOf }) => must(idOf.get(id), "The copy of a member")),
    })),
  );
  return [next, { results }];
}

/** Most copies of units that a scene has room for: the copy of a cage is its members and the container. */
function maxCopiesOf(units: readonly PackUnit[], scene: Scene): number {
  const room = MAX_MODELS - scene.models.length - scene.cages.length;
  const mostMembers = units.reduce((most, { members }) => Math.max(most, members.length + 1), 1);
  return Math.min(MAX_COPIES, units.some(({ entry }) => isCage(entry)) ? Math.floor(room / mostMembers) : room);
}

const noRoomError = (unit: PackUnit, { region, spacingMm }: ChamberRequest): ApiError =>
  operationFailed(
    `${nameOf(unit)} does not fit in the chamber with the others, up to ${region.max[2]} mm and ${spacingMm} mm apart: ` +
      "nothing was changed. Use a greater fill_to_height_mm or a smaller model_spacing_mm, or name fewer models.",
  );

/** Least distances of packed models in a powder scene. */
export const packingDistances = ({ setting }: Pick<Scene, "setting">): PowderProfile["packing"] =>
  // Powder scenes have powder profiles.
  (profileOf(setting) as PowderProfile).packing;

interface ChamberOptions {
  readonly modelSpacing: number | undefined;
  readonly wallDistanceMm?: number | undefined;
  readonly heightMm?: number | undefined;
}

/** The chamber of a powder scene up to a height, with all but the moving units as obstacles. */
const chamberOf = (scene: Scene, moving: readonly PackUnit[], options: ChamberOptions): ChamberRequest => ({
  ...emptyChamber(scene, options),
  obstacles: obstaclesBeside(scene, moving),
});

/** The chamber of a powder setting. */
export function emptyChamber(
  { setting }: Pick<Scene, "setting">,
  { modelSpacing, wallDistanceMm, heightMm = Infinity }: ChamberOptions,
): ChamberRequest {
  const distances = packingDistances({ setting });
  const {
    dimensionsMm: [x, y, z],
    filletRadiusMm,
  } = setting.printerType.volume;
  if (wallDistanceMm !== undefined && 2 * wallDistanceMm >= Math.min(x, y))
    throw inputError(`A distance of ${wallDistanceMm} mm from the walls leaves no room in the chamber.`);
  return {
    obstacles: [],
    region: { min: [-x / 2, -y / 2, 0], max: [x / 2, y / 2, Math.min(z, heightMm)], filletRadiusMm },
    spacingMm: modelSpacing ?? distances.spacingMm,
    wallDistanceMm: wallDistanceMm ?? distances.wallDistanceMm,
  };
}
