import { type BodyGroup, groupGrid } from "../../check/body-group.ts";
import { MIN_CUP_MM3 } from "../../check/cups.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { boxSize } from "../../geometry/box.ts";
import { toSceneSpace } from "../../geometry/pose.ts";
import { type Vec3, distance } from "../../geometry/vector.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { boreRegions } from "../../solid/drain/bore-regions.ts";
import {
  type DiametersMm,
  type DrainCandidate,
  type DrainedPart,
  type HoleKind,
  areHolesApart,
  cylinderOf,
  holesFor,
} from "../../solid/drain/candidate-holes.ts";
import { type SealedLimits, chooseHoles, sealedWith } from "../../solid/drain/choose-holes.ts";
import { type LeftSealed, sealedPockets } from "../../solid/drain/drain-proof.ts";
import { fillSpecks } from "../../solid/drain/fill-specks.ts";
import { type LayeredPart, endAt, layeredPart } from "../../solid/drain/layered-part.ts";
import type { SealedSpace, Sealing } from "../../solid/drain/sealed-spaces.ts";
import { type DrilledMesh, drill } from "../../solid/drill/drill.ts";
import { type Plug, makePlugs } from "../../solid/drill/plugs.ts";
import { oneSolid } from "../../solid/one-solid.ts";
import type { KeepOut } from "../vent/keep-out.ts";
import { NO_LUCK, bodyOf, groupWith, rawVent } from "../vent/vent-model.ts";
import { newHoleKeepOut } from "./hole-keep-out.ts";

export interface DrainRequest {
  /** The model alone, at its place, with its supports. */
  readonly group: BodyGroup;
  readonly keepOut: KeepOut;
  readonly diametersMm: DiametersMm;
  readonly maxPoolMm3: number;
  /** Gap between a plug and its hole in the scene, mm; no plugs if absent. */
  readonly plugGapMm?: number | undefined;
}

/** A hole that was drilled, in the scene. */
export interface DrilledHole extends Pick<DrainCandidate, "position" | "direction" | "diameterMm" | "depthMm"> {
  readonly kind: HoleKind;
}

/** A space that stays sealed, at a point of its end in the scene. */
export interface UndrainedSpace {
  readonly sealing: Sealing;
  readonly volumeMm3: number;
  readonly point: Vec3;
  readonly reason: string;
}

export interface DrainedModel {
  /** The mesh itself if nothing was drilled or filled. */
  readonly mesh: Mesh;
  readonly holes: readonly DrilledHole[];
  readonly plugs: readonly Plug[];
  /** In the scene. */
  readonly filled: readonly { readonly point: Vec3; readonly volumeMm3: number }[];
  /** Cups and pools before. */
  readonly sealedBefore: number;
  /** The greatest volume of a cup and of a pool of the layers of the mesh, also below the limits. */
  readonly largestCupMm3: number;
  readonly largestPoolMm3: number;
  /** Cups and pools beyond the limits, the largest first. */
  readonly left: readonly UndrainedSpace[];
}

/** Cavities of less are filled: resin neither leaves them nor prints well around them (mm³; a working value). */
const SPECK_MM3 = 30;
/** Rounds of drilling and proving; each forbids the holes that did not open what they should. */
const MOST_ROUNDS = 5;
/** The pixel of layers, mm: as of cups, or for boxes wider than {@link WIDE_MM} the coarser one. */
const PIXEL_MM = 0.1;
const WIDE_PIXEL_MM = 0.2;
const WIDE_MM = 60;
/** As of cups, in pixels: walls at round distances do not cover pixels by exactly a half. */
const GRID_SHIFT = 0.15;
/** Rounding of sums of pixels. */
const ROUNDING_MM3 = 1e-6;

/** Drills the fewest holes by which the cavities of a model drain and breathe, and proves it on the layers of the drilled mesh. */
export async function drainModel(request: DrainRequest, progress: Progress): Promise<DrainedModel> {
  const original = bodyOf(request.group).placed.mesh;
  const { scale } = bodyOf(request.group).placed.pose;
  const solid = await oneSolid(original, progress.part(0, 0.1));
  const { mesh: speckless, filled } = fillSpecks(solid, SPECK_MM3 / scale ** 3, progress.part(0.1, 0.12));
  const start = filled.length === 0 ? solid : speckless;
  const group = filled.length === 0 ? request.group : groupWith(request.group, start);
  const { placed } = bodyOf(group);
  const found = await drillRounds({ ...request, group }, start, progress.part(0.12, 0.9));
  const { chosen, layered, reasons } = found;
  const pockets = sealedPockets(layered.space);
  const largest = (sealing: Sealing): number => pockets.find((one) => one.sealing === sealing)?.volumeMm3 ?? 0;
  const isChanged = chosen.length > 0 || filled.length > 0;
  return {
    mesh: chosen.length > 0 ? found.mesh : isChanged ? start : original,
    holes: chosen.map(({ kind, position, direction, diameterMm, depthMm }) => ({
      kind,
      position,
      direction,
      diameterMm,
      depthMm,
    })),
    plugs: await plugsOf(request, start, found, progress.part(0.9, 1)),
    filled: filled.map(({ point, volume }) => ({ point: toSceneSpace(placed, point), volumeMm3: volume * scale ** 3 })),
    sealedBefore: found.sealedBefore,
    largestCupMm3: largest("CUP"),
    largestPoolMm3: largest("POOL"),
    left: pockets.filter((one) => isBeyond(one, request)).map((one) => undrainedOf(one, layered, reasons)),
  };
}

const limitsOf = ({ maxPoolMm3 }: DrainRequest): SealedLimits => ({
  maxCupMm3: MIN_CUP_MM3 - ROUNDING_MM3,
  maxPoolMm3,
});

const isBeyond = ({ sealing, volumeMm3 }: LeftSealed, { maxPoolMm3 }: DrainRequest): boolean =>
  sealing === "CUP" ? volumeMm3 >= MIN_CUP_MM3 : volumeMm3 > maxPoolMm3;

interface Drilled {
  readonly mesh: Mesh;
  readonly chosen: readonly DrainCandidate[];
  /** Those of the chosen holes. */
  readonly bores: DrilledMesh["bores"];
  readonly layered: LayeredPart;
  readonly leftCount: number;
}

/** Why a space has no hole, at a point of its end. */
interface Reason {
  readonly point: Vec3;
  readonly text: string;
}

interface DrillRounds extends Drilled {
  readonly sealedBefore: number;
  readonly reasons: readonly Reason[];
}

/** Chooses and drills holes until the layers of the drilled mesh are as predicted; the best of at most {@link MOST_ROUNDS} rounds. */
async function drillRounds(request: DrainRequest, solid: Mesh, progress: Progress): Promise<DrillRounds> {
  const { group, diametersMm } = request;
  const limits = limitsOf(request);
  const layered = layersOf(group, progress.part(0, 0.2));
  const demands = sealedWith(layered.space, [], limits);
  let best: Drilled = { mesh: solid, chosen: [], bores: [], layered, leftCount: demands.length };
  if (demands.length === 0) return { ...best, sealedBefore: 0, reasons: [] };
  const { placed } = bodyOf(group);
  const part: DrainedPart = { placed: { ...placed, mesh: solid }, tree: buildBvh(solid, progress.silent()), layered };
  const keptOut = newHoleKeepOut(request.keepOut, part, group);
  const reasons: Reason[] = [];
  let candidates = demands.flatMap((demand, i): DrainCandidate[] => {
    progress.report(0.2 + (0.2 * i) / demands.length);
    const holes = holesFor(demand, demands, part, diametersMm, keptOut);
    if (typeof holes !== "string") return holes;
    reasons.push({ point: endPoint(layered, demand), text: holes });
    return [];
  });
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const ofRound = progress.part(0.4 + (0.6 * round) / MOST_ROUNDS, 0.4 + (0.6 * (round + 1)) / MOST_ROUNDS);
    const choice = { space: layered.space, candidates, limits, areApart: areHolesApart };
    const { chosen, left } = chooseHoles(choice, ofRound.part(0, 0.4));
    if (chosen.length === 0) break;
    const drilled = await drilledWith(chosen, solid, group, ofRound.part(0.4, 1));
    const stays = sealedWith(drilled.layered.space, [], limits);
    if (stays.length < best.leftCount) best = { ...drilled, leftCount: stays.length };
    if (stays.length <= left.length) break;
    const bad = chosen.filter((hole) => stays.some((space) => isMet(hole, drilled.layered, space)));
    if (bad.length === 0) break;
    candidates = candidates.filter((one) => !bad.includes(one));
  }
  return { ...best, sealedBefore: demands.length, reasons };
}

async function drilledWith(
  chosen: readonly DrainCandidate[],
  solid: Mesh,
  group: BodyGroup,
  progress: Progress,
): Promise<Omit<Drilled, "leftCount">> {
  const { placed } = bodyOf(group);
  const holes = chosen.map((hole) => rawVent(hole, placed, hole.diameterMm));
  const { mesh, bores } = await drill(solid, holes, progress.part(0, 0.5));
  return { mesh, chosen, bores, layered: layersOf(groupWith(group, mesh), progress.part(0.5, 1)) };
}

function layersOf(group: BodyGroup, progress: Progress): LayeredPart {
  const pixelMm = boxSize(group.gridBox).some((mm) => mm > WIDE_MM) ? WIDE_PIXEL_MM : PIXEL_MM;
  const grid = groupGrid(group, pixelMm, GRID_SHIFT * pixelMm);
  const placed = group.bodies.map((body) => body.placed);
  return layeredPart({ placed, boundariesMm: group.boundariesMm, grid }, progress);
}

/** Whether a hole is in a space that stays sealed. */
function isMet(hole: DrainCandidate, layered: LayeredPart, { members }: SealedSpace): boolean {
  const { first, regions } = boreRegions(layered, cylinderOf(hole));
  return members.some(({ layer, region }) => regions[layer - first]?.includes(region));
}

const endPoint = (layered: LayeredPart, { sealing, members: [end] }: SealedSpace): Vec3 =>
  middleOf(endAt(layered, must(end, "A region of a sealed space"), sealing).points);

const middleOf = (points: readonly Vec3[]): Vec3 => must(points[points.length >> 1], "A point of a region");

/** Ends of spaces nearer to each other are the same, mm. */
const SAME_END_MM = 2;

function undrainedOf(
  { sealing, volumeMm3, end }: LeftSealed,
  layered: LayeredPart,
  reasons: readonly Reason[],
): UndrainedSpace {
  const point = middleOf(endAt(layered, end, sealing).points);
  const near = reasons.find((one) => distance(one.point, point) < SAME_END_MM);
  return { sealing, volumeMm3, point, reason: near?.text ?? NO_LUCK };
}

/** The plugs of the holes, in the coordinates of the raw mesh. */
async function plugsOf(
  { group, plugGapMm }: DrainRequest,
  solid: Mesh,
  { bores }: Drilled,
  progress: Progress,
): Promise<Plug[]> {
  if (plugGapMm === undefined || bores.length === 0) return [];
  const { scale } = bodyOf(group).placed.pose;
  return makePlugs(solid, bores, [...bores.keys()], plugGapMm / scale, progress);
}
