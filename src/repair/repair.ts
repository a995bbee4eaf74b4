import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { boxSize } from "../geometry/box.ts";
import { exactLength } from "../geometry/vector.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { measureMesh } from "../mesh/measure.ts";
import { cachedMeshReport, describeDefects } from "../mesh/mesh-report.ts";
import { concatenateSurfaces, type Mesh, solidVolumeMm3, type Surface, triangleCount } from "../mesh/mesh.ts";
import { enclosesNothing, isDebris } from "./debris.ts";
import { droppedAreaMm2 } from "./dropped-faces.ts";
import { newRepairBudget, type RepairBudget } from "./repair-budget.ts";
import { isFlat } from "./is-flat.ts";
import { farthestFromRemeshedMm, remeshDeviates, remeshDeviationMm } from "./remesh-deviation.ts";
import { remesh } from "./remesh.ts";
import { type GroupedRepair, repairGroups } from "./repair-groups.ts";
import { cachedRepairTopology } from "./repair-topology.ts";
import { MIN_FACETS, repairWithoutRemeshing, withoutHeaps } from "./repair-without-remeshing.ts";
import { isClosed } from "./row-windings.ts";
import { withOverlapsOnce, withSolidVolume } from "./solid-volume.ts";

export interface RepairResult {
  /**
   * The repaired mesh; the same object as the input if nothing had to be repaired, or the repair failed. If it failed for some
   * groups of touching bodies, only the others are repaired.
   */
  readonly mesh: Mesh;
  /** Whether `mesh` bounds a solid: it is closed, manifold, faces outward and does not intersect itself. */
  readonly isClosedManifold: boolean;
  /** Hausdorff distance between the input and `mesh`; only if bodies were remeshed. */
  readonly deviationMm?: number;
  /**
   * The volume that the facets of the input enclosed, mm³; if there are gaps, by the signed volumes of all facets, so that overlaps
   * count more than once. Only if bodies were remeshed.
   */
  readonly enclosedMm3?: number;
  /** If a remesh of closed bodies was rejected because of its volume: that volume, and the volume that the bodies enclose, mm³. */
  readonly refused?: { readonly remeshedMm3: number; readonly enclosedMm3: number };
  /** True if the repair failed because it took too many steps. */
  readonly isOutOfSteps?: boolean;
  /** If the repair failed: the defects of the input, in words. */
  readonly defects?: readonly string[];
  /** The volume of the solid that was made of faces that enclosed nothing, mm³. */
  readonly closedMm3?: number;
  /** The area of faces that enclosed nothing and were left out, mm². */
  readonly droppedMm2?: number;
}

interface RepairOptions {
  readonly maxSteps?: number;
  /** Whether the caller has found that the mesh has no self-intersections: the repair does not search for them. */
  readonly isIntersectionFree?: boolean;
}

/**
 * Most steps of a repair: 12 s and 100 µs for each facet. The check before it and the remeshing have their own bounds. Assemblies and
 * bodies that cross themselves take a tenth to a third of this, other models less.
 */
const MAX_STEPS = 12_000 * STEPS_PER_REPORT;
const MAX_STEPS_PER_FACET = 0.1 * STEPS_PER_REPORT;
/** Share of the steps for the repair as a whole. The others remain for groups of bodies and for remeshing. */
const WHOLE_SHARE = 0.7;
const TOPOLOGY_SHARE = 1 / 6;

/** A remeshed surface farther away than this share of the diagonal has another shape. It counts as failed. */
const MAX_DEVIATION_SHARE = 0.1;
/**
 * A remesh of closed bodies whose volume differs by more than this share has lost walls or filled gaps that are thinner than its
 * voxels. It counts as failed: slices of the closed bodies are correct without a repair, by winding numbers. Voxels alone change the
 * volume by up to 1 %.
 */
const MAX_VOLUME_CHANGE = 0.03;

/**
 * Shares of the progress at which the steps end. Estimates: they have no influence on the result. Debris has no steps between
 * `repaired` and `grouped`.
 */
const SHARES = {
  examined: 0.05,
  judged: 0.06,
  repaired: 0.6,
  welded: 0.62,
  grouped: 0.65,
  tried: 0.67,
  remeshed: 0.8,
  joined: 0.81,
  indexed: 0.815,
  compared: 0.83,
  mended: 0.95,
};

const maxStepsOf = (mesh: Mesh): number => MAX_STEPS + MAX_STEPS_PER_FACET * triangleCount(mesh);

const NOTHING: Surface = { vertices: new Float32Array(0), triangles: new Uint32Array(0) };

/**
 * Makes a mesh the closed, outward boundary of a solid: by {@link cachedRepairTopology} and {@link resolveSelfIntersections}. If
 * these fail or take more than `maxSteps`, the bodies that are still broken are remeshed ({@link remesh}).
 */
export async function repair(
  mesh: Mesh,
  progress: Progress,
  { maxSteps = maxStepsOf(mesh), isIntersectionFree = false }: RepairOptions = {},
): Promise<RepairResult> {
  const budget = newRepairBudget(maxSteps);
  const result = await repairOrRemesh(mesh, isIntersectionFree, budget, progress);
  progress.report(1);
  if (!result.isClosedManifold) {
    return {
      ...result,
      defects: defectsOf(mesh, progress.silent()),
      ...(budget.isExceeded() && { isOutOfSteps: true }),
    };
  }
  const { openEdges } = cachedMeshReport(mesh, progress.silent());
  if (openEdges === 0) return result;
  const droppedMm2 = droppedAreaMm2(mesh, result.mesh, progress.silent());
  return {
    ...result,
    ...(enclosesNothing(mesh, progress.silent()) && { closedMm3: result.mesh.volumeMm3 }),
    ...(droppedMm2 !== undefined && { droppedMm2 }),
  };
}

/** {@link repairWithoutRemeshing} within the steps of a {@link repair}; undefined if it takes more. */
export const repairWithinBudget = (mesh: Mesh, progress: Progress): Promise<Mesh | undefined> =>
  newRepairBudget(maxStepsOf(mesh)).attempt(1, progress, (part) => repairWithoutRemeshing(mesh, part));

/** The reasons why a mesh bounds no solid, in words. */
function defectsOf(mesh: Mesh, progress: Progress): string[] {
  const defects = describeDefects(cachedMeshReport(mesh, progress));
  if (isFlat(mesh)) return [...defects, "no volume"];
  return defects.length === 0 ? ["facets that cross one another"] : defects;
}

async function repairOrRemesh(
  mesh: Mesh,
  isIntersectionFree: boolean,
  budget: RepairBudget,
  progress: Progress,
): Promise<RepairResult> {
  const failed = { mesh, isClosedManifold: false };
  const report = cachedMeshReport(mesh, progress.part(0, SHARES.examined));
  if (describeDefects(report).length > 0 && isFlat(mesh)) return failed;
  const isBeyondRepair = report.openEdges > 0 && isDebris(mesh, progress.part(SHARES.examined, SHARES.judged));
  if (!isBeyondRepair) {
    const repaired = await budget.attempt(WHOLE_SHARE, progress.part(SHARES.judged, SHARES.repaired), (part) =>
      repairWithoutRemeshing(mesh, part, isIntersectionFree),
    );
    if (repaired) return { mesh: repaired, isClosedManifold: true };
  }
  const clean = withoutHeaps(mesh, progress.silent());
  if (triangleCount(clean) < MIN_FACETS || isFlat(clean)) return failed;
  if (isBeyondRepair && enclosesNothing(clean, progress.part(SHARES.repaired, SHARES.grouped))) return failed;
  const grouped = isBeyondRepair ? undefined : await repairInGroups(mesh, budget, progress);
  return remeshBroken(mesh, clean, grouped, budget, progress);
}

/** The repair of groups of bodies; undefined if the topology cannot be repaired within the budget. */
async function repairInGroups(
  mesh: Mesh,
  budget: RepairBudget,
  progress: Progress,
): Promise<GroupedRepair | undefined> {
  const topological = await budget.attempt(TOPOLOGY_SHARE, progress.part(SHARES.repaired, SHARES.welded), (part) =>
    cachedRepairTopology(mesh, part),
  );
  return topological && repairGroups(topological, budget, progress.part(SHARES.welded, SHARES.grouped));
}

/**
 * Remeshes the broken bodies and joins them with the sound ones. `clean` is the mesh without heaps. It is remeshed instead if no
 * body is sound.
 */
async function remeshBroken(
  mesh: Mesh,
  clean: Surface,
  { sound, broken, isRepaired }: GroupedRepair = { sound: NOTHING, broken: clean, isRepaired: false },
  budget: RepairBudget,
  progress: Progress,
): Promise<RepairResult> {
  const unfinished = {
    mesh: isRepaired ? canonicalMesh(concatenateSurfaces([sound, broken]), 1, progress.silent()) : mesh,
    isClosedManifold: false,
  };
  const maxDeviationMm = MAX_DEVIATION_SHARE * exactLength(boxSize(mesh.box));
  if (triangleCount(broken) === 0) {
    const joined = await repairJoined(sound, mesh, maxDeviationMm, budget, progress);
    return joined ? { mesh: joined, isClosedManifold: true } : unfinished;
  }
  const isPart = triangleCount(sound) > 0;
  if (!isPart && remeshDeviates(clean, maxDeviationMm, progress.part(SHARES.grouped, SHARES.tried))) return unfinished;
  const remeshable = isPart ? broken : clean;
  const remeshed = remesh(remeshable, progress.part(SHARES.tried, SHARES.remeshed));
  if (triangleCount(remeshed) === 0) return unfinished;
  const refused = volumeChange(remeshable, remeshed, progress.silent());
  if (refused) return { ...unfinished, refused };
  const joined = await repairJoined(concatenateSurfaces([sound, remeshed]), mesh, maxDeviationMm, budget, progress);
  if (!joined) return unfinished;
  const deviationMm = remeshDeviationMm(mesh, joined, progress.part(SHARES.mended, 1));
  if (deviationMm > maxDeviationMm) return unfinished;
  const enclosedMm3 = volumeOfClosed(mesh, progress.silent()) ?? mesh.volumeMm3;
  return { mesh: joined, isClosedManifold: true, deviationMm, enclosedMm3 };
}

/** The volumes of a closed surface and of its remesh if they differ; otherwise undefined. */
function volumeChange(surface: Surface, remeshed: Surface, progress: Progress): RepairResult["refused"] {
  const enclosedMm3 = volumeOfClosed(surface, progress);
  if (enclosedMm3 === undefined) return undefined;
  const remeshedMm3 = measureMesh(Float32Array.from(remeshed.vertices), remeshed.triangles).volumeMm3;
  const isOther = Math.abs(remeshedMm3 - enclosedMm3) > MAX_VOLUME_CHANGE * enclosedMm3;
  return isOther ? { remeshedMm3, enclosedMm3 } : undefined;
}

/** Repairs sound and remeshed bodies as a whole. Undefined if this fails or a point of the input is too far from them. */
async function repairJoined(
  bodies: Surface,
  input: Mesh,
  maxDeviationMm: number,
  budget: RepairBudget,
  progress: Progress,
): Promise<Mesh | undefined> {
  const whole = canonicalMesh(bodies, 1, progress.part(SHARES.remeshed, SHARES.joined));
  // The next repair only removes parts of the surface: no point of the input comes nearer.
  const tree = buildBvh(input, progress.part(SHARES.joined, SHARES.indexed));
  const comparing = progress.part(SHARES.indexed, SHARES.compared);
  if (farthestFromRemeshedMm(input, tree, whole, comparing) > maxDeviationMm) return undefined;
  return budget.attempt(1, progress.part(SHARES.compared, SHARES.mended), (part) =>
    repairWithoutRemeshing(whole, part),
  );
}

/** The volume that slices of a closed surface fill, mm³; undefined for a surface with gaps. */
function volumeOfClosed(surface: Surface, progress: Progress): number | undefined {
  if (!isClosed(surface)) return undefined;
  return solidVolumeMm3(withOverlapsOnce(withSolidVolume(canonicalMesh(surface, 1, progress), progress), progress));
}
