import type { Vec3 } from "../../core/geometry.ts";
import type { Part } from "./part.ts";
import { type Region, type Ring, together } from "./region.ts";

/** A body seen from above: where it stands, and what it covers, relative to that. */
export interface Seen {
  readonly position: Vec3;
  readonly region: Region;
}

/** A model and its supports, seen from above. */
export interface SeenModel extends Seen {
  readonly supports?: Seen;
}

/** What a model covers with its supports. Where supports may not overlap those of others, they count as part of the model. */
export function partSeen({ position, region, supports }: SeenModel, overlappingSupports: boolean): Part {
  if (!supports) return { body: region };
  const under = moved(supports.region, supports.position[0] - position[0], supports.position[1] - position[1]);
  return overlappingSupports ? { body: region, supports: under } : { body: together([region, under]) };
}

const moved = ({ rings }: Region, dx: number, dy: number): Region => ({
  rings: rings.map((ring): Ring => ring.map((value, i) => value + (i % 2 === 0 ? dx : dy))),
});
