import { type MeshTree, type PlacedSolid, interfere, meshTree } from "../check/interferences.ts";
import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { type Pose, UPRIGHT, orientationScaleKey } from "../geometry/pose.ts";
import { type Vec3, add, subtract } from "../geometry/vector.ts";
import { UNROTATED } from "../mesh/bvh/placed-bvh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import {
  type Balance,
  type Balancing,
  type CandidateState,
  type RatedChamber,
  type RatedPlace,
  bestPlace,
  centreAt,
  newCandidateState,
  refuse,
} from "./best-place.ts";
import {
  type Candidate,
  type KindOptions,
  type PartKind,
  distinctShapes,
  orientedGroup,
  partKind,
} from "./candidate.ts";
import { cellMmFor } from "./cell-size.ts";
import { type Chamber, newChamber, stampPart } from "./chamber.ts";
import { type Extent, type PlacedPart, type Room, areBoxesApart, extentOf, settle } from "./clearance.ts";
import { type OrientedBvh, orientBvh } from "./oriented-bvh.ts";
import type { PartField } from "./part-shape.ts";
import { addShape, noSections } from "./sections.ts";
import { type Core, coreOf, placedCore } from "./thick-cores.ts";
import type { AllowedTurns } from "./turns.ts";

export type { Balancing };

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
  readonly trees: Map<string, MeshTree>;
  readonly kinds: Map<string, PartKind>;
  readonly tilted: Map<PartKind, readonly Candidate[]>;
  readonly cores: Map<PartField, Core | null>;
  readonly bvhs: Map<Candidate, OrientedBvh>;
  readonly extents: Map<Candidate, Extent>;
}

/** `parts`: those that are to be placed. */
export const newKinds = (parts: readonly PlacedMesh[], spacingMm: number): Kinds => ({
  spacingMm,
  cellMm: cellMmFor(parts, spacingMm),
  trees: new Map(),
  kinds: new Map(),
  tilted: new Map(),
  cores: new Map(),
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
  return getOrInsert(kinds.kinds, key, () => partKind(part, kindOptions(kinds), progress));
}

function kindOptions({ cellMm, spacingMm }: Kinds): KindOptions {
  return { cellMm, spacingMm, reachMm: clearanceMm(spacingMm, cellMm) + cellMm };
}

/** The orientations of a part, the tilted ones too where level faces count. */
function candidatesOf({ kinds, balance }: Search, part: MovablePart, progress: Progress): readonly Candidate[] {
  const kind = kindOf(kinds, part, progress);
  const { candidates, tilted } = kind;
  if (!balance?.tilts || !tilted) return candidates;
  return getOrInsert(kinds.tilted, kind, () =>
    distinctShapes([...candidates, ...orientedGroup(part, tilted, kindOptions(kinds), progress).candidates]),
  );
}

/** A chamber that is being filled. */
export interface Search extends RatedChamber {
  readonly kinds: Kinds;
  readonly room: Room;
  /** In the order in which they were placed, obstacles first. */
  readonly placed: PlacedPart[];
  readonly states: Map<Candidate, CandidateState>;
}

export interface SearchOptions {
  readonly parts: readonly MovablePart[];
  readonly obstacles: readonly PlacedMesh[];
  /** Undefined: places are rated by height alone. */
  readonly balancing?: Balancing | undefined;
}

/** An empty chamber with what stands in it already. */
export function newSearch(room: Room, kinds: Kinds, options: SearchOptions, progress: Progress): Search {
  const chamber = newChamber(room, kinds.cellMm);
  const standing = options.obstacles.map((obstacle) => ({ ...obstacle, turns: "none" as const }));
  const balance = options.balancing && newBalance(chamber, kinds, options, options.balancing, progress);
  const search: Search = { kinds, room, chamber, placed: [], states: new Map(), balance };
  for (const obstacle of standing) {
    const [candidate] = kindOf(kinds, obstacle, progress).candidates;
    addPart(search, candidate, placedPart(search, candidate, obstacle, progress), progress);
  }
  return search;
}

function newBalance(
  { tray: { columns, rows, layers }, cellMm }: Chamber,
  kinds: Kinds,
  { parts, obstacles }: SearchOptions,
  balancing: Balancing,
  progress: Progress,
): Balance {
  const standing = obstacles.map((obstacle) => ({ ...obstacle, turns: "none" as const }));
  const bulks = [...parts, ...standing].map((part) => kindOf(kinds, part, progress).bulk);
  return {
    ...balancing,
    sections: noSections(layers, columns * rows, bulks),
    cores: [],
    coreOf: ({ field }) =>
      getOrInsert(kinds.cores, field, () => coreOf(field, cellMm, progress.silent()) ?? null) ?? undefined,
  };
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
  const { chamber, kinds, placed, balance } = search;
  const centre = add(part.pose.position, boxCentre(part.extent.box));
  stampPart(chamber, candidate, centre, clearanceMm(kinds.spacingMm, kinds.cellMm), progress);
  placed.push(part);
  if (!balance) return;
  const core = balance.coreOf(candidate);
  if (core) balance.cores.push(placedCore(core, candidate.turn, centre));
  const z = Math.round((centre[2] - chamber.origin[2]) / chamber.cellMm - candidate.shape.toCentre[2]);
  balance.sections = addShape(balance.sections, candidate.shape, z);
}

/** Puts a part at the best place that it finds in any of its orientations. Undefined where there is none. */
export function placePart(search: Search, part: MovablePart, progress: Progress): Pose | undefined {
  const { chamber, kinds, room, placed } = search;
  const states = candidatesOf(search, part, progress).map((candidate) =>
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
  if (areBoxesApart(a, b, spacingMm)) return true;
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
