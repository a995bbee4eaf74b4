import { type Ball, distance, distanceXy, lerp } from "../../geometry/vector.ts";
import { type RoutingSpace, strutFits } from "./clearance.ts";
import {
  BRACE_RADIUS_MM,
  CLEARANCE_MM,
  FREE_STANDING_SLENDERNESS,
  type TreeBuilder,
  UNBRACED_HEIGHT_MM,
} from "./support-tree.ts";

/** A strut that braces may end at. */
export interface Pillar {
  /** Its index among the builder's struts. */
  readonly strut: number;
  readonly top: Ball;
  readonly bottom: Ball;
  /** The nodes inserted into it where braces end. */
  readonly joints: number[];
}

export const pillarHeight = ({ top, bottom }: Pillar): number => top.centre[2] - bottom.centre[2];

/** A pillar is braced to this many of its nearest neighbours within reach. */
const MAX_NEIGHBOURS = 2;
const REACH_MM = 15;
/** Pillars nearer to each other have no room for a joint between them. */
const MIN_APART_MM = 4;
/** One zigzag up to the first height, then one more for each further step. The first is PrusaSlicer's rule. */
const SINGLE_ZIGZAG_MM = 35;
const ZIGZAG_STEP_MM = 25;
/** Vertical shifts that are tried, in this order, until a zigzag fits. */
const SHIFTS_MM = [0, 2, -2, 4, -4] as const;
/** Least distance between two joints of a pillar, and between joints and its ends. */
export const MARGIN_MM = 1;

/**
 * Stiffens tall pillars with zigzags of braces at 45° to their neighbours, or, where there are none, with a wider foot,
 * as far as the model leaves room.
 */
export function bracePillars(space: RoutingSpace, builder: TreeBuilder): void {
  const pillars = tallPillars(builder, UNBRACED_HEIGHT_MM).filter(isVertical);
  const pairs = new Set<string>();
  for (const [i, one] of pillars.entries()) {
    space.checkCancelled();
    const neighbours = pillars
      .map((other, j) => ({ other, j, apart: distanceXy(one.top.centre, other.top.centre) }))
      .filter(({ j, apart }) => j !== i && apart >= MIN_APART_MM && apart <= REACH_MM)
      .sort((a, b) => a.apart - b.apart || a.j - b.j);
    let braced = 0;
    for (const { other, j } of neighbours) {
      if (braced === MAX_NEIGHBOURS) break;
      const pair = i < j ? `${i} ${j}` : `${j} ${i}`;
      if (pairs.has(pair) || bracePair(space, builder, one, other)) {
        pairs.add(pair);
        braced++;
      }
    }
  }
  for (const pillar of pillars) if (pillar.joints.length === 0) widenFoot(space, builder, pillar);
  splitAtJoints(builder, pillars);
}

/** The pillars of a tree that are taller than a height. */
export const tallPillars = ({ balls, struts }: TreeBuilder, heightMm: number): Pillar[] =>
  struts.flatMap(({ from, to, kind }, strut): Pillar[] => {
    const pillar = { strut, top: balls[from], bottom: balls[to], joints: [] };
    return kind === "PILLAR" && pillarHeight(pillar) > heightMm ? [pillar] : [];
  });

export const isVertical = ({ top, bottom }: Pillar): boolean =>
  top.centre[0] === bottom.centre[0] && top.centre[1] === bottom.centre[1];

/** Adds the zigzags between two pillars; returns whether at least one fits. */
function bracePair(space: RoutingSpace, builder: TreeBuilder, one: Pillar, other: Pillar): boolean {
  const apart = distanceXy(one.top.centre, other.top.centre);
  const low = Math.max(one.bottom.centre[2], other.bottom.centre[2]) + MARGIN_MM;
  const high = Math.min(one.top.centre[2], other.top.centre[2]) - MARGIN_MM;
  if (high - low < 2 * apart) return false;
  const levels = high - low <= SINGLE_ZIGZAG_MM ? 1 : 1 + Math.ceil((high - low - SINGLE_ZIGZAG_MM) / ZIGZAG_STEP_MM);
  let isBraced = false;
  for (let level = 1; level <= levels; level++) {
    const middle = low + ((high - low) * level) / (levels + 1);
    isBraced =
      SHIFTS_MM.some((shift) => {
        const top = middle + apart + shift;
        return top <= high && top - 2 * apart >= low && addZigzag(space, builder, one, other, top, apart);
      }) || isBraced;
  }
  return isBraced;
}

/** Adds a zigzag from one pillar, at the height `top`, to the other and back; returns whether it fits. */
const addZigzag = (
  space: RoutingSpace,
  builder: TreeBuilder,
  one: Pillar,
  other: Pillar,
  top: number,
  apart: number,
): boolean =>
  addBars(space, builder, [
    { pillar: one, z: top },
    { pillar: other, z: top - apart },
    { pillar: one, z: top - 2 * apart },
  ]);

/** Adds the bars of a zigzag between pillars, from the upper end down; returns whether they fit. */
export function addBars(
  space: RoutingSpace,
  builder: TreeBuilder,
  ends: readonly { readonly pillar: Pillar; readonly z: number }[],
): boolean {
  const joints = ends.map(({ pillar, z }) => ballAtHeight(pillar, z));
  if (!joints.every((joint, i) => hasRoomForJoint(builder, ends[i].pillar, joint))) return false;
  const bars = joints.slice(1).map((joint, i) => narrowedBar(joints[i], joint));
  const fits = bars.every((balls) =>
    balls.every((ball, i) => i === 0 || strutFits(space, balls[i - 1], ball, CLEARANCE_MM)),
  );
  if (!fits) return false;
  const nodes = joints.map((joint) => builder.addBall(joint));
  nodes.forEach((node, i) => ends[i].pillar.joints.push(node));
  bars.forEach(([, start, end], i) => {
    const last = builder.addStrut(builder.addStrut(nodes[i], start, "BRACE"), end, "BRACE");
    builder.struts.push({ from: last, to: nodes[i + 1], kind: "BRACE" });
  });
  return true;
}

/** The ball of a pillar at a height. */
export function ballAtHeight({ top, bottom }: Pillar, z: number): Ball {
  const share = (z - bottom.centre[2]) / (top.centre[2] - bottom.centre[2]);
  const [x, y] = lerp(bottom.centre, top.centre, share);
  return { centre: [x, y, z], radiusMm: bottom.radiusMm + share * (top.radiusMm - bottom.radiusMm) };
}

/** A bar between the joints of two pillars: at its ends as wide as they are, elsewhere as a brace. */
function narrowedBar(from: Ball, to: Ball): [Ball, Ball, Ball, Ball] {
  const length = distance(from.centre, to.centre);
  const at = (share: number): Ball => ({ centre: lerp(from.centre, to.centre, share), radiusMm: BRACE_RADIUS_MM });
  return [from, at(from.radiusMm / length), at(1 - to.radiusMm / length), to];
}

/** Whether no other joint of a pillar is close to a new one. */
const hasRoomForJoint = ({ balls }: TreeBuilder, { joints }: Pillar, { centre }: Ball): boolean =>
  joints.every((joint) => Math.abs(balls[joint].centre[2] - centre[2]) >= MARGIN_MM);

/** Gives a pillar without braces a wider foot, where it fits. */
function widenFoot(space: RoutingSpace, builder: TreeBuilder, { strut, top, bottom }: Pillar): void {
  const wideMm = (top.centre[2] - bottom.centre[2]) / FREE_STANDING_SLENDERNESS;
  for (const radiusMm of [wideMm, (wideMm + bottom.radiusMm) / 2]) {
    const foot = { centre: bottom.centre, radiusMm };
    if (radiusMm <= bottom.radiusMm || !strutFits(space, top, foot, CLEARANCE_MM)) continue;
    builder.balls[builder.struts[strut].to] = foot;
    return;
  }
}

/** Splits the strut of each pillar at its joints. */
export function splitAtJoints(builder: TreeBuilder, pillars: readonly Pillar[]): void {
  for (const { strut, joints } of pillars) {
    const { from, to } = builder.struts[strut];
    const downward = joints.toSorted((a, b) => builder.balls[b].centre[2] - builder.balls[a].centre[2]);
    const nodes = [from, ...downward, to];
    nodes.slice(1).forEach((node, i) => {
      const piece = { from: nodes[i], to: node, kind: "PILLAR" } as const;
      if (i === 0) builder.struts[strut] = piece;
      else builder.struts.push(piece);
    });
  }
}
