import { type Ball, distance, lerp } from "../../geometry/vector.ts";
import { BUCKLING_MARGIN, type FreeLength, criticalLoad } from "./buckling.ts";
import { type RoutingSpace, strutFits } from "./clearance.ts";
import { CLEARANCE_MM, TIP_CLEARANCE_MM, type TreeBuilder } from "./support-tree.ts";

/** Maximum radius to which struts are thickened: two struts of half the load need less material. Twice that of a trunk of ten touches. */
const MAX_RADIUS_MM = 1.5;
const RADIUS_STEP = 1.05;

/** Length over which a strut widens below or above a joint, in differences of its radii, and the least such length. */
const WIDENING = 3;
const MIN_WIDENING_MM = 0.5;
/** A strut widens within this share of its length. */
const MAX_WIDENING_SHARE = 0.4;

/**
 * Makes each of the slender lengths as thick as its load requires, if the model leaves room; returns whether any was thickened. Touches,
 * joints, and ends that are shared with other struts remain unchanged.
 */
export function thickenStruts(space: RoutingSpace, builder: TreeBuilder, slender: readonly FreeLength[]): boolean {
  let isAny = false;
  for (const length of slender) {
    const thick = thickLength(space, builder, length);
    if (!thick) continue;
    replaceLength(builder, thick);
    isAny = true;
  }
  return isAny;
}

/** A ball of a thicker length. */
interface ThickBall {
  readonly ball: Ball;
  /** Its node; undefined for a new one. */
  readonly node: number | undefined;
  /** The builder's strut that leads to it from above. */
  readonly strut: number;
}

/** The thinnest length that bears its load, with wider ends of its tips where these fit; undefined where none fits. */
function thickLength(space: RoutingSpace, builder: TreeBuilder, length: FreeLength): ThickBall[] | undefined {
  for (const widensTips of [false, true]) {
    const thin = Math.min(...length.nodes.map((node) => builder.balls[node].radiusMm));
    for (let radiusMm = thin; radiusMm <= MAX_RADIUS_MM; radiusMm *= RADIUS_STEP) {
      const balls = widened(builder, length, radiusMm, widensTips);
      const criticalN = criticalLoad(
        balls.map(({ ball }) => ball),
        length.isFree,
      );
      if (criticalN < BUCKLING_MARGIN * length.loadN) continue;
      if (balls.every((_, i) => i === 0 || pieceFits(space, builder, balls, i))) return balls;
      break;
    }
  }
  return undefined;
}

/** The balls of a length whose radius is below a given one only near its ends and in its tips. */
function widened(
  { balls, struts, feet }: TreeBuilder,
  { nodes, struts: along }: FreeLength,
  radiusMm: number,
  widensTips: boolean,
): ThickBall[] {
  const isTip = (i: number): boolean => along[i] !== undefined && struts[along[i]].kind === "TIP";
  const last = nodes.length - 1;
  const standsOnGround = feet.some(({ node, on }) => node === nodes[last] && on === "GROUND");
  const keeps = (i: number): boolean =>
    i === 0 || (i === last && !standsOnGround) || (!widensTips && (isTip(i - 1) || isTip(i)));
  const ballAt = (i: number): Ball => {
    const { centre, radiusMm: present } = balls[nodes[i]];
    return { centre, radiusMm: keeps(i) ? present : Math.max(present, radiusMm) };
  };
  const result: ThickBall[] = [{ ball: ballAt(0), node: nodes[0], strut: along[0] }];
  along.forEach((strut, i) => {
    const [from, to] = [ballAt(i), ballAt(i + 1)];
    const lengthMm = distance(from.centre, to.centre);
    const between = (end: Ball, share: number): void => {
      const present = from.radiusMm + share * (to.radiusMm - from.radiusMm);
      if (end.radiusMm >= radiusMm) return;
      const ball = { centre: lerp(from.centre, to.centre, share), radiusMm: Math.max(present, radiusMm) };
      result.push({ ball, node: undefined, strut });
    };
    const share = ({ radiusMm: thin }: Ball): number =>
      Math.min(MAX_WIDENING_SHARE, Math.max(MIN_WIDENING_MM, WIDENING * (radiusMm - thin)) / lengthMm);
    if (!isTip(i)) {
      between(from, share(from));
      between(to, 1 - share(to));
    }
    result.push({ ball: to, node: nodes[i + 1], strut });
  });
  return result;
}

/**
 * Whether the piece that ends at a ball of a thicker length keeps its distance to the model. If the piece is a tip that got wider, only the
 * half next to its pillar is tested.
 */
function pieceFits(
  space: RoutingSpace,
  { struts, balls }: TreeBuilder,
  length: readonly ThickBall[],
  i: number,
): boolean {
  const [{ ball: from }, { ball: to, strut }] = [length[i - 1], length[i]];
  const present = struts[strut];
  if (present.kind !== "TIP") return strutFits(space, from, to, CLEARANCE_MM);
  if (from.radiusMm === balls[present.from].radiusMm && to.radiusMm === balls[present.to].radiusMm) return true;
  const middle: Ball = { centre: lerp(from.centre, to.centre, 0.5), radiusMm: (from.radiusMm + to.radiusMm) / 2 };
  // The first strut touches the model above, the last may end on it.
  return i === 1 ? strutFits(space, middle, to, TIP_CLEARANCE_MM) : strutFits(space, from, middle, TIP_CLEARANCE_MM);
}

function replaceLength(builder: TreeBuilder, thick: readonly ThickBall[]): void {
  const replaced = new Set<number>();
  let last = -1;
  for (const { ball, node = builder.addBall(ball), strut } of thick) {
    builder.balls[node] = ball;
    if (last >= 0) {
      const piece = { from: last, to: node, kind: builder.struts[strut].kind };
      if (replaced.has(strut)) builder.struts.push(piece);
      else builder.struts[strut] = piece;
      replaced.add(strut);
    }
    last = node;
  }
}
