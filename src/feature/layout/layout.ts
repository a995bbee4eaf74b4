import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { paired } from "../../core/paired.ts";
import { type Pose, rotationMatrix } from "../../geometry/pose.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import { fillFloor } from "../../layout/fill-floor.ts";
import { excessOf } from "../../layout/excess.ts";
import { type Floor, floorOf } from "../../layout/floor.ts";
import { layOutParts } from "../../layout/lay-out.ts";
import {
  type ModelSilhouette,
  type PlacedPart,
  type PlatformPlace,
  footprint,
  placedPart,
  platformPlace,
} from "../../layout/part.ts";
import type { Polygons } from "../../geometry/polygon.ts";
import { EMPTY_RECTANGLE, type Rectangle, unionRectangles } from "../../geometry/box.ts";
import { areAllClear } from "../../layout/resolve-overlaps.ts";
import { silhouetteOf } from "../../layout/silhouette.ts";
import type { Mesh } from "../../mesh/mesh.ts";

interface SilhouetteRequest {
  readonly mesh: Mesh;
  readonly pose: Pick<Pose, "orientation" | "scale">;
}

/** The silhouette of a body seen from above, relative to its position. */
export const computeSilhouette = ({ mesh, pose }: SilhouetteRequest, progress: Progress): Polygons =>
  silhouetteOf(mesh, rotationMatrix(pose.orientation), pose.scale, progress);

type NamedSilhouette = ModelSilhouette & { readonly name: string; readonly turns: boolean };

interface LayOutRequest {
  readonly volume: BuildVolume;
  /** Limits of the client within the volume. */
  readonly bounds: { readonly [Side in keyof Rectangle]?: Rectangle[Side] | undefined };
  readonly spacingMm: number;
  readonly overlappingSupports: boolean;
  /** Whether the models are dental arches: placed parallel to the front edge, nested into one another. */
  readonly dental: boolean;
  /** The models to move, their names in messages, and whether they may be turned about z. */
  readonly models: readonly NamedSilhouette[];
  /** The models that keep their places. */
  readonly obstacles: readonly ModelSilhouette[];
  /** Whether models may remain without a place; default false. */
  readonly isPartial?: boolean;
}

/**
 * A place for each model, in the given order. Throws OPERATION_FAILED unless all fit; with `isPartial`, models that do not fit are undefined
 * instead, as few as possible.
 */
export function layOut(request: LayOutRequest, progress: Progress): (PlatformPlace | undefined)[] {
  const { models, spacingMm, overlappingSupports, isPartial = false } = request;
  const floor = floorOf(request.volume, request.bounds);
  if (!isPartial) requireSmallEnough(models, floor, "orient it in another way, or widen custom_bounds");
  const hasSupports = [...models, ...request.obstacles].some(({ supports }) => supports);
  // If supports may overlap, the search may still find a larger layout than without overlap.
  const attempts =
    overlappingSupports && hasSupports
      ? [true, false].map((overlapping, i) =>
          layOutOnce(request, floor, overlapping, progress.part(i / 2, (i + 1) / 2)),
        )
      : [layOutOnce(request, floor, overlappingSupports, progress)];
  const counted = attempts.map((placed) => ({ placed, fitting: placed.filter((one) => one !== undefined) }));
  const { placed, fitting } = counted.reduce((a, b) => (isBetter(b.fitting, a.fitting) ? b : a));
  if (isPartial || fitting.length === models.length) return placed.map((one) => one && platformPlace(one));
  throw operationFailed(
    `Of ${models.length} models ${fitting.length} fit on the platform, ${spacingMm} mm apart: nothing was moved. ` +
      "Name fewer models, delete some, use a smaller model_spacing_mm or wider custom_bounds, or let more models rotate.",
  );
}

/** The placed parts, in the order of the request; undefined for parts that do not fit. */
function layOutOnce(
  { models, obstacles, spacingMm, dental }: LayOutRequest,
  floor: Floor,
  overlappingSupports: boolean,
  progress: Progress,
): readonly (PlacedPart | undefined)[] {
  const parts = models.map((model) => footprint(model, overlappingSupports));
  const fixed = obstacles.map((obstacle) => placedPart(footprint(obstacle, overlappingSupports), obstacle));
  const movable = paired(models, parts).map(([{ turns }, part]) => ({ part, turns }));
  const { placed } = layOutParts({ floor, spacingMm, dental, parts: movable, obstacles: fixed }, progress);
  if (!placed.includes(undefined)) return placed;
  // The current layout may be valid, and denser than any layout that this algorithm finds.
  const present = paired(models, parts).map(([model, part]) => placedPart(part, model));
  return areAllClear(floor, spacingMm, present, fixed) ? present : placed;
}

/** Whether a layout has more parts than another one, or as many in less space. */
const isBetter = (one: readonly PlacedPart[], other: readonly PlacedPart[]): boolean =>
  one.length > other.length || (one.length === other.length && extentMm2(one) < extentMm2(other));

/** The area of the rectangle around all parts. */
function extentMm2(placed: readonly PlacedPart[]): number {
  const { minX, minY, maxX, maxY } = placed
    .map(({ part: { box }, x, y }) => ({
      minX: x + box.minX,
      minY: y + box.minY,
      maxX: x + box.maxX,
      maxY: y + box.maxY,
    }))
    .reduce(unionRectangles, EMPTY_RECTANGLE);
  return Math.round((maxX - minX) * (maxY - minY) * AREA_STEPS) / AREA_STEPS;
}

/** Areas are rounded to this many steps per mm², so that rounding errors do not decide between equal ones. */
const AREA_STEPS = 1000;

/** Throws OPERATION_FAILED, with the missing length, for a model that fits in none of its allowed rotations. */
function requireSmallEnough(models: readonly NamedSilhouette[], { bounds }: Floor, wayOut: string): void {
  const [width, depth] = [bounds.maxX - bounds.minX, bounds.maxY - bounds.minY].map((mm) => mm.toFixed(2));
  for (const model of models) {
    const excess = excessOf(footprint(model, true), model.turns, bounds);
    if (!excess) continue;
    const { byMm, widthMm, depthMm } = excess;
    throw operationFailed(
      `The model ${model.name} is ${roundedUpMm(byMm)} mm too large: it covers ${widthMm.toFixed(2)} × ${depthMm.toFixed(2)} mm ` +
        `${model.turns ? "in the rotation about z that suits it best" : "in its rotation, which it keeps"}, and there is room for ` +
        `${width} × ${depth} mm. Nothing was moved: scale it down, ${wayOut}.`,
    );
  }
}

/** Rounded up, so that a size that is smaller by this amount fits. */
const roundedUpMm = (mm: number): string => (Math.ceil(mm * 100 - 1e-3) / 100).toFixed(2);

interface FillPlatformRequest {
  readonly volume: BuildVolume;
  readonly bounds: LayOutRequest["bounds"];
  readonly spacingMm: number;
  /** The models to copy, whether their copies may be turned about z, and whether they may be moved themselves. */
  readonly sources: readonly (NamedSilhouette & { readonly moves: boolean })[];
  readonly obstacles: readonly ModelSilhouette[];
  readonly maxCopies: number;
}

interface FilledPlatform {
  /** The new place of each source and of its copies. Rotations are relative to the orientation of the source in the request. */
  readonly places: readonly { readonly source: PlatformPlace; readonly copies: readonly PlatformPlace[] }[];
}

/**
 * Places for as many copies of the sources as fit. Throws OPERATION_FAILED for a source that is too large, or if no copy could be
 * placed.
 */
export function fillPlatform(request: FillPlatformRequest, progress: Progress): FilledPlatform {
  const { sources, obstacles, spacingMm, maxCopies } = request;
  const floor = floorOf(request.volume, request.bounds);
  requireSmallEnough(sources, floor, "orient it in another way, or leave it out of model_ids");
  const filling = fillFloor(
    {
      floor,
      spacingMm,
      maxCopies,
      sources: sources.map((source) => {
        const [x, y] = source.position;
        return { part: footprint(source, false), x, y, turns: source.turns, moves: source.moves };
      }),
      obstacles: obstacles.map((obstacle) => placedPart(footprint(obstacle, false), obstacle)),
    },
    progress,
  );
  return {
    places: paired(filling.sources, filling.copies).map(([source, copies]) => ({
      source: platformPlace(source),
      copies: copies.map(platformPlace),
    })),
  };
}
