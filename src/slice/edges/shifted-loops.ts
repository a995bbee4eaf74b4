import type { OutlineLoops } from "../outline-loops.ts";
import { type Segments, reserveSegments } from "../outline-segments.ts";

/** Mitres end at this multiple of the shift from their corner: it is exceeded where edges meet at less than 60°. */
const MITRE_LIMIT = 2;
/** Cosine of the turn at which a mitre has that length: 2·cos² of half the turn, less 1. */
const LEAST_COS = 2 / MITRE_LIMIT ** 2 - 1;
/** Cosine of the turn, 26°, from which on a corner between edges of different shares is one of a curve: both are moved by their mean there. */
const CURVE_COS = 0.9;

/**
 * Adds loops whose edges are moved by `shiftMm`, or their shares of it, along their outward normals. Between a loop and the moved one lies a rectangle beside each edge, and a
 * mitre beside each corner at which they move apart, and each of them changes the winding numbers by one: where they cover the solid, nothing is left of it,
 * also where all of a body vanishes (or nothing of a hole).
 */
export function addShiftedLoops(
  { loopCount, starts, models, xsMm, ysMm, shares }: OutlineLoops,
  shiftMm: number,
  [widthMm, depthMm]: readonly [number, number],
  to: Segments,
): void {
  // At most three points for each corner.
  reserveSegments(to, 3 * starts[loopCount]);
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
    let aLength = 0;
    let aShift = shiftMm;
    let x = xsMm[end - 1];
    let y = ysMm[end - 1];
    for (let i = start; i <= end; i++) {
      const nextX = xsMm[i < end ? i : start];
      const nextY = ysMm[i < end ? i : start];
      const bLength = Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
      const bx = (nextX - x) / bLength;
      const by = (nextY - y) / bLength;
      const bShift = shares === undefined ? shiftMm : shiftMm * shares[(i > start ? i : end) - 1];
      const cos = ax * bx + ay * by;
      const sin = ax * by - ay * bx;
      const isApart = sin * shiftMm <= 0;
      const isAlike = aShift === bShift || cos >= CURVE_COS;
      const meanShift = (aShift + bShift) / 2;
      // How far moved edges that cross are cut off at the corner: where it is more than half of one, it may turn round.
      const cut = 2 * Math.abs(meanShift * sin);
      const shorter = aLength < bLength ? aLength : bLength;
      const left = (1 + cos) * shorter;
      if (i === start) {
        // The first corner gives the direction of the last edge, and comes again at the end.
      } else if (isAlike && (isApart ? cos >= LEAST_COS : cut <= left)) {
        const share = meanShift / (1 + cos);
        ends[4 * at] = (x - share * (ay + by)) * perWidth;
        ends[4 * at++ + 1] = (y + share * (ax + bx)) * perDepth;
      } else if (!isAlike && (!isApart || cos >= LEAST_COS) && shortening(aShift, bShift, cos, sin) <= shorter / 2) {
        const along = (aShift * cos - bShift) / sin;
        ends[4 * at] = (x - aShift * ay + along * ax) * perWidth;
        ends[4 * at++ + 1] = (y + aShift * ax + along * ay) * perDepth;
      } else {
        const along = isApart && isAlike ? Math.abs(meanShift) * mitreEnd(cos) : 0;
        ends[4 * at] = (x - aShift * ay + along * ax) * perWidth;
        ends[4 * at++ + 1] = (y + aShift * ax + along * ay) * perDepth;
        if (!isApart) {
          ends[4 * at] = x * perWidth;
          ends[4 * at++ + 1] = y * perDepth;
        }
        ends[4 * at] = (x - bShift * by - along * bx) * perWidth;
        ends[4 * at++ + 1] = (y + bShift * bx - along * by) * perDepth;
      }
      x = nextX;
      y = nextY;
      ax = bx;
      ay = by;
      aLength = bLength;
      aShift = bShift;
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

/** By how much edges that are moved differently are shortened up to where they cross; negative where both get longer. */
const shortening = (aShift: number, bShift: number, cos: number, sin: number): number =>
  Math.max((bShift - aShift * cos) / sin, (aShift - bShift * cos) / sin);

/** How far an edge with a capped mitre goes on, in shifts, from the cosine of the turn. */
function mitreEnd(cos: number): number {
  const [halfCos, halfSin] = [Math.sqrt(Math.max(0, (1 + cos) / 2)), Math.sqrt((1 - cos) / 2)];
  return (MITRE_LIMIT - halfCos) / halfSin;
}
