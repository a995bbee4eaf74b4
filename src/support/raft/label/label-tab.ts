import type { Region, Ring } from "../../../mesh/boolean/region/region.ts";
import type { ToRaft } from "./place-label.ts";
import type { TextBlock } from "./text-block.ts";

/** How far a tab reaches into the raft, so that it holds. */
const OVERLAP_MM = 1.5;
/** Between the letters and the rim. */
const MARGIN_MM = 0.6;

export interface LabelTab {
  readonly ring: Ring;
  readonly toRaft: ToRaft;
}

/** A tab at the front of a raft, for a text whose capitals are so high. */
export function labelTab(outline: Region, { width, height }: TextBlock, heightMm: number): LabelTab {
  let [x, y] = [0, Infinity];
  for (const ring of outline) {
    for (let at = 0; at < ring.length; at += 2) if (ring[at + 1] < y) [x, y] = [ring[at], ring[at + 1]];
  }
  const half = (heightMm * width) / 2 + MARGIN_MM;
  const front = y - heightMm * height - 2 * MARGIN_MM;
  const back = y + OVERLAP_MM;
  return {
    ring: Float64Array.of(x - half, front, x + half, front, x + half, back, x - half, back),
    toRaft: ([u, v]) => [x + heightMm * (u - width / 2), front + MARGIN_MM + heightMm * v],
  };
}
