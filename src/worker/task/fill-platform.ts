import type { BuildVolume } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { fill } from "../../place/layout/fill.ts";
import { floorOf } from "../../place/layout/floor.ts";
import { type PlaceOnFloor, placeOnFloor, standingOf } from "../../place/layout/place-on-floor.ts";
import { partSeen, type SeenModel } from "../../place/layout/part-seen.ts";
import { SEEN } from "./see-from-above.ts";

export interface FillPlatformRequest {
  readonly volume: BuildVolume;
  readonly spacingMm: number;
  /** What is copied, whether its copies may be turned about z, and whether it may be moved itself. */
  readonly sources: readonly (SeenModel & { readonly turns: boolean; readonly moves: boolean })[];
  readonly obstacles: readonly SeenModel[];
  readonly mostCopies: number;
}

export interface FilledPlatform {
  /** Of each source: where it stands now, and where its copies do, by how it stood. */
  readonly places: readonly { readonly source: PlaceOnFloor; readonly copies: readonly PlaceOnFloor[] }[];
}

/** Places for copies of the sources, until not one more fits. */
export function fillPlatform(request: FillPlatformRequest, watch: Watch): FilledPlatform {
  const { sources, obstacles, spacingMm, mostCopies } = request;
  const filling = fill(
    {
      floor: floorOf(request.volume),
      spacingMm,
      mostCopies,
      sources: sources.map((source) => {
        const [x, y] = source.position;
        return { part: partSeen(source, false), x, y, turns: source.turns, moves: source.moves };
      }),
      obstacles: obstacles.map((obstacle) => standingOf(partSeen(obstacle, false), obstacle)),
    },
    watch.part(SEEN, 1),
  );
  return {
    places: sources.map((_, i) => ({
      source: placeOnFloor(filling.sources[i]),
      copies: filling.copies[i].map(placeOnFloor),
    })),
  };
}
