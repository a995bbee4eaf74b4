import { operationFailed } from "../../core/fault.ts";
import type { BuildVolume } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { floorOf } from "../../place/layout/floor.ts";
import { layOut as layOutParts } from "../../place/layout/lay-out.ts";
import { type PlaceOnFloor, placeOnFloor, standingOf } from "../../place/layout/place-on-floor.ts";
import { partSeen, type SeenModel } from "../../place/layout/part-seen.ts";
import { standClear } from "../../place/layout/stand-clear.ts";
import type { Rectangle } from "../../place/layout/region.ts";
import { SEEN } from "./see-from-above.ts";

export interface LayOutRequest {
  readonly volume: BuildVolume;
  /** What a client leaves of the volume. */
  readonly bounds: Partial<Rectangle>;
  readonly spacingMm: number;
  readonly overlappingSupports: boolean;
  /** Arches parallel to the front edge, nested into one another. */
  readonly dental: boolean;
  /** What is laid out, and whether it may be turned about z. */
  readonly models: readonly (SeenModel & { readonly turns: boolean })[];
  /** What stays where it is. */
  readonly obstacles: readonly SeenModel[];
}

/** A place for each model, in the order given. Throws OPERATION_FAILED, with the way out, unless all fit. */
export function layOut(request: LayOutRequest, watch: Watch): PlaceOnFloor[] {
  const { models, obstacles, spacingMm, overlappingSupports } = request;
  const floor = floorOf(request.volume, request.bounds);
  const parts = models.map((model) => partSeen(model, overlappingSupports));
  const staying = obstacles.map((obstacle) => standingOf(partSeen(obstacle, overlappingSupports), obstacle));
  const { standing } = layOutParts(
    {
      floor,
      spacingMm,
      dental: request.dental,
      parts: models.map(({ turns }, i) => ({ part: parts[i], turns })),
      obstacles: staying,
    },
    watch.part(SEEN, 1),
  );
  const placed = standing.filter((one) => one !== undefined);
  if (placed.length === models.length) return placed.map(placeOnFloor);
  // They may have been laid out by a way that gets more onto the platform than this one.
  const present = models.map((model, i) => standingOf(parts[i], model));
  if (standClear(floor, spacingMm, present, staying)) return present.map(placeOnFloor);
  throw operationFailed(
    `Of ${models.length} models ${placed.length} fit beside what stays, ${spacingMm} mm apart: nothing was moved. ` +
      "Name fewer models, remove some, ask for a smaller model_spacing_mm or wider custom_bounds, or let more of them turn.",
  );
}
