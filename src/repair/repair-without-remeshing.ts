import type { Progress } from "../core/progress.ts";
import { boxSize } from "../geometry/box.ts";
import { exactLength } from "../geometry/vector.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { intersectingPairs, isSelfIntersecting } from "../mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { measureMesh } from "../mesh/measure.ts";
import { cachedMeshReport, describeDefects } from "../mesh/mesh-report.ts";
import { type Mesh, type Surface, triangleCount } from "../mesh/mesh.ts";
import { removeCollapsedFacets, removeDuplicateFacets, removeFanFins, removeInternalBodies } from "./remove-facets.ts";
import { cachedRepairTopology, repairTopology } from "./repair-topology.ts";
import type { CutSurface } from "./resolve-locally.ts";
import { MAX_PAIRS, resolveSelfIntersections, weldToleranceMm } from "./resolve-self-intersections.ts";
import { unfold } from "./unfold/unfold.ts";
import { uniteSolids } from "./unite-solids.ts";

/** Rounding after a cut may cause new intersections. Few meshes need more than two rounds. */
const MAX_ROUNDS = 12;
/**
 * With more intersections than this solids are united by manifold-3d first: the exact cut takes up to a millisecond for each,
 * and rounding such results creates new intersections faster than rounds remove them.
 */
const MANY_INTERSECTIONS = 1000;
/**
 * Most intersections that the first cut accepts where bodies cannot be united: such bodies cross themselves. It leaves few of them,
 * and what has more in later rounds than {@link MANY_INTERSECTIONS} is a heap, which grows with each round.
 */
const MAX_INTERSECTIONS = 100_000;
/** A second union catches bodies that a repair of their topology has closed. Later rounds remove what rounding has left. */
const UNITING_ROUNDS = 3;
/** Upper limit of the weld tolerance, as a share of the diagonal of the mesh's box. */
const MAX_TOLERANCE_SHARE = 3e-5;
/** A mesh whose volume is less than its area × diagonal × this share is a sheet with two sides, not a solid. */
const MIN_THICKNESS_SHARE = 1e-7;
/** A repair that keeps less of the area than this has removed facets that enclosed nothing. It counts as failed. */
const MIN_KEPT_AREA_SHARE = 0.5;
/** A solid has at least as many facets as a tetrahedron. */
export const LEAST_FACETS = 4;

/** Share of the progress of {@link repairWithoutRemeshing} at which the rounds start. */
const UNITED_SHARE = 0.2;
/**
 * Repairs the topology and cuts self-intersections in turn until neither changes the mesh any more. Undefined where the
 * result does not bound a solid.
 */
export async function repairWithoutRemeshing(mesh: Mesh, progress: Progress): Promise<Mesh | undefined> {
  const diagonalMm = exactLength(boxSize(mesh.box));
  const maxToleranceMm = Math.max(weldToleranceMm(mesh.box, 0), MAX_TOLERANCE_SHARE * diagonalMm);
  const isSolid = (candidate: Mesh, part: Progress): boolean =>
    describeDefects(cachedMeshReport(candidate, part)).length === 0 &&
    candidate.volumeMm3 > MIN_THICKNESS_SHARE * diagonalMm * candidate.areaMm2;
  const united = await uniteTouching(mesh, progress.part(0, UNITED_SHARE));
  if (united === undefined) return undefined;
  // What the union has removed was inside of solids.
  const minAreaMm2 = (): number =>
    MIN_KEPT_AREA_SHARE *
    measureMesh(united.vertices, removeDuplicateFacets(united, progress.silent()).triangles).areaMm2;
  let [current, isIntersectionFree] = [united, false];
  const rounds = progress.part(UNITED_SHARE, 1);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Each round takes half of the remaining progress: most meshes need one or two.
    const part = rounds.part(1 - 0.5 ** round, 1 - 0.5 ** (round + 1));
    // Sheets that share only a vertex after a cut are valid, and might intersect if they were separated.
    const repaired =
      round === 0
        ? cachedRepairTopology(current, part.part(0, 0.4))
        : repairTopology(current, part.part(0, 0.4), "edges");
    if (!isSolid(repaired, part.part(0, 0.4))) return undefined;
    if (round === 0 && repaired !== united && repaired.areaMm2 < minAreaMm2()) return undefined;
    if (!isIntersectionFree || repaired !== current) {
      const toleranceMm = Math.min(weldToleranceMm(mesh.box, round), maxToleranceMm);
      const cut = await cutOrUnite(repaired, round, toleranceMm, maxToleranceMm, part.part(0.4, 0.9));
      if (cut === undefined || triangleCount(cut.surface) === 0) return undefined;
      if (cut.surface !== repaired) {
        [current, isIntersectionFree] = [canonicalMesh(cut.surface, 1, part.part(0.9, 1)), cut.isIntersectionFree];
        continue;
      }
    }
    const { bodies, collapsedFacets } = cachedMeshReport(repaired, part.silent());
    const isOneBody = bodies === 1 && collapsedFacets === 0;
    const outer = isOneBody ? repaired : removeInternalBodies(repaired, part.part(0.9, 0.95));
    if (outer === repaired && repairTopology(repaired, part.silent()) === repaired) return repaired;
    const next = outer === repaired ? repaired : canonicalMesh(outer, 1, part.part(0.95, 1));
    [current, isIntersectionFree] = [next, true];
  }
  return undefined;
}

/** The surface without facets that enclose nothing and would take a search for intersections into every pair of them. */
export const withoutHeaps = (surface: Surface, progress: Progress): Surface =>
  removeFanFins(removeDuplicateFacets(removeCollapsedFacets(surface), progress));

/**
 * Unites solids that share edges, and so look broken, where there are many intersections: repairing the topology first would
 * take away some facets of each. The same object where there are few, or no such solids; undefined for a fan, which encloses nothing.
 */
async function uniteTouching(mesh: Mesh, progress: Progress): Promise<Mesh | undefined> {
  if (cachedMeshReport(mesh, progress.part(0, 0.1)).nonManifoldEdges === 0) return mesh;
  if (triangleCount(removeFanFins(mesh)) === 0) return undefined;
  const clean = withoutHeaps(mesh, progress.part(0.1, 0.2));
  if (triangleCount(clean) < LEAST_FACETS) return mesh;
  const tree = buildBvh(clean, progress.part(0.2, 0.4));
  if (intersectingPairs(tree, progress.part(0.4, 0.5), MANY_INTERSECTIONS)) return mesh;
  const united = await uniteSolids(clean, progress.part(0.5, 0.9));
  return !united || united === clean ? mesh : canonicalMesh(united, 1, progress.part(0.9, 1));
}

/**
 * Cuts a closed mesh along its self-intersections: exactly where they are few, else by uniting its solids, which may leave a few
 * by rounding. Undefined where neither is possible.
 */
async function cutOrUnite(
  mesh: Mesh,
  round: number,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): Promise<CutSurface | undefined> {
  // Most meshes have no self-intersections, which is quicker to tell than where they are.
  if (!isSelfIntersecting(mesh, progress.part(0, 0.2))) return { surface: mesh, isIntersectionFree: true };
  const resolve = (whole: Mesh, part: Progress, maxPairs?: number): CutSurface | undefined =>
    resolveSelfIntersections(whole, toleranceMm, maxToleranceMm, part, maxPairs);
  if (round >= UNITING_ROUNDS) return resolve(mesh, progress.part(0.2, 1), MANY_INTERSECTIONS);
  const cut = resolve(mesh, progress.part(0.2, 0.3), MANY_INTERSECTIONS);
  if (cut) return cut;
  const united = await uniteSolids(mesh, progress.part(0.3, 0.4));
  if (!united) return undefined;
  if (united !== mesh) return { surface: united, isIntersectionFree: false };
  const maxPairs = round === 0 ? MAX_INTERSECTIONS : MAX_PAIRS;
  const unfolded = unfold(mesh, toleranceMm, maxToleranceMm, maxPairs, progress.part(0.4, 0.8));
  if (!unfolded) return undefined;
  const manifold = unfolded === mesh ? mesh : canonicalMesh(unfolded, 1, progress.silent());
  return resolve(manifold, progress.part(0.8, 1), maxPairs);
}
