import type { BodyGroup, GroupBody } from "../../check/body-group.ts";
import { type CupBottom, findCupBottoms } from "../../check/cup-bottoms.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { boxCentre } from "../../geometry/box.ts";
import { directionToModelSpace, toModelSpace, toSceneSpace } from "../../geometry/pose.ts";
import { type Vec3, add, distance, times } from "../../geometry/vector.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import { filledMesh } from "../../mesh/filled-mesh.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { Hole } from "../../solid/drill/bore.ts";
import { drill } from "../../solid/drill/drill.ts";
import { oneSolid } from "../../solid/one-solid.ts";
import { type VentedPart, type WayLimits, type WayOut, waysOut } from "../../solid/vent/ways-out.ts";
import { type KeepOut, newKeepOut } from "./keep-out.ts";

export interface VentRequest extends WayLimits {
  /** The model alone, at its place; its only body. */
  readonly group: BodyGroup;
  readonly keepOut: KeepOut;
}

/** A hole of a vent in the scene. */
export interface Vent {
  /** On the outer surface. */
  readonly position: Vec3;
  /** Unit vector into the cup. */
  readonly direction: Vec3;
  readonly depthMm: number;
  /** Whether it takes away what a tip of supports holds. */
  readonly meetsTip: boolean;
}

/** A cup that stays, and why. */
export interface UnventedCup {
  readonly point: Vec3;
  readonly reason: string;
}

export interface VentedModel {
  /** The mesh itself if no cup is vented. */
  readonly mesh: Mesh;
  readonly vents: readonly Vent[];
  readonly cupsBefore: number;
  readonly cupsAfter: number;
  readonly unvented: readonly UnventedCup[];
}

/** Rounds of drilling and counting. Each opens the lowest end of all cups that are left; few parts have cups with more ends. */
const MOST_ROUNDS = 8;
/** Ways that are tried for a cup before it is left. */
const MOST_TRIES = 4;
/** Ends of cups nearer to each other are the same, mm. */
const SAME_END_MM = 1;

/** A cup of this round with the way that is tried for it. */
interface Trial {
  readonly cup: CupBottom;
  readonly vent: Vent;
}

/** Drills holes that vent the cups of a model, as long as counting the cups again shows that they do. */
export async function ventModel(request: VentRequest, progress: Progress): Promise<VentedModel> {
  const body = bodyOf(request.group);
  const original = body.placed.mesh;
  const solid = await oneSolid(original, progress.part(0, 0.1));
  const part: VentedPart = { placed: { ...body.placed, mesh: solid }, tree: buildBvh(solid, progress.silent()) };
  const isKeptOut = newKeepOut(request.keepOut, part, request.diameterMm);
  let cups = findCupBottoms(request.group, progress.part(0.1, 0.2));
  const cupsBefore = cups.length;
  let [mesh, vents]: [Mesh, readonly Vent[]] = [original, []];
  const tried: Vent[] = [];
  const reasons = new Map<CupBottom, string>();
  for (let round = 0; round < MOST_ROUNDS && cups.length > 0; round++) {
    const ofRound = progress.part(0.2 + (0.8 * round) / MOST_ROUNDS, 0.2 + (0.8 * (round + 1)) / MOST_ROUNDS);
    reasons.clear();
    const trials = cups.flatMap((cup): Trial[] => {
      const way = nextWay(cup, part, request, isKeptOut, tried);
      if (typeof way !== "string") return [{ cup, vent: ventOf(way, request, isKeptOut(way) === "TOUCHED") }];
      reasons.set(cup, way);
      return [];
    });
    if (trials.length === 0) break;
    tried.push(...trials.map(({ vent }) => vent));
    const all = [...vents, ...trials.map(({ vent }) => vent)];
    const drilled = await drilledMesh(solid, part.placed, all, request, ofRound.part(0, 0.4));
    const left = findCupBottoms(groupWith(request.group, drilled), ofRound.part(0.4, 0.7));
    const failed = trials.filter(({ cup, vent }) => left.some((one) => isNear(one, cup, vent, request)));
    if (failed.length === 0) [mesh, vents, cups] = [drilled, all, left];
    else {
      vents = all.filter((vent) => !failed.some((trial) => trial.vent === vent));
      mesh =
        vents.length === 0 ? original : await drilledMesh(solid, part.placed, vents, request, ofRound.part(0.7, 0.8));
      cups = findCupBottoms(groupWith(request.group, mesh), ofRound.part(0.8, 1));
    }
  }
  const unvented = cups.map((cup) => ({ point: middleOf(cup), reason: reasons.get(cup) ?? NO_LUCK }));
  return { mesh, vents, cupsBefore, cupsAfter: cups.length, unvented };
}

/** The model of a group of one model. */
export const bodyOf = ({ bodies }: BodyGroup): GroupBody =>
  must(
    bodies.find(({ isSupport }) => !isSupport),
    "The body of the group",
  );

/** Why a space stays closed although there was a way out. */
export const NO_LUCK = "the holes that were tried did not open it";

/** The next way out of a cup that was not tried yet, or why there is none. */
function nextWay(
  cup: CupBottom,
  part: VentedPart,
  limits: WayLimits,
  isKeptOut: (way: WayOut) => "NEVER" | "TOUCHED" | undefined,
  tried: readonly Vent[],
): WayOut | string {
  const { ways, hasNarrow } = waysOut(cup, part, limits);
  const { maxLengthMm, diameterMm } = limits;
  if (!hasNarrow) return `no straight way of at most ${maxLengthMm} mm leads out of its lower end`;
  if (ways.length === 0)
    return `no way out keeps a wall of ${diameterMm} mm to the edges of the part: try a smaller diameter`;
  const allowed = ways.filter((way) => isKeptOut(way) !== "NEVER");
  if (allowed.length === 0) return "each way out meets an area that supports must never touch";
  const near = tried.filter((vent) => distance(vent.position, middleOf(cup)) < maxLengthMm + spreadOf(cup));
  const isNew = (way: WayOut): boolean => near.every((vent) => distance(vent.position, way.exit) > diameterMm);
  const fresh = allowed.filter(isNew);
  if (near.length >= MOST_TRIES * MOST_ROUNDS) return NO_LUCK;
  return fresh.find((way) => isKeptOut(way) === undefined) ?? fresh[0] ?? NO_LUCK;
}

const middleOf = ({ points }: CupBottom): Vec3 => must(points[points.length >> 1], "A point of a cup");
const spreadOf = (cup: CupBottom): number => Math.max(...cup.points.map((point) => distance(point, middleOf(cup))));

/** The hole reaches into the cup by its radius, so that it also opens where the wall is curved or inclined. */
const ventOf = ({ exit, inward, lengthMm }: WayOut, { diameterMm }: WayLimits, meetsTip: boolean): Vent => ({
  position: exit,
  direction: inward,
  depthMm: lengthMm + diameterMm / 2,
  meetsTip,
});

/** Whether a cup that is left is the one that a vent was to open: it has the same end, or is in the hole. */
function isNear(
  left: CupBottom,
  cup: CupBottom,
  { position, direction, depthMm }: Vent,
  { diameterMm }: WayLimits,
): boolean {
  const isAtEnd = (point: Vec3): boolean => cup.points.some((one) => distance(one, point) < SAME_END_MM);
  const isInHole = (point: Vec3): boolean =>
    Array.from({ length: 9 }, (_, i) => add(position, times(direction, (depthMm * i) / 8))).some(
      (place) => distance(place, point) < diameterMm / 2 + SAME_END_MM,
    );
  return left.points.some((point) => isAtEnd(point) || isInHole(point));
}

/** A hole in the coordinates of the raw mesh. */
export const rawVent = (
  { position, direction, depthMm }: Pick<Vent, "position" | "direction" | "depthMm">,
  placed: PlacedMesh,
  diameterMm: number,
): Hole => ({
  position: toModelSpace(placed, position),
  direction: directionToModelSpace(placed.pose, direction),
  diameterMm: diameterMm / placed.pose.scale,
  depthMm: depthMm / placed.pose.scale,
  outsetMm: OUTSET_MM / placed.pose.scale,
});

/** As the default of `drill`. */
const OUTSET_MM = 1;

const drilledMesh = async (
  solid: Mesh,
  placed: PlacedMesh,
  vents: readonly Vent[],
  { diameterMm }: WayLimits,
  progress: Progress,
): Promise<Mesh> =>
  (
    await drill(
      solid,
      vents.map((vent) => rawVent(vent, placed, diameterMm)),
      progress,
    )
  ).mesh;

/** The group with another mesh of its model at the same place; supports and infill stay. */
export function groupWith(group: BodyGroup, mesh: Mesh): BodyGroup {
  const body = bodyOf(group);
  // A hole at the rim may shrink the box, whose centre is the origin of the pose.
  const position = toSceneSpace(body.placed, boxCentre(mesh.box));
  const placed = { mesh: filledMesh(mesh, body.placed.mesh.infill), pose: { ...body.placed.pose, position } };
  return { ...group, bodies: group.bodies.map((one) => (one === body ? { ...body, placed } : one)) };
}
