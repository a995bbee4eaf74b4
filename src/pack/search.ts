import { type MeshTree, type PlacedSolid, interfere, meshTree } from "../check/interferences.ts";
import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { type Pose, UPRIGHT, orientationScaleKey } from "../geometry/pose.ts";
import { type Vec3, add, subtract } from "../geometry/vector.ts";
import { UNROTATED } from "../mesh/bvh/placed-bvh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import {
  type CandidateState,
  type RatedChamber,
  type RatedPlace,
  bestPlace,
  centreAt,
  newCandidateState,
  refuse,
} from "./best-place.ts";
import { type Candidate, type PartKind, partKind } from "./candidate.ts";
import { cellMmFor } from "./cell-size.ts";
import { newChamber, stampPart } from "./chamber.ts";
import { type Extent, type PlacedPart, type Room, boxGap, extentOf, settle } from "./clearance.ts";
import { type OrientedBvh, orientBvh } from "./oriented-bvh.ts";
import { type Bulk, type Sections, addShape, noSections } from "./sections.ts";
import { type Core, placedCore } from "./thick-cores.ts";
import type { AllowedTurns } from "./turns.ts";

/** A part to place: its mesh, the pose that it has now, and the turns that its lock allows. */
export interface MovablePart extends PlacedMesh {
  readonly turns: AllowedTurns;
}

/** Cells are blocked whose centres are nearer to a part than the spacing and this share of a cell: the exact place is found afterwards. */
const CLEARANCE = 0.3;
/** And at least those whose centres are within half a cell: without a spacing, parts would pass through walls thinner than a cell. */
const WALL_CLEARANCE = 0.5;

/** The distance from a part within which the centres of cells are blocked. */
const clearanceMm = (spacingMm: number, cellMm: number): number =>
  Math.max(spacingMm + CLEARANCE * cellMm, WALL_CLEARANCE * cellMm);

/** What is known of meshes and of parts that are alike. It can serve several searches. */
export interface Kinds {
  readonly spacingMm: number;
  readonly cellMm: number;
  /** Whether places are rated by what makes parts warp too, not by height alone. */
  readonly isSinterMinded: boolean;
  readonly trees: Map<string, MeshTree>;
  readonly kinds: Map<string, PartKind>;
  readonly bvhs: Map<Candidate, OrientedBvh>;
  readonly extents: Map<Candidate, Extent>;
}

/** `parts`: those that are to be placed. */
export const newKinds = (parts: readonly PlacedMesh[], spacingMm: number, isSinterMinded: boolean): Kinds => ({
  spacingMm,
  isSinterMinded,
  cellMm: cellMmFor(parts, spacingMm),
  trees: new Map(),
  kinds: new Map(),
  bvhs: new Map(),
  extents: new Map(),
});

/** The extent of a candidate; computed once it is needed, since most candidates are never placed. */
const extentIn = (
  { extents }: Kinds,
  candidate: Candidate,
  { mesh, pose: { scale } }: PlacedMesh,
  progress: Progress,
): Extent =>
  getOrInsert(extents, candidate, () => extentOf(mesh, { orientation: candidate.orientation, scale }, progress));

export const treeOf = ({ trees }: Kinds, { mesh }: PlacedMesh, progress: Progress): MeshTree =>
  getOrInsert(trees, mesh.hash, () => meshTree(mesh, progress));

/** What a part shares with all that are alike: it is computed once. */
export function kindOf(kinds: Kinds, part: MovablePart, progress: Progress): PartKind {
  const { mesh, pose, turns } = part;
  const orientation = turns === "all" ? UPRIGHT : pose.orientation;
  const key = `${turns} ${orientationScaleKey(mesh.hash, { orientation, scale: pose.scale })}`;
  const make = (): PartKind => {
    const { cellMm, spacingMm, isSinterMinded } = kinds;
    const reachMm = clearanceMm(spacingMm, cellMm) + cellMm;
    return partKind(part, { cellMm, spacingMm, reachMm, isSinterMinded }, progress);
  };
  return getOrInsert(kinds.kinds, key, make);
}

/** A chamber that is being filled. */
export interface Search extends RatedChamber {
  readonly kinds: Kinds;
  readonly room: Room;
  /** In the order in which they were placed, obstacles first. */
  readonly placed: PlacedPart[];
  readonly states: Map<Candidate, CandidateState>;
  sections: Sections | undefined;
  readonly cores: Core[];
}

/** An empty chamber with what stands in it already. `parts`: those that are to be placed. */
export function newSearch(
  room: Room,
  kinds: Kinds,
  parts: readonly MovablePart[],
  obstacles: readonly PlacedMesh[],
  progress: Progress,
): Search {
  const chamber = newChamber(room, kinds.cellMm);
  const { columns, rows, layers } = chamber.tray;
  const standing = obstacles.map((obstacle) => ({ ...obstacle, turns: "none" as const }));
  const bulks = (): Bulk[] => [...parts, ...standing].map((part) => kindOf(kinds, part, progress).bulk);
  const sections = kinds.isSinterMinded ? noSections(layers, columns * rows, bulks()) : undefined;
  const search: Search = { kinds, room, chamber, placed: [], states: new Map(), sections, cores: [] };
  for (const obstacle of standing) {
    const [candidate] = kindOf(kinds, obstacle, progress).candidates;
    addPart(search, candidate, placedPart(search, candidate, obstacle, progress), progress);
  }
  return search;
}

/** The part in the orientation of a candidate, at the position of its pose. */
function placedPart({ kinds }: Search, candidate: Candidate, part: PlacedMesh, progress: Progress): PlacedPart {
  const { mesh, pose } = part;
  const { orientation } = candidate;
  const extent = extentIn(kinds, candidate, part, progress);
  const { tree } = treeOf(kinds, part, progress);
  const bvh = getOrInsert(kinds.bvhs, candidate, () => orientBvh(tree, mesh, orientation, pose.scale, progress));
  return { mesh, pose: { ...pose, orientation }, extent, bvh };
}

function addPart(search: Search, candidate: Candidate, part: PlacedPart, progress: Progress): void {
  const { chamber, kinds, placed, sections } = search;
  const centre = add(part.pose.position, boxCentre(part.extent.box));
  stampPart(chamber, candidate, centre, clearanceMm(kinds.spacingMm, kinds.cellMm), progress);
  placed.push(part);
  if (candidate.core) search.cores.push(placedCore(candidate.core, candidate.turn, centre));
  if (!sections) return;
  const z = Math.round((centre[2] - chamber.origin[2]) / chamber.cellMm - candidate.shape.toCentre[2]);
  search.sections = addShape(sections, candidate.shape, z);
}

/** Puts a part at the best place that it finds in any of its orientations. Undefined where there is none. */
export function placePart(search: Search, part: MovablePart, progress: Progress): Pose | undefined {
  const { chamber, kinds, room, placed } = search;
  const states = kindOf(kinds, part, progress).candidates.map((candidate) =>
    getOrInsert(search.states, candidate, () => newCandidateState(search, candidate)),
  );
  const known = new Map<CandidateState, RatedPlace>();
  for (;;) {
    const best = bestPlace(search, states, known, progress);
    if (!best) return undefined;
    const { state, place } = best;
    const { candidate } = state;
    const centre = centreAt(chamber, candidate, place);
    const position = subtract(centre, boxCentre(extentIn(kinds, candidate, part, progress).box));
    const there = placedPart(search, candidate, { ...part, pose: { ...part.pose, position } }, progress);
    const settled = settle(there, placed, room, kinds.spacingMm, chamber.cellMm, progress);
    if (settled && doesKeepSpacing(search, settled, progress)) {
      addPart(search, candidate, settled, progress);
      return settled.pose;
    }
    refuse(search, best);
    known.delete(state);
  }
}

/** Whether a part keeps the spacing to all that are placed, by what the check of interferences uses: it sees a part inside another too. */
function doesKeepSpacing({ placed, kinds }: Search, part: PlacedPart, progress: Progress): boolean {
  return placed.every((other) => areApartBySolids(part, other, kinds, progress));
}

/** Whether two parts keep the spacing by what the check of interferences uses. */
export function areApartBySolids(a: PlacedPart, b: PlacedPart, kinds: Kinds, progress: Progress): boolean {
  const { spacingMm } = kinds;
  if (boxGap(a, b, spacingMm) >= spacingMm && boxGap(a, b, Infinity) > 0) return true;
  const [one, other] = [a, b].map((part) => turnedSolid(part, treeOf(kinds, part, progress), a.pose.position));
  return !interfere(one, other, spacingMm, progress);
}

/** As of `placeSolid`, without a turn: the boxes of the turned tree are tighter than boxes that are turned. */
const turnedSolid = ({ bvh, mesh, pose }: PlacedPart, { tree, partFacets }: MeshTree, from: Vec3): PlacedSolid => ({
  tree: { ...bvh, facets: tree.facets },
  partFacets,
  rotation: UNROTATED,
  scale: 1,
  offset: subtract(pose.position, from),
  facing: mesh.volumeMm3 < 0 ? -1 : 1,
});
