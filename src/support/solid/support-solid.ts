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
import { groundMm } from "../../hold/support-lift.ts";
import { intersection, union } from "../../mesh/boolean.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { loft } from "../../mesh/loft.ts";
import { meshReport } from "../../mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import { removeCollapsedFacets } from "../../repair/remove-facets.ts";
import { ballOf } from "../tree/support-tree.ts";
import { groupsApart } from "./groups-apart.ts";
import { raftForm, raftProfile } from "./raft-form.ts";
import { type SolidBase, type SupportSolidRequest, solidBase } from "./solid-base.ts";
import { type Footing, chainBody } from "./strut-body.ts";
import { strutChains } from "./strut-chains.ts";

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

/** Trees of fewer bodies are united in one call of the kernel: in less than 0.4 s, of which groups would save a quarter. */
const LEAST_GROUPED = 192;
/** Approximate number of bodies of a group: these unite in 0.1 to 0.2 s. */
const GROUP_SIZE = 128;

/**
 * The union of a tree and its raft, in scene coordinates: closed, two facets at each edge, one body per connected component; clipped
 * at the platform and the volume. Throws OPERATION_FAILED for a tree without struts.
 */
export function supportSolid(request: SupportSolidRequest, progress: Progress): Promise<SupportSolid> {
  if (request.tree.struts.length === 0) {
    throw operationFailed("No touchpoint has a route to the ground. Turn the model, or allow internal supports.");
  }
  return solidOfAttempts(request, 0, progress);
}

/**
 * The groups of struts that {@link supportSolid} unites first, each by itself: they may be united in any order, on any thread. No body of
 * a group touches a body of another group. None for small trees.
 */
export const strutGroups = (request: SupportSolidRequest, progress: Progress): readonly (readonly Surface[])[] =>
  groupsOf(strutBodies(request, 0), progress);

/** The base of the first attempt. */
export const supportBase = (request: SupportSolidRequest): Promise<SolidBase> => solidBase(request, 0);

/** {@link supportSolid} from its {@link supportBase} and the unions of its {@link strutGroups}, in their order. */
export async function solidOfGroups(
  request: SupportSolidRequest,
  base: SolidBase,
  united: readonly Surface[],
  progress: Progress,
): Promise<SupportSolid> {
  const first = progress.part(0, 1 / ATTEMPTS);
  const mesh = await unitedMesh(request, base, [concatenateSurfaces(united)], first.part(0, 0.9));
  if (isManifold(mesh, first.part(0.9, 1))) return { mesh, isLoose: base.isLoose };
  return solidOfAttempts(request, 1, progress);
}

async function solidOfAttempts(
  request: SupportSolidRequest,
  firstAttempt: number,
  progress: Progress,
): Promise<SupportSolid> {
  for (let attempt = firstAttempt; ; attempt++) {
    const part = progress.part(attempt / ATTEMPTS, (attempt + 1) / ATTEMPTS);
    const base = await solidBase(request, TURN_PER_ATTEMPT * attempt);
    const bodies = strutBodies(request, TURN_PER_ATTEMPT * attempt);
    const groups = groupsOf(bodies, part.silent());
    const united: Surface[] = [];
    for (const [i, group] of groups.entries()) {
      united.push(await union(group, part.part((0.5 * i) / groups.length, (0.5 * (i + 1)) / groups.length)));
    }
    const struts = groups.length > 0 ? [concatenateSurfaces(united)] : bodies;
    const mesh = await unitedMesh(request, base, struts, part.part(groups.length > 0 ? 0.5 : 0, 0.9));
    // In single precision vertices may coincide and pinch the surface. The last attempt is accepted anyway: it is
    // closed.
    if (attempt + 1 === ATTEMPTS || isManifold(mesh, part.part(0.9, 1))) return { mesh, isLoose: base.isLoose };
  }
}

const groupsOf = (bodies: readonly Surface[], progress: Progress): readonly (readonly Surface[])[] =>
  bodies.length < LEAST_GROUPED ? [] : groupsApart(bodies, Math.ceil(bodies.length / GROUP_SIZE), progress);

/** The union of a base and struts, clipped to the volume. */
async function unitedMesh(
  { volume }: SupportSolidRequest,
  { raft, flares }: SolidBase,
  struts: readonly Surface[],
  progress: Progress,
): Promise<Mesh> {
  const united = await union([...raft, ...struts, ...flares], progress.part(0, 0.7));
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

/** Radians. Multiples of this angle are never close to each other, so sections of different chains hardly ever have aligned corners. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The closed, overlapping bodies of all struts. `turn`: angle of the corners of their sections, radians. */
function strutBodies({ tree, settings }: SupportSolidRequest, turn: number): readonly Surface[] {
  const baseMm = raftProfile(settings).at(-1)?.zMm ?? 0;
  const footing: Footing = {
    cutMm: Math.min(baseMm / 2, groundMm(settings)),
    isBreakaway: settings.breakawayStructureEnabled && raftForm(settings).thicknessMm > 0,
  };
  const grounded = new Set(tree.feet.filter(({ on }) => on === "GROUND").map(({ node }) => node));
  return strutChains(tree).map((chain, i) => {
    const fromGround = grounded.has(chain[chain.length - 1]) ? chain.toReversed() : chain;
    const footingOfChain = grounded.has(fromGround[0]) ? footing : undefined;
    return chainBody(
      fromGround.map((node) => ballOf(tree, node)),
      footingOfChain,
      turn + GOLDEN_ANGLE * i,
    );
  });
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
