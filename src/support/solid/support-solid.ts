import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { boxOf } from "../../geometry/box.ts";
import {
  BOUNDS_TOLERANCE_MM,
  type BuildVolume,
  distanceOutside,
  volumeFootprint,
  volumeRim,
} from "../../geometry/build-volume.ts";
import type { LayerLoad } from "../../hold/layer-loads.ts";
import { groundMm } from "../../hold/support-lift.ts";
import { intersection, union } from "../../mesh/boolean.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { loft } from "../../mesh/loft.ts";
import { meshReport } from "../../mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import { removeCollapsedFacets } from "../../repair/remove-facets.ts";
import type { SupportSettings } from "../support-settings.ts";
import { type SupportTree, ballOf } from "../tree/support-tree.ts";
import { groupsApart } from "./groups-apart.ts";
import { type PillarFoot, raftForm, raftProfile } from "./raft-form.ts";
import { buildRaft } from "./raft.ts";
import { type Footing, chainBody, flareBody } from "./strut-body.ts";
import { strutChains } from "./strut-chains.ts";

export interface SupportSolidRequest {
  readonly tree: SupportTree;
  readonly settings: SupportSettings;
  /** x, y of the convex hull of the model's silhouette, scene coordinates. */
  readonly footprint: Float64Array;
  /** If given, the solid is clipped to the footprint of the volume. */
  readonly volume?: BuildVolume | undefined;
  /** Text of the raft's label. */
  readonly label: string;
  /** Least area on the platform that the raft needs. */
  readonly neededAreaMm2: number;
  /** Pulls of the film that the raft bears, including those that act outside of its outline. */
  readonly loads?: readonly LayerLoad[];
}

export interface SupportSolid {
  readonly mesh: Mesh;
  /** Whether the raft has no room for the area that it needs. */
  readonly isLoose: boolean;
}

/**
 * Unions are tried this many times, each time with the sections of struts turned a little, until the result is
 * manifold.
 */
const ATTEMPTS = 4;
const TURN_PER_ATTEMPT = 0.1;

/** The closed bodies whose union a solid is. */
export interface SolidParts {
  /** All, or those that belong to no group. */
  readonly bodies: readonly Surface[];
  /**
   * Groups of bodies that are united first, each by itself, in any order, on any thread. No body of a group touches a body of another
   * group. None for small trees.
   */
  readonly groups: readonly (readonly Surface[])[];
  readonly isLoose: boolean;
}

/** Trees of fewer bodies are united in one call of the kernel. */
const LEAST_GROUPED = 512;
/** Bodies of a group, about: these unite in 0.1 to 0.2 s. */
const GROUP_SIZE = 128;

/**
 * The union of a tree and its raft, in scene coordinates: closed, two facets at each edge, one body per connected component; clipped
 * at the platform and the volume. Throws OPERATION_FAILED for a tree without struts.
 */
export const supportSolid = (request: SupportSolidRequest, progress: Progress): Promise<SupportSolid> =>
  solidOfAttempts(request, 0, progress);

/** What {@link supportSolid} unites at its first attempt. */
export const solidParts = (request: SupportSolidRequest, progress: Progress): Promise<SolidParts> =>
  partsOfAttempt(request, 0, progress);

/** {@link supportSolid} from its {@link solidParts} and the unions of their groups, in their order. */
export async function solidOfParts(
  request: SupportSolidRequest,
  parts: SolidParts,
  united: readonly Surface[],
  progress: Progress,
): Promise<SupportSolid> {
  const first = progress.part(0, 1 / ATTEMPTS);
  const mesh = await unitedMesh(request, parts, united, first.part(0, 0.9));
  if (isManifold(mesh, first.part(0.9, 1))) return { mesh, isLoose: parts.isLoose };
  return solidOfAttempts(request, 1, progress);
}

async function solidOfAttempts(
  request: SupportSolidRequest,
  firstAttempt: number,
  progress: Progress,
): Promise<SupportSolid> {
  for (let attempt = firstAttempt; ; attempt++) {
    const part = progress.part(attempt / ATTEMPTS, (attempt + 1) / ATTEMPTS);
    const parts = await partsOfAttempt(request, attempt, part.silent());
    const united: Surface[] = [];
    for (const [i, bodies] of parts.groups.entries()) {
      const ofGroup = part.part((0.5 * i) / parts.groups.length, (0.5 * (i + 1)) / parts.groups.length);
      united.push(await union(bodies, ofGroup));
    }
    const mesh = await unitedMesh(request, parts, united, part.part(united.length > 0 ? 0.5 : 0, 0.9));
    // In single precision vertices may coincide and pinch the surface. The last attempt is accepted anyway: it is
    // closed.
    if (attempt + 1 === ATTEMPTS || isManifold(mesh, part.part(0.9, 1))) return { mesh, isLoose: parts.isLoose };
  }
}

async function partsOfAttempt(request: SupportSolidRequest, attempt: number, progress: Progress): Promise<SolidParts> {
  const { tree, settings, label } = request;
  if (tree.struts.length === 0) {
    throw operationFailed("No touchpoint has a route to the ground. Turn the model, or allow internal supports.");
  }
  const feet = groundFeet(tree);
  const { bodies: raft, widenMm, isLoose } = await buildRaft({ ...request, feet }, label);
  const struts = treeBodies(tree, feet, settings, widenMm, TURN_PER_ATTEMPT * attempt);
  if (struts.length < LEAST_GROUPED) return { bodies: [...raft, ...struts], groups: [], isLoose };
  return { bodies: raft, groups: groupsApart(struts, Math.ceil(struts.length / GROUP_SIZE), progress), isLoose };
}

/** The union of bodies and of the groups that are united already, clipped to the volume. */
async function unitedMesh(
  { volume }: SupportSolidRequest,
  { bodies }: SolidParts,
  groups: readonly Surface[],
  progress: Progress,
): Promise<Mesh> {
  const all = groups.length > 0 ? [...bodies, concatenateSurfaces(groups)] : bodies;
  const united = await union(all, progress.part(0, 0.7));
  return withoutCollapsedFacets(await clipToVolume(united, volume, progress.part(0.7, 0.8)), progress.part(0.8, 1));
}

/**
 * The mesh of a surface, without facets of which two corners coincide in single precision; their neighbours then meet.
 */
function withoutCollapsedFacets(surface: Surface, progress: Progress): Mesh {
  const mesh = canonicalMesh(surface, 1, progress.part(0, 0.5));
  const kept = removeCollapsedFacets(mesh);
  return kept === mesh ? mesh : canonicalMesh(kept, 1, progress.part(0.5, 1));
}

function isManifold(mesh: Mesh, progress: Progress): boolean {
  const { openEdges, nonManifoldEdges, misorientedEdges } = meshReport(mesh, progress);
  return openEdges + nonManifoldEdges + misorientedEdges === 0;
}

const groundFeet = ({ nodes, feet }: SupportTree): readonly PillarFoot[] =>
  feet
    .filter(({ on }) => on === "GROUND")
    .map(({ node }) => ({ x: nodes[4 * node], y: nodes[4 * node + 1], radius: nodes[4 * node + 3] }));

/** Flares end this far inside the rim of the base they share: coinciding walls would intersect at random. */
const INSIDE_BASE_MM = 0.02;

/** Radians. Multiples of this angle are never close to each other, so sections of different chains hardly ever have aligned corners. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The closed, overlapping bodies of all struts, and of the flares of pillars without raft. */
function treeBodies(
  tree: SupportTree,
  feet: readonly PillarFoot[],
  settings: SupportSettings,
  widenMm: number,
  turn: number,
): readonly Surface[] {
  const { thicknessMm, marginMm } = raftForm(settings);
  const baseMm = raftProfile(settings).at(-1)?.zMm ?? 0;
  const hasRaft = thicknessMm > 0;
  const footing: Footing = {
    cutMm: Math.min(baseMm / 2, groundMm(settings)),
    isBreakaway: settings.breakawayStructureEnabled && hasRaft,
  };
  const grounded = new Set(tree.feet.filter(({ on }) => on === "GROUND").map(({ node }) => node));
  const bodies = strutChains(tree).map((chain, i) => {
    const fromGround = grounded.has(chain[chain.length - 1]) ? chain.toReversed() : chain;
    const footingOfChain = grounded.has(fromGround[0]) ? footing : undefined;
    return chainBody(
      fromGround.map((node) => ballOf(tree, node)),
      footingOfChain,
      turn + GOLDEN_ANGLE * i,
    );
  });
  if (hasRaft) return bodies;
  const wideMm = marginMm + widenMm;
  const flareMm = baseMm > 0 ? wideMm - INSIDE_BASE_MM : wideMm;
  return [...bodies, ...feet.map((foot) => flareBody(foot, flareMm, baseMm, turn))];
}

const RIM_PIECES = 16;
/** Distance of the cutter from the solid on sides where nothing is clipped. */
const CUTTER_MARGIN_MM = 1;

/** Clips a solid to above the platform and, where there is a volume, to its footprint. */
async function clipToVolume(solid: Surface, volume: BuildVolume | undefined, progress: Progress): Promise<Surface> {
  const { min, max } = boxOf(solid.vertices);
  if (min[2] >= 0 && (!volume || isWithinVolume(solid, volume))) return solid;
  const [left, front, right, back] = [
    min[0] - CUTTER_MARGIN_MM,
    min[1] - CUTTER_MARGIN_MM,
    max[0] + CUTTER_MARGIN_MM,
    max[1] + CUTTER_MARGIN_MM,
  ];
  const rim = volume ? volumeRim(volume, RIM_PIECES).flat() : [left, front, right, front, right, back, left, back];
  const region = [Float64Array.from(rim)];
  return await intersection(
    solid,
    await loft([0, max[2] + CUTTER_MARGIN_MM].map((zMm) => ({ zMm, region }))),
    progress,
  );
}

function isWithinVolume({ vertices }: Surface, volume: BuildVolume): boolean {
  const footprint = volumeFootprint(volume);
  for (let at = 0; at < vertices.length; at += 3) {
    if (distanceOutside(footprint, vertices[at], vertices[at + 1]) > BOUNDS_TOLERANCE_MM) return false;
  }
  return true;
}
