import type { Progress } from "../core/progress.ts";
import { boxSize } from "../geometry/box.ts";
import { exactLength } from "../geometry/vector.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { intersectingPairs } from "../mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { measureMesh } from "../mesh/measure.ts";
import { findSelfIntersectionFact } from "../mesh/mesh-facts.ts";
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
 * With more intersections than this, manifold-3d unites the solids first: the exact cut takes up to a millisecond for each
 * intersection, and rounding of its result makes new intersections faster than rounds remove them.
 */
const MANY_INTERSECTIONS = 1000;
/**
 * Most intersections that the first cut accepts if bodies cannot be united: such bodies cross themselves. The cut leaves few
 * intersections. A mesh with more than {@link MANY_INTERSECTIONS} in later rounds is a heap, which grows with each round.
 */
const MAX_INTERSECTIONS = 100_000;
/** A second union includes bodies that a repair of their topology has closed. Later rounds remove intersections from rounding. */
const UNITING_ROUNDS = 3;
/** Upper limit of the weld tolerance, as a share of the diagonal of the mesh's box. */
const MAX_TOLERANCE_SHARE = 3e-5;
/** A mesh whose volume is less than its area × diagonal × this share is a sheet with two sides, not a solid. */
const MIN_THICKNESS_SHARE = 1e-7;
/** A repair that keeps less than this share of the area has removed facets that enclosed nothing. It counts as failed. */
const MIN_KEPT_AREA_SHARE = 0.5;
/** A solid has at least as many facets as a tetrahedron. */
export const MIN_FACETS = 4;

/**
 * Shares of the progress at which steps end. Estimates: they have no influence on the result. `united` is the share of
 * {@link repairWithoutRemeshing} at which the rounds start; the tables are those of a round, {@link withoutInternalBodies},
 * {@link uniteTouching} and {@link cutOrUnite}.
 */
const SHARES = {
  united: 0.2,
  round: { repaired: 0.4, cut: 0.9 },
  outer: { removed: 0.5 },
  union: { examined: 0.1, cleaned: 0.2, indexed: 0.4, searched: 0.5, united: 0.9 },
  cut: { searched: 0.2, cut: 0.3, united: 0.4, unfolded: 0.8 },
};

/**
 * Repairs the topology and cuts self-intersections in turn until both leave the mesh unchanged. Undefined if the result bounds no
 * solid. `isKnownFree`: whether the caller has found that the mesh has no self-intersections, so that they are not searched for.
 */
export async function repairWithoutRemeshing(
  mesh: Mesh,
  progress: Progress,
  isKnownFree = false,
): Promise<Mesh | undefined> {
  const diagonalMm = exactLength(boxSize(mesh.box));
  const maxToleranceMm = Math.max(weldToleranceMm(mesh.box, 0), MAX_TOLERANCE_SHARE * diagonalMm);
  const isSolid = (candidate: Mesh, part: Progress): boolean =>
    describeDefects(cachedMeshReport(candidate, part)).length === 0 &&
    candidate.volumeMm3 > MIN_THICKNESS_SHARE * diagonalMm * candidate.areaMm2;
  const united = await uniteTouching(mesh, progress.part(0, SHARES.united));
  if (united === undefined) return undefined;
  // Facets that the union has removed were inside solids.
  const minAreaMm2 = (): number =>
    MIN_KEPT_AREA_SHARE *
    measureMesh(united.vertices, removeDuplicateFacets(united, progress.silent()).triangles).areaMm2;
  const { repaired: repairedShare, cut: cutShare } = SHARES.round;
  let [current, isIntersectionFree] = [united, isKnownFree && united === mesh];
  const rounds = progress.part(SHARES.united, 1);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Each round takes half of the remaining progress: most meshes need one or two.
    const part = rounds.part(1 - 0.5 ** round, 1 - 0.5 ** (round + 1));
    const repairing = part.part(0, repairedShare);
    // After a cut, sheets that share only a vertex are valid. Separating them might cause intersections.
    const repaired =
      round === 0 ? cachedRepairTopology(current, repairing) : repairTopology(current, repairing, "edges");
    if (!isSolid(repaired, repairing)) return undefined;
    if (round === 0 && repaired !== united && repaired.areaMm2 < minAreaMm2()) return undefined;
    if (!isIntersectionFree || repaired !== current) {
      const toleranceMm = Math.min(weldToleranceMm(mesh.box, round), maxToleranceMm);
      const cut = await cutOrUnite(repaired, round, toleranceMm, maxToleranceMm, part.part(repairedShare, cutShare));
      if (cut === undefined || triangleCount(cut.surface) === 0) return undefined;
      if (cut.surface !== repaired) {
        current = canonicalMesh(cut.surface, 1, part.part(cutShare, 1));
        isIntersectionFree = cut.isIntersectionFree;
        continue;
      }
    }
    const outer = withoutInternalBodies(repaired, part.part(cutShare, 1));
    if (outer === repaired && repairTopology(repaired, part.silent()) === repaired) return repaired;
    [current, isIntersectionFree] = [outer, true];
  }
  return undefined;
}

/** The mesh without bodies inside other bodies; the same object if there are none. */
function withoutInternalBodies(mesh: Mesh, progress: Progress): Mesh {
  const { bodies, collapsedFacets } = cachedMeshReport(mesh, progress.silent());
  if (bodies === 1 && collapsedFacets === 0) return mesh;
  const outer = removeInternalBodies(mesh, progress.part(0, SHARES.outer.removed));
  return outer === mesh ? mesh : canonicalMesh(outer, 1, progress.part(SHARES.outer.removed, 1));
}

/** The surface without facets that enclose nothing and would make a search for intersections compare every pair of them. */
export const withoutHeaps = (surface: Surface, progress: Progress): Surface =>
  removeFanFins(removeDuplicateFacets(removeCollapsedFacets(surface), progress));

/**
 * Unites solids with common edges if there are many intersections. Such solids look broken, and a repair of the topology would
 * remove some facets of each. Returns the same object if there are few intersections or no such solids; undefined for a fan, which
 * encloses nothing.
 */
async function uniteTouching(mesh: Mesh, progress: Progress): Promise<Mesh | undefined> {
  const { examined, cleaned, indexed, searched, united: unitedShare } = SHARES.union;
  if (cachedMeshReport(mesh, progress.part(0, examined)).nonManifoldEdges === 0) return mesh;
  if (triangleCount(removeFanFins(mesh)) === 0) return undefined;
  const clean = withoutHeaps(mesh, progress.part(examined, cleaned));
  if (triangleCount(clean) < MIN_FACETS) return mesh;
  const tree = buildBvh(clean, progress.part(cleaned, indexed));
  if (intersectingPairs(tree, progress.part(indexed, searched), MANY_INTERSECTIONS)) return mesh;
  const united = await uniteSolids(clean, progress.part(searched, unitedShare));
  return !united || united === clean ? mesh : canonicalMesh(united, 1, progress.part(unitedShare, 1));
}

/**
 * Cuts a closed mesh along its self-intersections: exactly if there are few, otherwise by a union of its solids, which may leave a
 * few from rounding. Undefined if neither is possible.
 */
async function cutOrUnite(
  mesh: Mesh,
  round: number,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): Promise<CutSurface | undefined> {
  const { searched, cut: cutShare, united: unitedShare, unfolded: unfoldedShare } = SHARES.cut;
  // Most meshes have no self-intersections. This test is quicker than a search for all of them.
  if (!findSelfIntersectionFact(mesh, progress.part(0, searched))) return { surface: mesh, isIntersectionFree: true };
  const resolve = (whole: Mesh, part: Progress, maxPairs?: number): CutSurface | undefined =>
    resolveSelfIntersections(whole, toleranceMm, maxToleranceMm, part, maxPairs);
  if (round >= UNITING_ROUNDS) return resolve(mesh, progress.part(searched, 1), MANY_INTERSECTIONS);
  const cut = resolve(mesh, progress.part(searched, cutShare), MANY_INTERSECTIONS);
  if (cut) return cut;
  const united = await uniteSolids(mesh, progress.part(cutShare, unitedShare));
  if (!united) return undefined;
  if (united !== mesh) return { surface: united, isIntersectionFree: false };
  const maxPairs = round === 0 ? MAX_INTERSECTIONS : MAX_PAIRS;
  const unfolded = unfold(mesh, toleranceMm, maxToleranceMm, maxPairs, progress.part(unitedShare, unfoldedShare));
  if (!unfolded) return undefined;
  const manifold = unfolded === mesh ? mesh : canonicalMesh(unfolded, 1, progress.silent());
  return resolve(manifold, progress.part(unfoldedShare, 1), maxPairs);
}
