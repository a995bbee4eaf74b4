import { neighbours } from "../../check/interferences/neighbours.ts";
import type { Watch } from "../../core/watch.ts";

export interface NeighbourRequest {
  readonly boxes: Float64Array;
  readonly reachMm: number;
}

/** Share of a request's progress. */
const FOUND = 0.02;

/** Pairs of models whose boxes are near each other, in shares for all threads. */
export const findNeighbours = ({ boxes, reachMm }: NeighbourRequest, watch: Watch): Uint32Array[] =>
  neighbours(boxes, reachMm, watch.part(0, FOUND));
