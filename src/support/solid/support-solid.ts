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
import { type Vec3, dot, exactLength, subtract, unit } from "../../geometry/vector.ts";
import { intersection, union } from "../../mesh/boolean.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { loft } from "../../mesh/loft.ts";
import { meshReport } from "../../mesh/mesh-report.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { removeCollapsedFacets } from "../../repair/remove-facets.ts";
import type { SupportSettings } from "../support-settings.ts";
import { type Strut, type SupportTree, ballOf } from "../tree/support-tree.ts";
import { type PillarFoot, raftForm, raftProfile } from "./raft-form.ts";
import { buildRaft } from "./raft.ts";
import { type Footing, chainBody, flareBody } from "./strut-body.ts";

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

/**
 * The union of a tree and its raft, in scene coordinates: closed, two facets at each edge, one body per connected component; clipped
 * at the platform and the volume. Throws OPERATION_FAILED for a tree without struts.
 */
export async function supportSolid(request: SupportSolidRequest, progress: Progress): Promise<SupportSolid> {
  const { tree, settings, label } = request;
  if (tree.struts.length === 0) {
    throw operationFailed("No touchpoint has a route to the ground. Turn the model, or allow internal supports.");
  }
  const feet = groundFeet(tree);
  const { bodies: raft, widenMm, isLoose } = await buildRaft({ ...request, feet }, label);
  for (let attempt = 0; ; attempt++) {
    const part = progress.part(attempt / ATTEMPTS, (attempt + 1) / ATTEMPTS);
    const bodies = [...raft, ...treeBodies(tree, feet, settings, widenMm, TURN_PER_ATTEMPT * attempt)];
    const united = await union(bodies, part.part(0, 0.6));
    const mesh = withoutCollapsedFacets(
      await clipToVolume(united, request.volume, part.part(0.6, 0.7)),
      part.part(0.7, 0.9),
    );
    // In single precision vertices may coincide and pinch the surface. The last attempt is accepted anyway: it is
    // closed.
    if (attempt + 1 === ATTEMPTS || isManifold(mesh, part.part(0.9, 1))) return { mesh, isLoose };
  }
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

/** Cosine of 60°: chains end where they would bend more. */
const MIN_BEND_COSINE = 0.5;

/** Chains end where a strut is shorter than this many times the length that the mitre takes of it. */
const MIN_MITRES = 2;

/**
 * Chains of struts, as lists of nodes. Each strut is in one chain. At every node the two struts with the smallest bend
 * are consecutive; all others end there.
 */
export function strutChains({ nodes, struts }: Pick<SupportTree, "nodes" | "struts">): readonly (readonly number[])[] {
  const nodeCount = nodes.length / 4;
  const strutsAt: number[][] = Array.from({ length: nodeCount }, () => []);
  struts.forEach(({ from, to }, i) => {
    strutsAt[from].push(i);
    strutsAt[to].push(i);
  });
  const positionOf = (node: number): Vec3 => [nodes[4 * node], nodes[4 * node + 1], nodes[4 * node + 2]];
  const vectorFrom = (node: number, strut: number): Vec3 =>
    subtract(positionOf(farEnd(struts[strut], node)), positionOf(node));
  const next = strutsAt.map((here, node) =>
    straightestPair(here, (strut) => vectorFrom(node, strut), nodes[4 * node + 3]),
  );
  const isTaken = new Uint8Array(struts.length);
  const follow = (start: number, first: number): number[] => {
    const chain = [start];
    for (let strut = first, node = start; strut >= 0 && isTaken[strut] === 0;) {
      isTaken[strut] = 1;
      node = farEnd(struts[strut], node);
      chain.push(node);
      strut = next[node].get(strut) ?? -1;
    }
    return chain;
  };
  const chains: number[][] = [];
  // From the ends of chains first. The rest are closed chains, which may start anywhere.
  for (const isEnd of [true, false]) {
    struts.forEach(({ from, to }, i) => {
      for (const node of [from, to]) {
        if (isTaken[i] === 0 && next[node].has(i) !== isEnd) chains.push(follow(node, i));
      }
    });
  }
  return chains;
}

const farEnd = ({ from, to }: Strut, node: number): number => (from === node ? to : from);

/** The two consecutive struts of a node, each mapped to the other; empty where there are none. */
function straightestPair(
  struts: readonly number[],
  vectorOf: (strut: number) => Vec3,
  radiusMm: number,
): Map<number, number> {
  let best = new Map<number, number>();
  let straightest = MIN_BEND_COSINE;
  const vectors = struts.map(vectorOf);
  struts.forEach((strut, i) => {
    for (let j = i + 1; j < struts.length; j++) {
      const cosine = -dot(unit(vectors[i]), unit(vectors[j]));
      // A mitre takes r · tan(θ / 2), and tan²(θ / 2) = (1 − cos θ) / (1 + cos θ).
      const mitreMm = radiusMm * Math.sqrt(Math.max(0, 1 - cosine) / (1 + cosine));
      const shortest = Math.min(exactLength(vectors[i]), exactLength(vectors[j]));
      if (cosine <= straightest || shortest < MIN_MITRES * mitreMm) continue;
      straightest = cosine;
      best = new Map([
        [strut, struts[j]],
        [struts[j], strut],
      ]);
    }
  });
  return best;
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
