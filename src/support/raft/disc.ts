import type { Ring } from "../../mesh/boolean/region/region.ts";
import type { StandingFoot } from "./foot.ts";

/** Corners of a disc of the raft. */
const PIECES = 24;

const directions = Array.from({ length: PIECES }, (_, i) => {
  const angle = (2 * Math.PI * i) / PIECES;
  // Engines may differ in the last bits of sines.
  return [Math.fround(Math.cos(angle)), Math.fround(Math.sin(angle))] as const;
});

export const disc = ({ x, y, radius }: StandingFoot): Ring =>
  Float64Array.from(directions.flatMap(([cos, sin]) => [x + radius * cos, y + radius * sin]));
