import { buildBvh, type Bvh } from "../mesh/bvh/bvh.ts";
import type { Progress } from "../core/progress.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { splitByLabel } from "../mesh/bodies.ts";
import { type WindingField, windingField } from "../mesh/bvh/fast-winding-number.ts";
import { bvhsIntersect } from "../mesh/bvh/placed-bvh.ts";
import { intersectingPairs, isSelfIntersecting } from "../mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
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

/** Rounding after a cut may cause new intersections. The tolerance of the next cut is greater by this factor. */
export const TOLERANCE_GROWTH = 4;

/** The result of cutting a surface along its self-intersections. */
export interface CutSurface {
  readonly surface: Surface;
  /** Whether it is known to have no self-intersections after rounding to single precision. */
  readonly isIntersectionFree: boolean;
}

/** A mesh with self-intersections: a closed mesh, or a patch of one. */
interface SelfIntersectingMesh {
  readonly mesh: Mesh;
  readonly tree: Bvh;
  /** The winding number of the whole closed surface. Facets of the mesh can be excluded. */
  readonly windingNumberAt: WindingField;
  /** The facets that intersect, two indices per pair. */
  readonly pairs: Uint32Array;
}

/** A connected part of a region around intersections. */
type Cluster = Omit<SelfIntersectingMesh, "tree">;

/** Shares of the progress at which steps end: of {@link resolveLocally} and, as `patch`, of {@link cutAndRepairPatch}. Estimates. */
const SHARES = {
  clustered: 0.1,
  cut: 0.8,
  joined: 0.82,
  compared: 0.9,
  patch: { cut: 0.7, canonical: 0.8 },
};
/** Shares of the progress of a trial with one tolerance at which steps end. Estimates. */
const TRIAL_SHARES = { cut: 0.5, indexed: 0.55, searched: 0.6, reindexed: 0.65, continued: 0.9 };

/**
 * Cuts only a region near the intersections, by clusters of facets that are connected there, and then near the remaining
 * intersections, as long as their number falls. The tolerance grows up to `maxToleranceMm` until it falls. The boundary of a cluster
 * stays unchanged. A cluster for which this fails stays unchanged as a whole. Undefined if it fails for all clusters, or if more
 * than the region is inside the solid; {@link UNCUTTABLE} if a cut of the whole surface would fail, too.
 */
export function resolveLocally(
  { mesh, tree, windingNumberAt, pairs }: SelfIntersectingMesh,
  isNear: Uint8Array,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): CutSurface | typeof UNCUTTABLE | undefined {
  const clusters = clustersOf({ mesh, windingNumberAt, pairs }, isNear, progress.part(0, SHARES.clustered));
  if (!clusters.every(isClusterOnOutside)) return undefined;
  const facets = clusters.reduce((sum, cluster) => sum + triangleCount(cluster.mesh), 0);
  const cutting = progress.part(SHARES.clustered, SHARES.cut);
  let done = 0;
  const cuts: (CutSurface | undefined)[] = [];
  for (const cluster of clusters) {
    const from = done / facets;
    done += triangleCount(cluster.mesh);
    const cut = resolveCluster(cluster, toleranceMm, maxToleranceMm, cutting.part(from, done / facets));
    if (cut === UNCUTTABLE) return UNCUTTABLE;
    cuts.push(cut);
  }
  if (cuts.every((cut) => cut === undefined)) return undefined;
  const surfaces = cuts.map((cut, i) => cut?.surface ?? clusters[i].mesh);
  const after = canonicalMesh(concatenateSurfaces(surfaces), 1, progress.part(SHARES.cut, SHARES.joined));
  const isFree = cuts.every((cut) => cut?.isIntersectionFree === true);
  const others = filterFacets(mesh, (facet) => isNear[facet] === 0);
  return {
    surface: triangleCount(others) > 0 ? concatenateSurfaces([others, after]) : after,
    isIntersectionFree:
      isFree &&
      (clusters.length === 1 || !isSelfIntersecting(after, progress.part(SHARES.joined, SHARES.compared))) &&
      !intersectsOutsideRegion(after, clusters, tree, isNear, progress.part(SHARES.compared, 1)),
  };
}

/** The clusters of a region: facets connected by vertices or intersections. */
function clustersOf({ mesh, windingNumberAt, pairs }: Cluster, isNear: Uint8Array, progress: Progress): Cluster[] {
  const { triangles } = mesh;
  const sets = newDisjointSets(triangleCount(mesh));
  const facetAt = new Int32Array(mesh.vertices.length / 3).fill(NONE);
  for (let corner = 0; corner < triangles.length; corner++) {
    const facet = (corner / 3) | 0;
    if (isNear[facet] === 0) continue;
    if (facetAt[triangles[corner]] === NONE) facetAt[triangles[corner]] = facet;
    else sets.join(facetAt[triangles[corner]], facet);
  }
  for (let at = 0; at < pairs.length; at += 2) sets.join(pairs[at], pairs[at + 1]);
  const labels = new Int32Array(triangleCount(mesh)).fill(NONE);
  // The canonical form of a cluster keeps the order of its facets.
  const indexIn = new Uint32Array(labels.length);
  const sizes: number[] = [];
  for (let facet = 0; facet < labels.length; facet++) {
    if (isNear[facet] === 0) continue;
    const root = sets.find(facet);
    if (labels[root] === NONE) labels[root] = sizes.push(0) - 1;
    labels[facet] = labels[root];
    indexIn[facet] = sizes[labels[root]]++;
  }
  progress.report(0.5);
  const { starts, items } = bucketBy(
    pairs.filter((_, at) => at % 2 === 0).map((facet) => labels[facet]),
    sizes.length,
  );
  return splitByLabel(mesh, labels, sizes.length).map((surface, label) => ({
    mesh: canonicalMesh(surface, 1, progress.silent()),
    pairs: Uint32Array.from(
      [...items.subarray(starts[label], starts[label + 1])].flatMap((pair) => [
        indexIn[pairs[2 * pair]],
        indexIn[pairs[2 * pair + 1]],
      ]),
    ),
    windingNumberAt: (point, isExcluded) =>
      windingNumberAt(point, isExcluded && ((facet) => labels[facet] === label && isExcluded(indexIn[facet]))),
  }));
}

const NONE = -1;

/** A cluster that the arrangement cannot cut, with any tolerance. */
export const UNCUTTABLE = Symbol("uncuttable");

const isClusterOnOutside = ({ mesh, windingNumberAt, pairs }: Cluster): boolean =>
  isRegionOnOutside(mesh, new Uint8Array(triangleCount(mesh)).fill(1), pairs, windingNumberAt);

/** Cuts one cluster; undefined if this fails. */
function resolveCluster(
  { mesh, windingNumberAt, pairs }: Cluster,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): CutSurface | typeof UNCUTTABLE | undefined {
  let rest = progress;
  let least = Infinity;
  for (let tolerance = toleranceMm; ; tolerance *= TOLERANCE_GROWTH) {
    // Each tolerance takes half of the remaining progress: most patches need one.
    const part = rest.part(0, 0.5);
    rest = rest.part(0.5, 1);
    const patch = cutAndRepairPatch(
      mesh,
      pairs,
      windingNumberAt,
      tolerance,
      maxToleranceMm,
      part.part(0, TRIAL_SHARES.cut),
    );
    if (patch === UNCUTTABLE) return UNCUTTABLE;
    const patchTree = patch && buildBvh(patch, part.part(TRIAL_SHARES.cut, TRIAL_SHARES.indexed));
    const patchPairs =
      patchTree && intersectingPairs(patchTree, part.part(TRIAL_SHARES.indexed, TRIAL_SHARES.searched));
    if (patchPairs?.length === 0) return { surface: patch!, isIntersectionFree: true };
    if (patchPairs && patchPairs.length < pairs.length) {
      const [removed, added] = [
        windingField(buildBvh(mesh, part.part(TRIAL_SHARES.searched, TRIAL_SHARES.reindexed))),
        windingField(patchTree),
      ];
      const windingAfter: WindingField = (point, isExcluded) =>
        Math.fround(windingNumberAt(point) - removed(point) + added(point, isExcluded));
      const cut = { mesh: patch, tree: patchTree, windingNumberAt: windingAfter, pairs: patchPairs };
      const isNear = regionAround(patch, patchPairs);
      const further = resolveLocally(
        cut,
        isNear,
        toleranceMm,
        maxToleranceMm,
        part.part(TRIAL_SHARES.reindexed, TRIAL_SHARES.continued),
      );
      return typeof further === "object" ? further : { surface: patch, isIntersectionFree: false };
    }
    // Facets of a metre that coincide within micrometres: each cut leaves more intersections than the one before.
    const left = patchPairs?.length ?? least;
    if (left > least || tolerance >= maxToleranceMm) return undefined;
    least = left;
  }
}

/** The patch, cut along its intersections and repaired; undefined if its boundary would change. */
function cutAndRepairPatch(
  mesh: Mesh,
  pairs: Uint32Array,
  windingNumberAt: WindingField,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): Mesh | typeof UNCUTTABLE | undefined {
  const cutting = progress.part(0, SHARES.patch.cut);
  const cut = cutSelfIntersections(mesh, pairs, windingNumberAt, toleranceMm, maxToleranceMm, cutting);
  if (!cut) return UNCUTTABLE;
  if (triangleCount(cut) === 0) return undefined;
  const boundary = patchBoundary(mesh);
  const patch = repairPatch(
    canonicalMesh(cut, 1, progress.part(SHARES.patch.cut, SHARES.patch.canonical)),
    boundary,
    progress.part(SHARES.patch.canonical, 1),
  );
  return patch && patchBoundary(patch).edges.isSubsetOf(boundary.edges) ? patch : undefined;
}

/** Whether new facets of clusters intersect facets of the whole surface outside their region. */
function intersectsOutsideRegion(
  after: Mesh,
  before: readonly Cluster[],
  whole: Bvh,
  isInRegion: Uint8Array,
  progress: Progress,
): boolean {
  const known = new Set(
    before.flatMap(({ mesh }) => Array.from({ length: triangleCount(mesh) }, (_, facet) => facetKey(mesh, facet))),
  );
  const added = filterFacets(after, (facet) => !known.has(facetKey(after, facet)));
  if (triangleCount(added) === 0) return false;
  const tree = buildBvh(added, progress.part(0, 0.5));
  return bvhsIntersect(tree, whole, (facet) => isInRegion[facet] === 0, progress.part(0.5, 1));
}

/** A later pass may repair a defect that an earlier pass could not. */
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
 * Repairs a patch after a cut: removes degenerate facets, splits non-manifold edges and fills the holes that the cut has left. The
 * boundary of the patch stays open. Undefined if other open or non-manifold edges remain.
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
