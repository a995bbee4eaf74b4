import { type Ball, type Vec3, cosSin } from "../../geometry/vector.ts";
import {
  MARGIN_MM,
  type Pillar,
  addBars,
  pillarHeight,
  isVertical,
  splitAtJoints,
  tallPillars,
} from "./brace-pillars.ts";
import type { FreeLength } from "./buckling.ts";
import { type RoutingSpace, strutFits } from "./clearance.ts";
import { CLEARANCE_MM, TWIG_RADIUS_MM, type TreeBuilder, footRadius } from "./support-tree.ts";

/** Distances of a side pillar that are tried. Bars at 45° hold the pillar at every second multiple of it. */
const DISTANCES_MM = [5, 7, 10];
const DIRECTIONS = Array.from({ length: 16 }, (_, i) => cosSin((i * Math.PI) / 8));
/** Largest cosine between two side pillars of one pillar: 60°. */
const MAX_COSINE = 0.5;

/**
 * Sets a second pillar next to each of the slender lengths, joined to it by a zigzag of bars; if the length may move to all sides, a
 * third one on another side. Returns whether any was set.
 */
export function addSidePillars(space: RoutingSpace, builder: TreeBuilder, slender: readonly FreeLength[]): boolean {
  const pillars = tallPillars(builder, 2 * MARGIN_MM).filter(isVertical);
  const pillarOf = new Map(pillars.map((pillar) => [pillar.strut, pillar]));
  let isAny = false;
  for (const { struts, isFree } of slender) {
    const [tallest] = struts
      .flatMap((strut) => pillarOf.get(strut) ?? [])
      .sort((a, b) => pillarHeight(b) - pillarHeight(a));
    if (!tallest) continue;
    const taken: (readonly number[])[] = [];
    for (let missing = isFree ? 2 : 1; missing > 0; missing--) {
      const direction = DIRECTIONS.find(
        ([x, y]) =>
          taken.every(([u, v]) => x * u + y * v <= MAX_COSINE) &&
          DISTANCES_MM.some((apart) => addSidePillar(space, builder, tallest, [x * apart, y * apart], taken.length)),
      );
      if (!direction) break;
      taken.push(direction);
    }
    isAny ||= taken.length > 0;
  }
  splitAtJoints(
    builder,
    pillars.filter(({ joints }) => joints.length > 0),
  );
  return isAny;
}

/**
 * Sets a pillar next to another, with a zigzag from the top of the other down; returns whether it fits. `others`: pillars that exist
 * already, whose zigzags end above its own.
 */
function addSidePillar(
  space: RoutingSpace,
  builder: TreeBuilder,
  one: Pillar,
  [dx, dy]: readonly [number, number],
  others: number,
): boolean {
  const apart = Math.sqrt(dx * dx + dy * dy);
  const [x, y] = [one.top.centre[0] + dx, one.top.centre[1] + dy];
  const high = one.top.centre[2] - (1 + 2 * others) * MARGIN_MM;
  const low = one.bottom.centre[2] + MARGIN_MM;
  const at = (z: number): Vec3 => [x, y, z];
  const topMm = high - apart + MARGIN_MM;
  const heightMm = topMm - space.groundMm;
  if (high - low < apart || heightMm < 2 * MARGIN_MM) return false;
  const top: Ball = { centre: at(topMm), radiusMm: TWIG_RADIUS_MM };
  const foot: Ball = { centre: at(space.groundMm), radiusMm: footRadius(TWIG_RADIUS_MM, heightMm) };
  if (!strutFits(space, top, foot, CLEARANCE_MM)) return false;
  const side: Pillar = { strut: builder.struts.length, top, bottom: foot, joints: [] };
  const bars = Math.floor((high - low) / apart);
  const ends = Array.from({ length: bars + 1 }, (_, i) => ({ pillar: i % 2 === 0 ? one : side, z: high - i * apart }));
  if (!addBars(space, builder, ends)) return false;
  const topNode = builder.addBall(top);
  builder.feet.push({ node: builder.addBall(foot), on: "GROUND" });
  const strut = builder.struts.push({ from: topNode, to: topNode + 1, kind: "PILLAR" }) - 1;
  splitAtJoints(builder, [{ ...side, strut }]);
  return true;
}
