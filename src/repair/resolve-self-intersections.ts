import type { Progress } from "../core/progress.ts";
import type { Box } from "../geometry/box.ts";
import { buildBvh, type Bvh } from "../mesh/bvh/bvh.ts";
import { type WindingField, windingField } from "../mesh/bvh/fast-winding-number.ts";
import { bvhsIntersect } from "../mesh/bvh/placed-bvh.ts";
import { intersectingPairs } from "../mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { float32SpacingMm } from "../mesh/measure.ts";
import { type MeshReport, meshReport } from "../mesh/mesh-report.ts";
import { concatenateSurfaces, filterFacets, type Mesh, type Surface, triangleCount } from "../mesh/mesh.ts";
import { cutSelfIntersections } from "./arrangement/cut-self-intersections.ts";
import { removeFlatFacets } from "./collapse-cap-triangles.ts";
import { fillHoles } from "./fill-holes.ts";
import {
  facetKey,
  isRegionOnOutside,
  type PatchBoundary,
  patchBoundary,
  positionKey,
  regionAround,
} from "./intersection-region.ts";
import { removeCollapsedFacets, removeDuplicateFacets, removeFlatFins } from "./remove-facets.ts";
import { separateCoincidentVertices } from "./separate-coincident-vertices.ts";
import { splitNonManifoldVertices } from "./split-non-manifold-vertices.ts";

/** Initial weld tolerance, as a multiple of the single-precision spacing at the largest coordinate: above rounding errors. */
const TOLERANCE_STEPS = 8;
/** Rounding after a cut may cause new intersections. The next cut has a tolerance greater by this factor. */
const TOLERANCE_GROWTH = 4;

/** The weld tolerance of a round of cutting, from 0. */
export const weldToleranceMm = (box: Box, round: number): number =>
  TOLERANCE_STEPS * float32SpacingMm(box) * TOLERANCE_GROWTH ** round;

/** The result of cutting a surface along its self-intersections. */
export interface CutSurface {
  readonly surface: Surface;
  /** Whether it is known to have no self-intersections after rounding to single precision. */
  readonly isIntersectionFree: boolean;
}

/** With more intersections than this, a surface is seldom a damaged solid. */
const MAX_PAIRS = 20_000;

/** With more than this share of the facets near intersections, cutting the whole mesh is as fast. */
const MAX_REGION_SHARE = 0.5;

/**
 * Cuts a closed mesh along its self-intersections and removes what is inside: bodies that overlap become one. Vertices of cuts
 * are welded within `toleranceMm`, and where the result intersects itself again, within up to `maxToleranceMm`. Returns
 * the same object where there are no intersections; undefined where there are more than `maxPairs` or cutting fails.
 */
export function resolveSelfIntersections(
  mesh: Mesh,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
  maxPairs = MAX_PAIRS,
): CutSurface | undefined {
  const tree = buildBvh(mesh, progress.part(0, 0.15));
  const pairs = intersectingPairs(tree, progress.part(0.15, 0.28), maxPairs);
  if (!pairs) return undefined;
  if (pairs.length === 0) return { surface: mesh, isIntersectionFree: true };
  const windingNumberAt = windingField(tree);
  const isNear = regionAround(mesh, pairs);
  progress.report(0.29);
  const nearCount = isNear.reduce((sum, one) => sum + one, 0);
  if (nearCount < MAX_REGION_SHARE * triangleCount(mesh) && isRegionOnOutside(mesh, isNear, pairs, windingNumberAt)) {
    const local = resolveLocally(
      { mesh, tree, windingNumberAt, pairs },
      isNear,
      toleranceMm,
      maxToleranceMm,
      progress.part(0.3, 0.8),
    );
    if (local) return local;
  }
  const cutting = progress.part(0.3, 1);
  cutting.report(0);
  const surface = cutSelfIntersections(mesh, pairs, windingNumberAt, toleranceMm, maxToleranceMm, cutting);
  return surface && { surface, isIntersectionFree: false };
}

/** A mesh with self-intersections: a closed one, or a patch of one. */
interface SelfIntersectingMesh {
  readonly mesh: Mesh;
  readonly tree: Bvh;
  /** That of the whole closed surface, in which facets of the mesh can be excluded. */
  readonly windingNumberAt: WindingField;
  /** The facets that intersect, two indices per pair. */
  readonly pairs: Uint32Array;
}

/**
 * Cuts only the region near the intersections, then the region near those that remain, as long as their number falls. The
 * tolerance grows up to `maxToleranceMm` until it does. The boundary of a patch stays unchanged. Undefined where this
 * fails, or where more than the region is inside.
 */
export function resolveLocally(
  { mesh, tree, windingNumberAt, pairs }: SelfIntersectingMesh,
  isNear: Uint8Array,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): CutSurface | undefined {
  const before = canonicalMesh(
    filterFacets(mesh, (facet) => isNear[facet] === 1),
    1,
    progress.part(0, 0.05),
  );
  // The canonical form keeps the order of the facets.
  const indexInRegion = indicesInRegion(isNear);
  const pairsBefore = pairs.map((facet) => indexInRegion[facet]);
  const windingBefore: WindingField = (point, isExcluded) =>
    windingNumberAt(point, isExcluded && ((facet) => isNear[facet] === 1 && isExcluded(indexInRegion[facet])));
  let rest = progress.part(0.05, 1);
  for (let tolerance = toleranceMm; ; tolerance *= TOLERANCE_GROWTH) {
    // Each tolerance takes half of the remaining progress: most patches need one.
    const part = rest.part(0, 0.5);
    rest = rest.part(0.5, 1);
    const cutting = part.part(0, 0.5);
    const patch = cutAndRepairPatch(before, pairsBefore, windingBefore, tolerance, maxToleranceMm, cutting);
    const patchTree = patch && buildBvh(patch, part.part(0.5, 0.55));
    const patchPairs = patchTree && intersectingPairs(patchTree, part.part(0.55, 0.6));
    if (patchPairs && patchPairs.length < pairs.length) {
      const [removed, added] = [windingField(buildBvh(before, part.part(0.6, 0.65))), windingField(patchTree)];
      const windingAfter: WindingField = (point, isExcluded) =>
        Math.fround(windingNumberAt(point) - removed(point) + added(point, isExcluded));
      const cut = { mesh: patch, tree: patchTree, windingNumberAt: windingAfter, pairs: patchPairs };
      const hasIntersections = patchPairs.length > 0;
      const further = hasIntersections
        ? resolveLocally(cut, regionAround(patch, patchPairs), toleranceMm, maxToleranceMm, part.part(0.65, 0.85))
        : undefined;
      const after = further ? canonicalMesh(further.surface, 1, part.part(0.85, 0.9)) : patch;
      const others = filterFacets(mesh, (facet) => isNear[facet] === 0);
      return {
        surface: triangleCount(others) > 0 ? concatenateSurfaces([others, after]) : after,
        isIntersectionFree:
          (further?.isIntersectionFree ?? !hasIntersections) &&
          !intersectsOutsideRegion(after, before, tree, isNear, part.part(0.9, 1)),
      };
    }
    if (tolerance >= maxToleranceMm) return undefined;
  }
}

/** For each facet of a region its index among them. */
function indicesInRegion(isNear: Uint8Array): Uint32Array {
  const indices = new Uint32Array(isNear.length);
  let count = 0;
  for (let facet = 0; facet < isNear.length; facet++) if (isNear[facet] === 1) indices[facet] = count++;
  return indices;
}

/** The patch, cut along its intersections and repaired; undefined where this would change its boundary. */
function cutAndRepairPatch(
  mesh: Mesh,
  pairs: Uint32Array,
  windingNumberAt: WindingField,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): Mesh | undefined {
  const cutting = progress.part(0, 0.7);
  const cut = cutSelfIntersections(mesh, pairs, windingNumberAt, toleranceMm, maxToleranceMm, cutting);
  if (!cut || triangleCount(cut) === 0) return undefined;
  const boundary = patchBoundary(mesh);
  const patch = repairPatch(canonicalMesh(cut, 1, progress.part(0.7, 0.8)), boundary, progress.part(0.8, 1));
  return patch && patchBoundary(patch).edges.isSubsetOf(boundary.edges) ? patch : undefined;
}

/** Whether new facets of a patch intersect facets of the whole surface outside the region of the patch. */
function intersectsOutsideRegion(
  patch: Mesh,
  before: Mesh,
  whole: Bvh,
  isInRegion: Uint8Array,
  progress: Progress,
): boolean {
  const known = new Set(Array.from({ length: triangleCount(before) }, (_, facet) => facetKey(before, facet)));
  const added = filterFacets(patch, (facet) => !known.has(facetKey(patch, facet)));
  if (triangleCount(added) === 0) return false;
  const tree = buildBvh(added, progress.part(0, 0.5));
  return bvhsIntersect(tree, whole, (facet) => isInRegion[facet] === 0, progress.part(0.5, 1));
}

/** A later pass may repair what an earlier one could not. */
const MAX_PASSES = 3;

const PATCH_STEPS: readonly ((surface: Surface, progress: Progress, boundary: PatchBoundary) => Surface)[] = [
  removeCollapsedFacets,
  removeDuplicateFacets,
  removeFlatFins,
  removeFlatFacets,
  (surface) => splitNonManifoldVertices(surface, "edges"),
  (surface, progress, { positions }) =>
    fillHoles(surface, progress, (loop) => !loop.every((v) => positions.has(positionKey(surface, v)))),
  removeDuplicateFacets,
  separateCoincidentVertices,
];

/**
 * Repairs a patch after a cut: removes degenerate facets, splits non-manifold edges and fills the holes that the cut has left.
 * The boundary of the patch stays open. Undefined where other open or non-manifold edges remain.
 */
function repairPatch(patch: Mesh, boundary: PatchBoundary, progress: Progress): Mesh | undefined {
  const isRepaired = (report: MeshReport): boolean =>
    report.nonManifoldEdges + report.misorientedEdges + report.duplicateFacets + report.collapsedFacets === 0 &&
    report.openEdges === boundary.edges.size;
  let repaired = patch;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    if (isRepaired(meshReport(repaired, progress))) return repaired;
    const next = PATCH_STEPS.reduce((surface: Surface, step) => step(surface, progress, boundary), repaired);
    if (next === repaired || triangleCount(next) === 0) return undefined;
    repaired = canonicalMesh(next, 1, progress);
  }
  return isRepaired(meshReport(repaired, progress)) ? repaired : undefined;
}
