import { type MeshTree, interfere, meshTree, placeSolid } from "../check/interferences.ts";
import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { boxCentre, boxSize } from "../geometry/box.ts";
import { type Pose, UPRIGHT, orientationScaleKey } from "../geometry/pose.ts";
import { type Vec3, add, subtract } from "../geometry/vector.ts";
import type { PlacedMesh } from "../slice/stack.ts";
import { type Candidate, type PartKind, partKind } from "./candidate.ts";
import { type Chamber, newChamber, stampPart } from "./chamber.ts";
import { type Extent, type PlacedPart, type Room, boxGap, extentOf, settle } from "./clearance.ts";
import { type EscapeState, canEscape, mustRise } from "./escape.ts";
import { type OrientedBvh, orientBvh } from "./oriented-bvh.ts";
import { type Sections, addShape, levelPenalty, noSections, sectionPenalty } from "./sections.ts";
import { type Exits, type Place, findPlace, looksOf } from "./tray.ts";
import type { AllowedTurns } from "./turns.ts";

/** A part to place: its mesh, the pose that it has now, and the turns that its lock allows. */
export interface MovablePart extends PlacedMesh {
  readonly turns: AllowedTurns;
}

/** Cells on which places are searched are at least so large, mm. */
const MIN_CELL_MM = 1;
/** Larger parts get larger cells: the box of the largest has so many. */
const MAX_PART_CELLS = 300_000;
/** Cells are no larger than this share of the spacing: moves from cell to cell then touch nothing on the way. */
const CELLS_PER_SPACING = 2;
/** Cells are blocked whose centres are nearer to a part than the spacing and this share of a cell: the exact place is found afterwards. */
const CLEARANCE = 0.3;
/** And at least those whose centres are within half a cell: without a spacing, parts would pass through walls thinner than a cell. */
const WALL_CLEARANCE = 0.5;

/** The distance from a part within which the centres of cells are blocked. */
const clearanceMm = (spacingMm: number, cellMm: number): number =>
  Math.max(spacingMm + CLEARANCE * cellMm, WALL_CLEARANCE * cellMm);

/** The size of cells for parts, mm. */
function cellMmFor(parts: readonly PlacedMesh[], spacingMm: number): number {
  const largest = parts.reduce((most, { mesh, pose }) => {
    const [x, y, z] = boxSize(mesh.box);
    return Math.max(most, x * y * z * pose.scale ** 3);
  }, 0);
  const wanted = Math.cbrt(largest / MAX_PART_CELLS);
  // Rounded: engines may differ in the last bits of roots.
  return Math.max(MIN_CELL_MM, Math.min(Math.round(100 * wanted) / 100, spacingMm / CELLS_PER_SPACING));
}

/** What is known of meshes and of parts that are alike. It can serve several searches. */
export interface Kinds {
  readonly spacingMm: number;
  readonly cellMm: number;
  readonly trees: Map<string, MeshTree>;
  readonly kinds: Map<string, PartKind>;
  readonly bvhs: Map<Candidate, OrientedBvh>;
  readonly extents: Map<Candidate, Extent>;
}

/** `parts`: those that are to be placed. */
export const newKinds = (parts: readonly PlacedMesh[], spacingMm: number): Kinds => ({
  spacingMm,
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
    const { cellMm, spacingMm } = kinds;
    return partKind(part, cellMm, clearanceMm(spacingMm, cellMm) + cellMm, progress);
  };
  return getOrInsert(kinds.kinds, key, make);
}

/** A chamber that is being filled. */
export interface Search {
  readonly kinds: Kinds;
  readonly room: Room;
  readonly chamber: Chamber;
  /** In the order in which they were placed, obstacles first. */
  readonly placed: PlacedPart[];
  readonly states: Map<Candidate, CandidateState>;
  /** Undefined where parts are placed by height alone. */
  sections: Sections | undefined;
}

/** What a search knows of a candidate. */
interface CandidateState extends EscapeState {
  readonly candidate: Candidate;
  /** The least score of a place is its height and this: the mean of the heights of the top and of the centroid, and that of level faces. */
  readonly above: number;
  /** Where to look for a free place next: places only become fewer. */
  next: Place;
}

/** An empty chamber with what stands in it already. `evensSections`: whether places are rated by {@link Sections} too. */
export function newSearch(
  room: Room,
  kinds: Kinds,
  obstacles: readonly PlacedMesh[],
  evensSections: boolean,
  progress: Progress,
): Search {
  const chamber = newChamber(room, kinds.cellMm);
  const { columns, rows, layers } = chamber.tray;
  const sections = evensSections ? noSections(layers, columns * rows) : undefined;
  const search: Search = { kinds, room, chamber, placed: [], states: new Map(), sections };
  for (const obstacle of obstacles) {
    const [candidate] = kindOf(kinds, { ...obstacle, turns: "none" }, progress).candidates;
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
  if (!sections) return;
  const z = Math.round((centre[2] - chamber.origin[2]) / chamber.cellMm - candidate.shape.toCentre[2]);
  search.sections = addShape(sections, candidate.shape, z);
}

/** A free place of a candidate from which it can be taken out again; the one with the least score is taken. */
interface RatedPlace {
  readonly state: CandidateState;
  readonly place: Place;
  readonly score: number;
}

/** Puts a part at the best place that it finds in any of its orientations. Undefined where there is none. */
export function placePart(search: Search, part: MovablePart, progress: Progress): Pose | undefined {
  const { chamber, kinds, room, placed } = search;
  const states = kindOf(kinds, part, progress).candidates.map((candidate) => stateOf(search, candidate));
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
    state.next = { ...place, x: place.x + 1 };
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
  const [one, other] = [a, b].map((part) => placeSolid(part, treeOf(kinds, part, progress), a.pose));
  return !interfere(one, other, spacingMm, progress);
}

/** The place with the least score over the candidates. `known` has their lowest places in the present chamber as far as they are known. */
function bestPlace(
  { chamber: { tray, cellMm }, kinds: { spacingMm }, sections }: Search,
  states: readonly CandidateState[],
  known: Map<CandidateState, RatedPlace>,
  progress: Progress,
): RatedPlace | undefined {
  let best: RatedPlace | undefined;
  for (const rated of known.values()) if (!best || rated.score < best.score) best = rated;
  for (const state of states) {
    if (known.has(state) || (best && state.next.z + state.above >= best.score)) continue;
    const end = Math.min(tray.layers, best ? Math.ceil(best.score - state.above) : Infinity);
    const exits: Exits = {
      mustRise: () => mustRise(state),
      mayTake: (free) => canEscape(tray, state, free, spacingMm / cellMm),
    };
    const place = findPlace(tray, state.looks, state.next, end, exits, progress);
    if (!place) {
      if (end > state.next.z) state.next = { x: 0, y: 0, z: end };
      continue;
    }
    state.next = place;
    const penalty = sections ? sectionPenalty(sections, state.candidate.shape, place.z) : 0;
    const rated = { state, place, score: place.z + state.above + penalty };
    known.set(state, rated);
    if (!best || rated.score < best.score) best = rated;
  }
  return best;
}

/** The centre of the box of a part whose covered cells begin at a place. */
const centreAt = ({ origin, cellMm }: Chamber, { shape: { toCentre } }: Candidate, place: Place): Vec3 => [
  origin[0] + (place.x + toCentre[0]) * cellMm,
  origin[1] + (place.y + toCentre[1]) * cellMm,
  origin[2] + (place.z + toCentre[2]) * cellMm,
];

const stateOf = ({ states, chamber, sections }: Search, candidate: Candidate): CandidateState =>
  getOrInsert(states, candidate, () => ({
    candidate,
    looks: looksOf(chamber.tray, candidate.shape),
    above: (candidate.shape.layers + candidate.shape.centroid) / 2 + (sections ? levelPenalty(candidate.shape) : 0),
    next: { x: 0, y: 0, z: 0 },
    lockedIn: new Set<number>(),
    floods: 0,
  }));
