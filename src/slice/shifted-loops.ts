import type { OutlineLoops } from "./outline-loops.ts";
import { type Segments, reserveSegments } from "./outline-segments.ts";

/** Mitres end at this multiple of the shift from their corner: it is exceeded where edges meet at less than 60°. */
const MITRE_LIMIT = 2;
/** Cosine of the turn at which a mitre has that length: 2·cos² of half the turn, less 1. */
const LEAST_COS = 2 / MITRE_LIMIT ** 2 - 1;

/**
 * Adds loops whose edges are moved by `shiftMm` along their outward normals, joined by mitres. Where edges vanish, the loops cross themselves and turn
 * the other way round: winding numbers of at most 0, which are not solid.
 */
export function addShiftedLoops(
  { loopCount, starts, models, xsMm, ysMm }: OutlineLoops,
  shiftMm: number,
  [widthMm, depthMm]: readonly [number, number],
  to: Segments,
): void {
  // At most two points for each corner.
  reserveSegments(to, 2 * starts[loopCount]);
  const { ends } = to;
  const perWidth = 1 / widthMm;
  const perDepth = 1 / depthMm;
  for (let loop = 0; loop < loopCount; loop++) {
    const start = starts[loop];
    const end = starts[loop + 1];
    const first = to.count;
    // Each segment ends where the next one starts: points are written as starts, and the ends follow.
    let at = first;
    // The edge to the corner, and the one from it.
    let ax = 0;
    let ay = 0;
    let x = xsMm[end - 1];
    let y = ysMm[end - 1];
    for (let i = start; i <= end; i++) {
      const nextX = xsMm[i < end ? i : start];
      const nextY = ysMm[i < end ? i : start];
      const length = Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
      const bx = (nextX - x) / length;
      const by = (nextY - y) / length;
      const cos = ax * bx + ay * by;
      if (i === start) {
        // The first corner gives the direction of the last edge, and comes again at the end.
      } else if (cos >= LEAST_COS) {
        const share = shiftMm / (1 + cos);
        ends[4 * at] = (x - share * (ay + by)) * perWidth;
        ends[4 * at++ + 1] = (y + share * (ax + bx)) * perDepth;
      } else {
        // Edges that move apart end at the limit of mitres; those that cross end where they are, in a loop that is not solid.
        const along = (ax * by - ay * bx) * shiftMm <= 0 ? Math.abs(shiftMm) * mitreEnd(cos) : 0;
        ends[4 * at] = (x - shiftMm * ay + along * ax) * perWidth;
        ends[4 * at++ + 1] = (y + shiftMm * ax + along * ay) * perDepth;
        ends[4 * at] = (x - shiftMm * by - along * bx) * perWidth;
        ends[4 * at++ + 1] = (y + shiftMm * bx - along * by) * perDepth;
      }
      x = nextX;
      y = nextY;
      ax = bx;
      ay = by;
    }
    for (let segment = first; segment < at; segment++) {
      const next = segment + 1 < at ? segment + 1 : first;
      ends[4 * segment + 2] = ends[4 * next];
      ends[4 * segment + 3] = ends[4 * next + 1];
    }
    to.models.fill(models[loop], first, at);
    to.count = at;
  }
}

/** How far an edge with a capped mitre goes on, in shifts, from the cosine of the turn. */
function mitreEnd(cos: number): number {
  const [halfCos, halfSin] = [Math.sqrt(Math.max(0, (1 + cos) / 2)), Math.sqrt((1 - cos) / 2)];
  return (MITRE_LIMIT - halfCos) / halfSin;
}
