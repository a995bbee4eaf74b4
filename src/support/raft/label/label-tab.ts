import type { Region, Ring } from "../../../mesh/boolean/region/region.ts";
import { ABOVE, BELOW, type LabelPlace } from "./place-label.ts";

/** How far a tab reaches into the raft, so that it holds. */
const OVERLAP_MM = 1.5;
/** Between the letters and the rim. */
const MARGIN_MM = 0.6;

export interface LabelTab {
  readonly ring: Ring;
  readonly place: LabelPlace;
}

/** A tab at the front of a raft, for a text so many heights wide. */
export function labelTab(outline: Region, width: number, heightMm: number): LabelTab {
  let [x, y] = [0, Infinity];
  for (const ring of outline) {
    for (let at = 0; at < ring.length; at += 2) if (ring[at + 1] < y) [x, y] = [ring[at], ring[at + 1]];
  }
  const half = heightMm * (width / 2 + ABOVE) + MARGIN_MM;
  const front = y - heightMm * (BELOW + 1 + ABOVE) - 2 * MARGIN_MM;
  const back = y + OVERLAP_MM;
  const base = front + MARGIN_MM + heightMm * BELOW;
  return {
    ring: Float64Array.of(x - half, front, x + half, front, x + half, back, x - half, back),
    place: { heightMm, toRaft: ([u, v]) => [x + heightMm * (u - width / 2), base + heightMm * v] },
  };
}
