import { facetOf } from "../geometry/halfedge.ts";
import type { Progress } from "../core/progress.ts";
import { bodiesOf, splitByLabel } from "../mesh/bodies.ts";
import { NO_SOLID, solidsOf } from "../mesh/body-nesting.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { cachedEdges } from "../mesh/edges.ts";
import { concatenateSurfaces, filterFacets, type Mesh, type Surface, triangleCount } from "../mesh/mesh.ts";
import type { RepairBudget } from "./repair-budget.ts";
import { repairWithoutRemeshing } from "./repair-without-remeshing.ts";
import { touchingSolids } from "./touching-solids.ts";

/** The parts of a surface that cannot be repaired as a whole. */
export interface GroupedRepair {
  /** Closed manifold bodies, and groups of touching bodies that were repaired separately; may have no facets. */
  readonly sound: Surface;
  /** Facets that can only be remeshed; may be none. */
  readonly broken: Surface;
  /** Whether any group was repaired. */
  readonly isRepaired: boolean;
}

/**
 * Repairs groups of touching bodies separately, where each body is closed and manifold: a group that cannot be repaired leaves the
 * others exact. Groups for which the repair fails or the budget does not suffice, and bodies that are open or not manifold, are
 * broken.
 */
export async function repairGroups(surface: Surface, budget: RepairBudget, progress: Progress): Promise<GroupedRepair> {
  const isBroken = facetsOfBrokenBodies(surface);
  const found = await budget.attempt(GROUPING_SHARE, progress.part(0, SHARES.grouped), (part) =>
    intactGroups(surface, isBroken, part),
  );
  if (!found) return { sound: filterFacets(surface, () => false), broken: surface, isRepaired: false };
  const { labelOf, count } = found;
  const groups = splitByLabel(surface, labelOf, count);
  const sharePerFacet = (ATTEMPTS_SHARE * (budget.leftShare() - RESERVE)) / triangleCount(surface);
  const attempt: Attempt = (mesh, part) => {
    const share = Math.max(MIN_ATTEMPT_SHARE, sharePerFacet * triangleCount(mesh));
    return budget.attempt(share, part, (counted) => repairWithoutRemeshing(mesh, counted), RESERVE);
  };
  const repairing = progress.part(SHARES.grouped, 1);
  // All of them together were tried before.
  const { repaired, failed } = labelOf.includes(NO_GROUP)
    ? await repairTogether(groups, attempt, repairing)
    : await repairApart(groups, attempt, repairing);
  const others = (broken: 0 | 1): Surface =>
    filterFacets(surface, (facet) => labelOf[facet] === NO_GROUP && isBroken[facet] === broken);
  return {
    sound: concatenateSurfaces([others(0), ...repaired]),
    broken: concatenateSurfaces([others(1), ...failed]),
    isRepaired: repaired.length > 0,
  };
}

const NO_GROUP = -1;

/**
 * Shares of the progress at which steps end. Estimates: they have no influence on the result. `search` finds the groups, `attempt`
 * repairs some of them together, `halves` repairs both halves.
 */
const SHARES = { grouped: 0.3, search: { solids: 0.3 }, attempt: { joined: 0.1, tried: 0.4 }, halves: { first: 0.5 } };

/** Most of the whole budget that finding the groups may take. */
const GROUPING_SHARE = 1 / 6;
/** The least share of the whole budget that remains for remeshing. */
const RESERVE = 0.15;
/**
 * Share of the budget for all attempts. An attempt with some of the facets gets a proportional part of it, so that a group that takes
 * too long, and each half that contains it, leave enough for the others; but at least {@link MIN_ATTEMPT_SHARE} of the whole budget.
 */
const ATTEMPTS_SHARE = 1 / 2;
const MIN_ATTEMPT_SHARE = 1 / 32;

/** The repair of some groups together, undefined if that fails. */
type Attempt = (mesh: Mesh, progress: Progress) => Promise<Mesh | undefined>;

/** 1 for each facet of a body that has an edge other than one of two facets with the same orientation. */
function facetsOfBrokenBodies(surface: Surface): Uint8Array {
  const { triangles } = surface;
  const edges = cachedEdges(surface);
  const { bodyOf, count } = bodiesOf(surface, edges);
  const isBroken = new Uint8Array(count);
  for (let edge = 0; edge + 1 < edges.runs.length; edge++) {
    const from = edges.runs[edge];
    const [first, second] = [edges.halfedges[from], edges.halfedges[from + 1]];
    if (edges.runs[edge + 1] - from === 2 && triangles[first] !== triangles[second]) continue;
    isBroken[bodyOf[facetOf(first)]] = 1;
  }
  return Uint8Array.from(bodyOf, (body) => isBroken[body]);
}

/** For each facet its group of touching bodies that are all intact, or {@link NO_GROUP}. The bodies of a heap are one group. */
function intactGroups(
  surface: Surface,
  isBroken: Uint8Array,
  progress: Progress,
): { readonly labelOf: Int32Array; readonly count: number } {
  const { count, solidOf } = solidsOf(surface, progress.part(0, SHARES.search.solids));
  const groups = touchingSolids(
    surface,
    solidOf,
    new Uint8Array(count).fill(1),
    progress.part(SHARES.search.solids, 1),
  ) ?? [{ solids: [...Array(count).keys()] }];
  const groupOf = new Int32Array(count);
  groups.forEach(({ solids }, group) => solids.forEach((solid) => (groupOf[solid] = group)));
  const labels = new Int32Array(groups.length);
  solidOf.forEach((solid, facet) => {
    if (solid !== NO_SOLID && isBroken[facet] === 1) labels[groupOf[solid]] = NO_GROUP;
  });
  let intact = 0;
  for (let group = 0; group < labels.length; group++) if (labels[group] !== NO_GROUP) labels[group] = intact++;
  return { labelOf: solidOf.map((solid) => (solid === NO_SOLID ? NO_GROUP : labels[groupOf[solid]])), count: intact };
}

interface RepairedGroups {
  readonly repaired: readonly Surface[];
  readonly failed: readonly Surface[];
}

/** Repairs groups together. If that fails, repairs them in halves: this finds the few groups that fail in a few steps. */
async function repairTogether(
  groups: readonly Surface[],
  attempt: Attempt,
  progress: Progress,
): Promise<RepairedGroups> {
  if (groups.length === 0) return { repaired: [], failed: [] };
  const whole = canonicalMesh(concatenateSurfaces(groups), 1, progress.part(0, SHARES.attempt.joined));
  const repaired = await attempt(whole, progress.part(SHARES.attempt.joined, SHARES.attempt.tried));
  return repaired
    ? { repaired: [repaired], failed: [] }
    : repairApart(groups, attempt, progress.part(SHARES.attempt.tried, 1));
}

/**
 * Repairs each half of some groups together, the smaller half first. A single group was tried before and fails. If no group of the
 * first half fails, the whole failed because of the second half, which is then split without another try.
 */
async function repairApart(groups: readonly Surface[], attempt: Attempt, progress: Progress): Promise<RepairedGroups> {
  if (groups.length < 2) return { repaired: [], failed: groups };
  const middle = groups.length >> 1;
  const halves = [groups.slice(0, middle), groups.slice(middle)];
  const facetsOf = (half: readonly Surface[]): number => half.reduce((sum, group) => sum + triangleCount(group), 0);
  const [small, large] = facetsOf(halves[0]) <= facetsOf(halves[1]) ? halves : halves.toReversed();
  const first = await repairTogether(small, attempt, progress.part(0, SHARES.halves.first));
  const repairSecond = first.failed.length === 0 ? repairApart : repairTogether;
  const second = await repairSecond(large, attempt, progress.part(SHARES.halves.first, 1));
  return { repaired: [...first.repaired, ...second.repaired], failed: [...first.failed, ...second.failed] };
}
