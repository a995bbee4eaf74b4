import type { PathCommand } from "opentype.js/dist/opentype.mjs";
import type { Ring } from "../mesh/boolean/region/region.ts";

/** Chords leave a curve by no more: 0.0015 em. */
const CHORD_UNITS = 3;

/** The closed lines of a glyph's outline, its curves as chords, moved to the right. */
export function glyphRings(path: readonly PathCommand[], right: number): Ring[] {
  const rings: number[][] = [];
  let [x, y] = [0, 0];
  for (const command of path) {
    if (command.type === "Z") continue;
    if (command.type === "C") throw new Error("the font is one of quadratic curves");
    if (command.type === "M") rings.push([]);
    const ring = rings.at(-1)!;
    if (command.type === "Q") curve(ring, x, y, command);
    [x, y] = [command.x, command.y];
    ring.push(x, y);
  }
  return rings.map((ring) => Float64Array.from(ring, (value, at) => (at % 2 === 0 ? value + right : value)));
}

/** The corners between the ends of a quadratic curve from (x, y). */
function curve(ring: number[], x: number, y: number, { x1, y1, x: endX, y: endY }: PathCommand & { type: "Q" }): void {
  const [bendX, bendY] = [x - 2 * x1 + endX, y - 2 * y1 + endY];
  // n chords leave the curve by a quarter of its bend over n².
  const pieces = Math.ceil(Math.sqrt(Math.sqrt(bendX * bendX + bendY * bendY) / (4 * CHORD_UNITS)));
  for (let i = 1; i < pieces; i++) {
    const t = i / pieces;
    ring.push(x + t * (2 * (x1 - x) + t * bendX), y + t * (2 * (y1 - y) + t * bendY));
  }
}
