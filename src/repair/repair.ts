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
import { repairGroups } from "./repair-groups.ts";
import { cachedRepairTopology } from "./repair-topology.ts";
import { LEAST_FACETS, repairWithoutRemeshing, withoutHeaps } from "./repair-without-remeshing.ts";
import { isClosed } from "./row-windings.ts";
import { withOverlapsOnce, withSolidVolume } from "./solid-volume.ts";

export interface RepairResult {
  /**
   * The repaired mesh; the same object as the input where nothing had to be repaired, or the repair failed. Where it failed for
   * some groups of touching bodies only, the others are repaired.
   */
  readonly mesh: Mesh;
  /** Whether `mesh` bounds a solid: it is closed, manifold, faces outward and does not intersect itself. */
  readonly isClosedManifold: boolean;
  /** Hausdorff distance between the input and `mesh`; only where bodies were remeshed. */
  readonly deviationMm?: number;
  /**
   * The volume that the facets of the input enclosed, mm³, where there are gaps counted as often as they did; only where bodies were
   * remeshed.
   */
  readonly enclosedMm3?: number;
  /** Where closed bodies could only have been remeshed with another volume, mm³: that volume, and the one that they enclose. */
  readonly refused?: { readonly remeshedMm3: number; readonly enclosedMm3: number };
  /** True where the repair failed, and was ended because it took too many steps. */
  readonly isEnded?: boolean;
  /** Where the repair failed: the defects of the input, in words. */
  readonly left?: readonly string[];
  /** The volume of the solid that was made of faces that enclosed nothing, mm³. */
  readonly closedMm3?: number;
  /** The area of faces that enclosed nothing and were left out, mm². */
  readonly droppedMm2?: number;
}

/**
 * Most steps of a repair, 12 s and 100 µs for each facet, without the check before it and the remeshing, which have bounds of their
 * own. Assemblies and bodies that cross themselves take a tenth to a third of this, models of other kinds less.
 */
const MAX_STEPS = 12_000 * STEPS_PER_REPORT;
const MAX_STEPS_PER_FACET = 0.1 * STEPS_PER_REPORT;
/** Most of the steps that the repair of the whole may take. The others remain for groups of its bodies, and for what is remeshed. */
const WHOLE_SHARE = 0.7;
const TOPOLOGY_SHARE = 1 / 6;

/** A remeshed surface farther away than this share of the diagonal is that of another shape. It counts as failed. */
const MAX_DEVIATION_SHARE = 0.1;
/**
 * A remesh of closed bodies whose volume differs by more than this share has lost walls or filled gaps that are thinner than its
 * voxels. It counts as failed: slices of the closed bodies are correct as they are, by winding numbers. Voxels alone change the volume by
 * up to 1 %.
 */
const MAX_VOLUME_CHANGE = 0.03;

/** Shares of the progress at which the steps end. Debris goes from `repaired` to `grouped` in one step. */
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
 * Makes a mesh the closed, outward boundary of a solid: by {@link cachedRepairTopology} and {@link resolveSelfIntersections}, and
 * where these fail or take more than `maxSteps`, by {@link remesh} of the bodies that are still broken.
 */
export async function repair(mesh: Mesh, progress: Progress, maxSteps = maxStepsOf(mesh)): Promise<RepairResult> {
  const budget = newRepairBudget(maxSteps);
  const result = await repairOrRemesh(mesh, budget, progress);
  progress.report(1);
  if (!result.isClosedManifold) {
    return { ...result, left: defectsLeft(mesh, progress.silent()), ...(budget.isMet() && { isEnded: true }) };
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

/** {@link repairWithoutRemeshing} within the steps of a {@link repair}; undefined also where it takes more. */
export const repairWithinBudget = (mesh: Mesh, progress: Progress): Promise<Mesh | undefined> =>
  newRepairBudget(maxStepsOf(mesh)).attempt(1, progress, (part) => repairWithoutRemeshing(mesh, part));

/** Why a mesh bounds no solid, in words. */
function defectsLeft(mesh: Mesh, progress: Progress): string[] {
  const defects = describeDefects(cachedMeshReport(mesh, progress));
  if (isFlat(mesh)) return [...defects, "no volume"];
  return defects.length === 0 ? ["facets that cross one another"] : defects;
}

async function repairOrRemesh(mesh: Mesh, budget: RepairBudget, progress: Progress): Promise<RepairResult> {
  const failed = { mesh, isClosedManifold: false };
  const report = cachedMeshReport(mesh, progress.part(0, SHARES.examined));
  if (describeDefects(report).length > 0 && isFlat(mesh)) return failed;
  const isBeyondRepair = report.openEdges > 0 && isDebris(mesh, progress.part(SHARES.examined, SHARES.judged));
  const repaired = isBeyondRepair
    ? undefined
    : await budget.attempt(WHOLE_SHARE, progress.part(SHARES.judged, SHARES.repaired), (part) =>
        repairWithoutRemeshing(mesh, part),
      );
  if (repaired) return { mesh: repaired, isClosedManifold: true };
  const clean = withoutHeaps(mesh, progress.silent());
  if (triangleCount(clean) < LEAST_FACETS || isFlat(clean)) return failed;
  if (isBeyondRepair && enclosesNothing(clean, progress.part(SHARES.repaired, SHARES.grouped))) return failed;
  const topological = isBeyondRepair
    ? undefined
    : await budget.attempt(TOPOLOGY_SHARE, progress.part(SHARES.repaired, SHARES.welded), (part) =>
        cachedRepairTopology(mesh, part),
      );
  const { sound, broken, isRepaired } = topological
    ? await repairGroups(topological, budget, progress.part(SHARES.welded, SHARES.grouped))
    : { sound: NOTHING, broken: clean, isRepaired: false };
  const unfinished = isRepaired
    ? { mesh: canonicalMesh(concatenateSurfaces([sound, broken]), 1, progress.silent()), isClosedManifold: false }
    : failed;
  const isPart = triangleCount(sound) > 0;
  const maxDeviationMm = MAX_DEVIATION_SHARE * exactLength(boxSize(mesh.box));
  if (!isPart && remeshDeviates(clean, maxDeviationMm, progress.part(SHARES.grouped, SHARES.tried))) return failed;
  const isWhole = triangleCount(broken) === 0;
  const remeshed = isWhole ? NOTHING : remesh(isPart ? broken : clean, progress.part(SHARES.tried, SHARES.remeshed));
  if (!isWhole && triangleCount(remeshed) === 0) return unfinished;
  const enclosedMm3 = isWhole ? undefined : volumeOfClosed(isPart ? broken : clean, progress.silent());
  if (enclosedMm3 !== undefined) {
    const remeshedMm3 = measureMesh(Float32Array.from(remeshed.vertices), remeshed.triangles).volumeMm3;
    const isOther = Math.abs(remeshedMm3 - enclosedMm3) > MAX_VOLUME_CHANGE * enclosedMm3;
    if (isOther) return { ...unfinished, refused: { remeshedMm3, enclosedMm3 } };
  }
  const whole = canonicalMesh(concatenateSurfaces([sound, remeshed]), 1, progress.part(SHARES.remeshed, SHARES.joined));
  // The next repair only removes parts of the surface, so it brings no point of the input nearer.
  const tree = buildBvh(mesh, progress.part(SHARES.joined, SHARES.indexed));
  if (farthestFromRemeshedMm(mesh, tree, whole, progress.part(SHARES.indexed, SHARES.compared)) > maxDeviationMm)
    return unfinished;
  const joined = await budget.attempt(1, progress.part(SHARES.compared, SHARES.mended), (part) =>
    repairWithoutRemeshing(whole, part),
  );
  if (!joined) return unfinished;
  if (isWhole) return { mesh: joined, isClosedManifold: true };
  const deviationMm = remeshDeviationMm(mesh, joined, progress.part(SHARES.mended, 1));
  return deviationMm > maxDeviationMm
    ? unfinished
    : {
        mesh: joined,
        isClosedManifold: true,
        deviationMm,
        enclosedMm3: volumeOfClosed(mesh, progress.silent()) ?? mesh.volumeMm3,
      };
}

/** The volume of what slices of a closed surface fill, mm³; undefined for one with gaps. */
function volumeOfClosed(surface: Surface, progress: Progress): number | undefined {
  if (!isClosed(surface)) return undefined;
  return solidVolumeMm3(withOverlapsOnce(withSolidVolume(canonicalMesh(surface, 1, progress), progress), progress));
}
