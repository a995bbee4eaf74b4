import { distanceToSegment } from "./segment.ts";
import type { Ring } from "./region.ts";

/** Shares of the tolerance that passes may use up: what costs least goes first. */
const PASSES = [1 / 64, 1 / 16, 1 / 4, 1];
/** Of a sine: two directions that differ by less are one. */
const PARALLEL = 1e-9;

/**
 * A ring of fewer corners that encloses all that `ring` encloses and reaches at most `toleranceMm` beyond it. Corners that
 * point inward are cut off from outside; short edges go where their neighbours meet beyond them. Undefined where nothing is
 * left: a hole that closes.
 */
export function simplifyOutward(ring: Ring, toleranceMm: number): Ring | undefined {
  const line: Line = {
    xs: ring.filter((_, i) => i % 2 === 0),
    ys: ring.filter((_, i) => i % 2 === 1),
    beyond: new Float64Array(ring.length / 2),
    next: Int32Array.from({ length: ring.length / 2 }, (_, i) => (i + 1) % (ring.length / 2)),
    count: ring.length / 2,
  };
  let at = 0;
  for (const share of PASSES) {
    // Once around without a change ends a pass.
    for (let idle = 0; idle <= line.count && line.count >= 3;) {
      if (cutInward(line, at, toleranceMm * share) || joinBeyond(line, at, toleranceMm * share)) idle = 0;
      else {
        at = line.next[at];
        idle++;
      }
    }
  }
  if (line.count < 3) return undefined;
  const corners: number[] = [];
  for (let i = 0; i < line.count; i++, at = line.next[at]) corners.push(line.xs[at], line.ys[at]);
  return Float64Array.from(corners);
}

/** A closed line as a chain of corners. */
interface Line {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** How far the edge that begins at a corner reaches beyond the first ring, at most. */
  readonly beyond: Float64Array;
  readonly next: Int32Array;
  count: number;
}

/** Takes out the corner after `a` where it points inward, or lies on the line of its neighbours. */
function cutInward(line: Line, a: number, tolerance: number): boolean {
  const { xs, ys, beyond, next } = line;
  const b = next[a];
  const c = next[b];
  const [ux, uy, vx, vy] = [xs[b] - xs[a], ys[b] - ys[a], xs[c] - xs[b], ys[c] - ys[b]];
  const turn = ux * vy - uy * vx;
  const straight = PARALLEL * Math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
  if (turn > straight) return false;
  const reach = Math.max(beyond[a], beyond[b]) + distanceToSegment(xs[b], ys[b], xs[a], ys[a], xs[c], ys[c]);
  if (reach > tolerance) return false;
  beyond[a] = reach;
  next[a] = c;
  line.count--;
  return true;
}

/** Takes out the edge after the one that begins at `a`: both of its ends become the corner where its neighbours meet. */
function joinBeyond(line: Line, a: number, tolerance: number): boolean {
  const { xs, ys, beyond, next } = line;
  const b = next[a];
  const c = next[b];
  const d = next[c];
  if (line.count < 4) return false;
  const [ux, uy, wx, wy] = [xs[b] - xs[a], ys[b] - ys[a], xs[c] - xs[d], ys[c] - ys[d]];
  const [vx, vy] = [xs[c] - xs[b], ys[c] - ys[b]];
  const across = wx * uy - wy * ux;
  const scale = Math.sqrt((ux * ux + uy * uy) * (wx * wx + wy * wy));
  // Both ends turn to the left and the neighbours meet beyond the edge.
  if (ux * vy - uy * vx <= 0 || wx * vy - wy * vx <= 0 || across <= PARALLEL * scale) return false;
  const along = (wx * vy - wy * vx) / across;
  const [x, y] = [xs[b] + along * ux, ys[b] + along * uy];
  const high = Math.abs((x - xs[b]) * vy - (y - ys[b]) * vx) / Math.sqrt(vx * vx + vy * vy);
  const reach = beyond[b] + high;
  if (reach > tolerance) return false;
  beyond[a] = Math.max(beyond[a], reach);
  beyond[b] = Math.max(beyond[c], reach);
  xs[b] = x;
  ys[b] = y;
  next[b] = d;
  line.count--;
  return true;
}
