import { type Part, type Standing, turnedPart } from "./part.ts";
import type { Seen } from "./part-seen.ts";

/** Where a model comes to stand: its position, once it is turned about z by `turnDeg` more than before. */
export interface PlaceOnFloor {
  readonly turnDeg: number;
  readonly x: number;
  readonly y: number;
}

export const placeOnFloor = ({ part: { turnDeg }, x, y }: Standing): PlaceOnFloor => ({ turnDeg, x, y });

/** A part where its model stands now. */
export function standingOf(part: Part, { position }: Seen): Standing {
  const [x, y] = position;
  return { part: turnedPart(part, 0), x, y };
}
