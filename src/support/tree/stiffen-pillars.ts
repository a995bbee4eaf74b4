import { type Vec3, distanceXy } from "../../geometry/vector.ts";
import {
  MARGIN_MM,
  type Pillar,
  addBars,
  ballAtHeight,
  pillarHeight,
  splitAtJoints,
  tallPillars,
} from "./brace-pillars.ts";
import { type FreeLength, freeLengths, isSlender } from "./buckling.ts";
import type { RoutingSpace } from "./clearance.ts";
import { addSidePillars } from "./side-pillars.ts";
import type { TreeBuilder } from "./support-tree.ts";
import { thickenStruts } from "./thicken-struts.ts";

/** Maximum number of passes over the slender lengths; each brace halves a length. */
const MAX_PASSES = 12;

/**
 * Stiffens the struts that are too slender for their loads ({@link isSlender}): with braces to pillars within reach; else they get
 * thicker; else with a second pillar next to them. `touchLoadsN`: the load of each touch. Struts for which the model leaves no room
 * remain unchanged.
 */
export function stiffenPillars(
  space: RoutingSpace,
  builder: TreeBuilder,
  touches: Int32Array,
  touchLoadsN: Float64Array,
): void {
  const slenderLengths = (): FreeLength[] => freeLengths(builder.build(touches), touchLoadsN).filter(isSlender);
  let slender = slenderLengths();
  for (const stiffen of [addBraces, thickenStruts, addSidePillars]) {
    for (let pass = 0; pass < MAX_PASSES && slender.length > 0; pass++) {
      space.checkCancelled();
      if (!stiffen(space, builder, slender, pass)) break;
      slender = slenderLengths();
    }
  }
}

/** Longest horizontal extent of a bar to a neighbour: even isolated pillars among tall ones have one within it. */
const REACH_MM = 25;
/** Pillars nearer to each other have no room for a bar between them. */
const MIN_APART_MM = 2.5;
/** Bars are this much steeper than 45°. */
const ROUNDING = 1e-3;
/** Places of a joint on a strut, as shares of its length: the middle first. */
const JOINT_SHARES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];

/** Adds one brace to each slender length, where there is a neighbour; returns whether there is any. */
function addBraces(space: RoutingSpace, builder: TreeBuilder, slender: readonly FreeLength[], pass: number): boolean {
  // Bars that lean to both sides stiffen a pair of pillars as a truss.
  const sides = pass % 2 === 0 ? [-1, 1] : [1, -1];
  const pillars = tallPillars(builder, 2 * MARGIN_MM);
  const pillarOf = new Map(pillars.map((pillar) => [pillar.strut, pillar]));
  let isAny = false;
  for (const { struts } of slender) {
    const here = struts.flatMap((strut) => pillarOf.get(strut) ?? []);
    if (here.some(({ joints }) => joints.length > 0)) continue;
    const tallest = here.toSorted((a, b) => pillarHeight(b) - pillarHeight(a));
    isAny = tallest.some((pillar) => addBrace(space, builder, pillar, pillars, sides)) || isAny;
  }
  splitAtJoints(
    builder,
    pillars.filter(({ joints }) => joints.length > 0),
  );
  return isAny;
}

/**
 * Adds a bar at about 45° from a pillar to a neighbour, the nearest first, down (side −1) or up (1) in the given order;
 * returns whether one fits.
 */
function addBrace(
  space: RoutingSpace,
  builder: TreeBuilder,
  one: Pillar,
  pillars: readonly Pillar[],
  sides: readonly number[],
): boolean {
  const near = pillars.filter((pillar) => pillar !== one && isWithinReach(one, pillar));
  return JOINT_SHARES.some((share) => {
    const z = one.bottom.centre[2] + share * pillarHeight(one);
    const { centre } = ballAtHeight(one, z);
    const ends = near.flatMap((pillar) =>
      sides.flatMap((side) => {
        const end = brace(centre, pillar, side);
        return end ? [end] : [];
      }),
    );
    ends.sort((a, b) => a.apart - b.apart || a.pillar.strut - b.pillar.strut);
    return ends.some(({ pillar, z: other }) => {
      const bar = [
        { pillar: one, z },
        { pillar, z: other },
      ];
      return addBars(space, builder, other < z ? bar : bar.toReversed());
    });
  });
}

/** Whether the boxes around two pillars are within {@link REACH_MM} of each other along each axis. */
function isWithinReach(one: Pillar, other: Pillar): boolean {
  const [a, b, c, d] = [one.top.centre, one.bottom.centre, other.top.centre, other.bottom.centre];
  for (let axis = 0; axis < 3; axis++) {
    if (Math.min(a[axis], b[axis]) > Math.max(c[axis], d[axis]) + REACH_MM) return false;
    if (Math.min(c[axis], d[axis]) > Math.max(a[axis], b[axis]) + REACH_MM) return false;
  }
  return true;
}

/** The place at which a bar at 45° from a point meets a pillar below the point (side −1) or above it (1); undefined beyond the reach. */
function brace(
  from: Vec3,
  pillar: Pillar,
  side: number,
): { readonly pillar: Pillar; readonly z: number; readonly apart: number } | undefined {
  // A pillar may lean, so iterate: the height difference of the ends of the bar must equal their horizontal distance.
  let apart = distanceXy(from, ballAtHeight(pillar, from[2]).centre);
  for (let i = 0; i < 3; i++) apart = distanceXy(from, ballAtHeight(pillar, from[2] + side * apart).centre);
  apart *= 1 + ROUNDING;
  const z = from[2] + side * apart;
  const isInside = z >= pillar.bottom.centre[2] + MARGIN_MM && z <= pillar.top.centre[2] - MARGIN_MM;
  const isSteep = distanceXy(from, ballAtHeight(pillar, z).centre) <= apart;
  return isInside && isSteep && apart >= MIN_APART_MM && apart <= REACH_MM ? { pillar, z, apart } : undefined;
}
