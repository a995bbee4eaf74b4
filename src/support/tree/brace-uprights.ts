import { apartMm, type Ball, between, distanceMm } from "./ball.ts";
import { BRACE_MM, GAP_MM, LONELY_SLENDERNESS } from "./measures.ts";
import { addBall, addStrut, type Sketch } from "./sketch.ts";
import { type Space, strutFits } from "./space.ts";
import { ballAt, partUprights, type Upright, uprightsOf } from "./uprights.ts";

/** Braces lead from an upright to its nearest so many neighbours, no farther away than this. */
const NEIGHBOURS = 2;
const REACH_MM = 15;
/** Nearer uprights than this have no room for a joint between them. */
const NEAREST_MM = 4;
/** One zigzag up to the first height, then one more for each further step. PrusaSlicer's rule for the first. */
const SINGLE_MM = 35;
const STEP_MM = 25;
/** Where a zigzag has no room it is tried so far above and below. */
const SHIFTS_MM = [0, 2, -2, 4, -4] as const;
/** Between two joints of an upright, and between them and its ends. */
const MARGIN_MM = 1;

/**
 * Stiffens tall uprights: with zigzags of braces at 45° to their neighbours, or, where there is none, with a wider
 * foot, as wide as the model leaves room for.
 */
export function braceUprights(space: Space, sketch: Sketch): void {
  const uprights = uprightsOf(sketch);
  const pairs = new Set<string>();
  for (const [i, one] of uprights.entries()) {
    space.checkIn();
    const neighbours = uprights
      .map((other, j) => ({ other, j, apart: apartMm(one.top.place, other.top.place) }))
      .filter(({ j, apart }) => j !== i && apart >= NEAREST_MM && apart <= REACH_MM)
      .sort((a, b) => a.apart - b.apart || a.j - b.j);
    let braced = 0;
    for (const { other, j } of neighbours) {
      if (braced === NEIGHBOURS) break;
      const pair = i < j ? `${i} ${j}` : `${j} ${i}`;
      if (pairs.has(pair) || bracePair(space, sketch, one, other)) {
        pairs.add(pair);
        braced++;
      }
    }
  }
  for (const upright of uprights) if (upright.joints.length === 0) widen(space, sketch, upright);
  partUprights(sketch, uprights);
}

/** Whether at least one zigzag fits between two uprights. */
function bracePair(space: Space, sketch: Sketch, one: Upright, other: Upright): boolean {
  const apart = apartMm(one.top.place, other.top.place);
  const low = Math.max(one.bottom.place[2], other.bottom.place[2]) + MARGIN_MM;
  const high = Math.min(one.top.place[2], other.top.place[2]) - MARGIN_MM;
  if (high - low < 2 * apart) return false;
  const levels = high - low <= SINGLE_MM ? 1 : 1 + Math.ceil((high - low - SINGLE_MM) / STEP_MM);
  let added = false;
  for (let level = 1; level <= levels; level++) {
    const middle = low + ((high - low) * level) / (levels + 1);
    added =
      SHIFTS_MM.some((shift) => {
        const top = middle + apart + shift;
        return top <= high && top - 2 * apart >= low && addZigzag(space, sketch, one, other, top, apart);
      }) || added;
  }
  return added;
}

/** Whether a zigzag fits that leads from one upright, at the height `top`, to the other and back. Adds it. */
function addZigzag(space: Space, sketch: Sketch, one: Upright, other: Upright, top: number, apart: number): boolean {
  const joints = [ballAt(one, top), ballAt(other, top - apart), ballAt(one, top - 2 * apart)];
  if (!joints.every((joint, i) => isFree(sketch, i === 1 ? other : one, joint))) return false;
  const bars = [narrowed(joints[0], joints[1]), narrowed(joints[1], joints[2])];
  const fits = bars.every((balls) => balls.every((ball, i) => i === 0 || strutFits(space, balls[i - 1], ball, GAP_MM)));
  if (!fits) return false;
  const [a, b, c] = joints.map((joint) => addBall(sketch, joint));
  one.joints.push(a, c);
  other.joints.push(b);
  for (const [from, to, [, start, end]] of [
    [a, b, bars[0]],
    [b, c, bars[1]],
  ] as const) {
    const last = addStrut(sketch, addStrut(sketch, from, start, "BRACE"), end, "BRACE");
    sketch.struts.push({ from: last, to, kind: "BRACE" });
  }
  return true;
}

/** A bar between the joints of two uprights: as wide as those at its ends, else as a brace. */
function narrowed(from: Ball, to: Ball): [Ball, Ball, Ball, Ball] {
  const length = distanceMm(from.place, to.place);
  const at = (share: number): Ball => ({ place: between(from.place, to.place, share), radiusMm: BRACE_MM });
  return [from, at(from.radiusMm / length), at(1 - to.radiusMm / length), to];
}

/** Whether an upright has no joint yet close to the ball. */
const isFree = ({ balls }: Sketch, { joints }: Upright, { place }: Ball): boolean =>
  joints.every((joint) => Math.abs(balls[joint].place[2] - place[2]) >= MARGIN_MM);

/** Gives an upright that stands alone a wider foot, where there is room for one. */
function widen(space: Space, sketch: Sketch, { strut, top, bottom }: Upright): void {
  const wide = (top.place[2] - bottom.place[2]) / LONELY_SLENDERNESS;
  for (const radiusMm of [wide, (wide + bottom.radiusMm) / 2]) {
    if (radiusMm <= bottom.radiusMm || !strutFits(space, top, { place: bottom.place, radiusMm }, GAP_MM)) continue;
    sketch.balls[sketch.struts[strut].to] = { place: bottom.place, radiusMm };
    return;
  }
}
