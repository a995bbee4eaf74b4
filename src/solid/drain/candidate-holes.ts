import { memoize } from "../../core/memoize.ts";
import { rotateVector, rotationMatrix } from "../../geometry/pose.ts";
import { type Vec3, add, distance, dot, times, unitOrZero } from "../../geometry/vector.ts";
import { facetNormal } from "../../mesh/mesh.ts";
import { type VentStart, type VentedPart, type WayOut, isOpenAt, keepsWall, straightWays } from "../vent/ways-out.ts";
import { type Cylinder, boreRegions } from "./bore-regions.ts";
import type { HoleCandidate } from "./choose-holes.ts";
import { type LayeredPart, endAt } from "./layered-part.ts";
import type { SealedSpace } from "./sealed-spaces.ts";

/** VENT lets air into a cup, DRAIN lets resin out of a pool; BOTH is so wide that air comes in while resin leaves. */
export type HoleKind = "VENT" | "DRAIN" | "BOTH";

/** A hole that may be drilled, in the scene. */
export interface DrainCandidate extends HoleCandidate {
  readonly kind: HoleKind;
  readonly diameterMm: number;
  /** On the outer surface. */
  readonly position: Vec3;
  /** Unit vector into the part. */
  readonly direction: Vec3;
  /** From the position. */
  readonly depthMm: number;
}

/** A part with the empty space of its layers. */
export interface DrainedPart extends VentedPart {
  readonly layered: LayeredPart;
}

export interface DiametersMm {
  readonly vent: number;
  readonly drain: number;
}

/** Why a hole may not leave the part at the end of a way; undefined if it may. */
export type KeepOutTest = (way: WayOut, diameterMm: number) => string | undefined;

/** Diameter of a hole through which air comes in while resin leaves: two columns side by side, mm (derived, not proven on a printer). */
const BOTH_MM = 5;
/** Longest hole, mm: as the default of `vent`. */
const MOST_LENGTH_MM = 30;
/** The wall that stays between a hole and an edge of the part, and between two holes, mm. */
const RIM_MM = 1;
/** Distance outside of the surface at which a hole begins, mm: the default of `drill`. */
const OUTSET_MM = 1;
/** Greatest angle between the axis and the surface normal, as its cosine: 45°. */
const LEAST_COS = Math.SQRT1_2;
/** A face is flat to the film if its normal is this near to the vertical. */
const FLAT_COS = 0.9;
/** Added to the cost, in mm, of a hole in such a face: its rim is a new edge under suction. */
const FLAT_COST_MM = 20;
/** Ways that are kept for one sealed space, and those among them that pass through further cavities. */
const MOST_WAYS = 12;
const MOST_PASSING = 8;
/** With more sealed spaces fewer ways are tried for each: there are many ends that a hole may open. */
const MANY_SPACES = 8;
const FEW_STARTS = 2;

/** The holes that would open a sealed space, or why there are none. `all`: the other sealed spaces of the part. */
export function holesFor(
  sealed: SealedSpace,
  all: readonly SealedSpace[],
  part: DrainedPart,
  diametersMm: DiametersMm,
  keptOut: KeepOutTest,
): DrainCandidate[] | string {
  const { vent, drain } = diametersMm;
  const bothMm = Math.max(BOTH_MM, vent, drain);
  const usual =
    sealed.sealing === "CUP"
      ? ({ kind: "VENT", diameterMm: vent } as const)
      : { kind: "DRAIN" as const, diameterMm: drain };
  const kinds = isThinBesides(sealed, all, part, bothMm)
    ? [usual, { kind: "BOTH" as const, diameterMm: bothMm }]
    : [usual];
  const { members } = sealed;
  // The first member is the end of the space. A hole farther from it still keeps what stays within the limit.
  const starts = [...new Set([members[0], members[members.length >> 1], members.at(-1)!])];
  let reason = NO_WAY;
  for (const member of starts) {
    const end = endAt(part.layered, member, sealed.sealing);
    const moreStarts = all.length > MANY_SPACES ? FEW_STARTS : undefined;
    const found = kinds.map((kind) => holesFrom(end, part, { ...kind, ...(moreStarts && { moreStarts }) }, keptOut));
    const holes = found.flatMap((one) => (typeof one === "string" ? [] : one));
    if (holes.length > 0) return holes;
    reason = found.find((one) => typeof one === "string") ?? reason;
  }
  return reason;
}

const NO_WAY = `no straight way of at most ${MOST_LENGTH_MM} mm leads out of its end`;

/** Whether the other end of the cavity of a sealed space, such as a pool above a cup, is within the reach of one hole. */
function isThinBesides(
  { sealing, members: [end] }: SealedSpace,
  all: readonly SealedSpace[],
  { layered: { space, cavityOf } }: DrainedPart,
  reachMm: number,
): boolean {
  return all.some(({ sealing: other, members: [otherEnd] }) => {
    const heightMm = Math.abs(space.boundariesMm[otherEnd.layer] - space.boundariesMm[end.layer]);
    return other !== sealing && heightMm <= reachMm && cavityOf(otherEnd) === cavityOf(end);
  });
}

interface HoleShape {
  readonly kind: HoleKind;
  readonly diameterMm: number;
  readonly moreStarts?: number;
}

function holesFrom(
  end: VentStart,
  part: DrainedPart,
  shape: HoleShape,
  keptOut: KeepOutTest,
): DrainCandidate[] | string {
  const { diameterMm } = shape;
  const limits = { ...shape, maxLengthMm: MOST_LENGTH_MM, rimMm: RIM_MM };
  const ways = straightWays(end, part, limits);
  const isSound = (way: WayOut): boolean =>
    outwardCos(way, part) >= LEAST_COS && isOpenAt(way, part) && keepsWall(way, part, limits);
  const rated = ways.map((way) => ({ way, cost: costOf(way, part) })).toSorted((a, b) => a.cost - b.cost);
  // Few of the ways are needed, and their tests take most of the time.
  const isFree = memoize(({ way }: RatedWay) => isSound(way) && keptOut(way, diameterMm) === undefined);
  const chosen = spread(rated, diameterMm, isFree);
  if (chosen.length > 0) return chosen.map(({ way, cost }) => candidateOf(way, cost, shape, part));
  if (!ways.some((way) => isOpenAt(way, part))) return NO_WAY;
  const sound = ways.find(isSound);
  if (!sound) return `no way out keeps a wall of ${RIM_MM} mm around a hole of ${diameterMm} mm`;
  return keptOut(sound, diameterMm) ?? NO_WAY;
}

/** Cosine of the angle between the way and the normal of the surface where it leaves the part. */
function outwardCos({ inward, facet }: WayOut, part: DrainedPart): number {
  return -dot(inward, sceneNormal(facet, part));
}

const sceneNormal = (facet: number, { placed: { mesh, pose } }: DrainedPart): Vec3 =>
  rotateVector(rotationMatrix(pose.orientation), unitOrZero(facetNormal(mesh, facet)));

const costOf = ({ facet, lengthMm }: WayOut, part: DrainedPart): number =>
  lengthMm + (sceneNormal(facet, part)[2] > FLAT_COS ? FLAT_COST_MM : 0);

interface RatedWay {
  readonly way: WayOut;
  readonly cost: number;
}

type WayTest = (rated: RatedWay) => boolean;

/** The cheapest free ways, and those through the most walls, with exits at least a radius apart. */
function spread(rated: readonly RatedWay[], diameterMm: number, isFree: WayTest): RatedWay[] {
  const passing = rated.filter(({ way }) => way.walls > 1).toSorted((a, b) => b.way.walls - a.way.walls);
  const gapMm = diameterMm / 2;
  return [...apart(rated, gapMm, MOST_WAYS, isFree), ...apart(passing, gapMm, MOST_PASSING, isFree)];
}

/** The first `most` free ways with exits at least `gapMm` from each other. */
function apart(rated: readonly RatedWay[], gapMm: number, most: number, isFree: WayTest): RatedWay[] {
  const kept: RatedWay[] = [];
  for (const one of rated) {
    if (kept.length >= most) break;
    if (kept.every(({ way }) => distance(way.exit, one.way.exit) >= gapMm) && isFree(one)) kept.push(one);
  }
  return kept;
}

/**
 * The hole reaches into the cavity by its radius, so that it is also open where the wall is curved or inclined, and at least to the end
 * of the space.
 */
function candidateOf(
  { exit, inward, lengthMm, reachMm }: WayOut,
  cost: number,
  { kind, diameterMm }: HoleShape,
  { layered }: DrainedPart,
): DrainCandidate {
  const hole = { position: exit, direction: inward, diameterMm, depthMm: Math.max(lengthMm + diameterMm / 2, reachMm) };
  return {
    ...hole,
    kind,
    cost,
    bore: boreRegions(layered, cylinderOf(hole)),
    opensCups: kind !== "DRAIN",
    drainsPools: kind !== "VENT",
  };
}

/** The space that a hole cuts. */
export const cylinderOf = ({
  position,
  direction,
  diameterMm,
  depthMm,
}: Pick<DrainCandidate, "position" | "direction" | "diameterMm" | "depthMm">): Cylinder => ({
  start: add(position, times(direction, -OUTSET_MM)),
  direction,
  lengthMm: OUTSET_MM + depthMm,
  radiusMm: diameterMm / 2,
});

/** Whether a wall is left between two holes where they leave the part. */
export const areHolesApart = (a: DrainCandidate, b: DrainCandidate): boolean =>
  distance(a.position, b.position) >= (a.diameterMm + b.diameterMm) / 2 + RIM_MM;
