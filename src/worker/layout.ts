import { operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { type Pose, rotationMatrix } from "../geometry/pose.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { fillFloor } from "../layout/fill-floor.ts";
import { floorOf } from "../layout/floor.ts";
import { layOut as layOutParts } from "../layout/lay-out.ts";
import { type ModelSilhouette, type PlatformPlace, footprint, placedPart, platformPlace } from "../layout/part.ts";
import type { Polygons } from "../geometry/polygon.ts";
import type { Rectangle } from "../geometry/box.ts";
import { areAllClear } from "../layout/resolve-overlaps.ts";
import { silhouetteOf } from "../layout/silhouette.ts";
import type { Mesh } from "../mesh/mesh.ts";

interface SilhouetteRequest {
  readonly mesh: Mesh;
  readonly pose: Pick<Pose, "orientation" | "scale">;
}

/** The silhouette of a body seen from above, relative to its position. */
export const computeSilhouette = ({ mesh, pose }: SilhouetteRequest, progress: Progress): Polygons =>
  silhouetteOf(mesh, rotationMatrix(pose.orientation), pose.scale, progress);

interface LayOutRequest {
  readonly volume: BuildVolume;
  /** Limits of the client within the volume. */
  readonly bounds: { readonly [Side in keyof Rectangle]?: Rectangle[Side] | undefined };
  readonly spacingMm: number;
  readonly overlappingSupports: boolean;
  /** Whether the models are dental arches: placed parallel to the front edge, nested into one another. */
  readonly dental: boolean;
  /** The models to move, and whether they may be turned about z. */
  readonly models: readonly (ModelSilhouette & { readonly turns: boolean })[];
  /** The models that keep their places. */
  readonly obstacles: readonly ModelSilhouette[];
}

/** A place for each model, in the given order. Throws OPERATION_FAILED unless all fit. */
export function layOut(request: LayOutRequest, progress: Progress): PlatformPlace[] {
  const { models, obstacles, spacingMm, overlappingSupports } = request;
  const floor = floorOf(request.volume, request.bounds);
  const parts = models.map((model) => footprint(model, overlappingSupports));
  const fixed = obstacles.map((obstacle) => placedPart(footprint(obstacle, overlappingSupports), obstacle));
  const layout = layOutParts(
    {
      floor,
      spacingMm,
      dental: request.dental,
      parts: models.map(({ turns }, i) => ({ part: parts[i], turns })),
      obstacles: fixed,
    },
    progress,
  );
  const placed = layout.placed.filter((part) => part !== undefined);
  if (placed.length === models.length) return placed.map(platformPlace);
  // Their present layout may be valid, and denser than any that this algorithm finds.
  const present = models.map((model, i) => placedPart(parts[i], model));
  if (areAllClear(floor, spacingMm, present, fixed)) return present.map(platformPlace);
  throw operationFailed(
    `Of ${models.length} models ${placed.length} fit on the platform, ${spacingMm} mm apart: nothing was moved. ` +
      "Name fewer models, delete some, use a smaller model_spacing_mm or wider custom_bounds, or let more models rotate.",
  );
}

interface FillPlatformRequest {
  readonly volume: BuildVolume;
  readonly bounds: LayOutRequest["bounds"];
  readonly spacingMm: number;
  /** The models to copy, whether their copies may be turned about z, and whether they may be moved themselves. */
  readonly sources: readonly (ModelSilhouette & { readonly turns: boolean; readonly moves: boolean })[];
  readonly obstacles: readonly ModelSilhouette[];
  readonly maxCopies: number;
}

interface FilledPlatform {
  /** Of each source: its new place and those of its copies. Turns are relative to its orientation in the request. */
  readonly places: readonly { readonly source: PlatformPlace; readonly copies: readonly PlatformPlace[] }[];
}

/** Places for as many copies of the sources as fit. */
export function fillPlatform(request: FillPlatformRequest, progress: Progress): FilledPlatform {
  const { sources, obstacles, spacingMm, maxCopies } = request;
  const filling = fillFloor(
    {
      floor: floorOf(request.volume, request.bounds),
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
    places: sources.map((_, i) => ({
      source: platformPlace(filling.sources[i]),
      copies: filling.copies[i].map(platformPlace),
    })),
  };
}
