import { type MeshTree, meshTree } from "../check/interferences.ts";
import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { type Pose, UPRIGHT, orientationScaleKey } from "../geometry/pose.ts";
import { type Vec3, add, subtract } from "../geometry/vector.ts";
import type { PlacedMesh } from "../slice/stack.ts";
import { type Candidate, type PartKind, partKind } from "./candidate.ts";
import { type Chamber, newChamber, stampPart } from "./chamber.ts";
import { type Extent, type PlacedPart, type Room, extentOf, settle } from "./clearance.ts";
import { type EscapeState, canEscape } from "./escape.ts";
import { type OrientedBvh, orientBvh } from "./oriented-bvh.ts";
import { type Place, findPlace, looksOf } from "./tray.ts";
import type { AllowedTurns } from "./turns.ts";

/** A part to place: its mesh, the pose that it has now, and the turns that its lock allows. */
export interface MovablePart extends PlacedMesh {
  readonly turns: AllowedTurns;
}

/** A cell of the grid on which places are searched. */
const CELL_MM = 1;
/** Cells are blocked whose centres are nearer to a part than the spacing and this: the exact place is found afterwards. */
const CLEARANCE_MM = 0.2;
/** How far around a part its field is looked at beyond the spacing. */
const REACH_MM = CLEARANCE_MM + CELL_MM;

/** What is known of meshes and of parts that are alike. It can serve several searches. */
export interface Kinds {
  readonly spacingMm: number;
  readonly trees: Map<string, MeshTree>;
  readonly kinds: Map<string, PartKind>;
  readonly bvhs: Map<Candidate, OrientedBvh>;
  readonly extents: Map<Candidate, Extent>;
}

export const newKinds = (spacingMm: number): Kinds => ({
  spacingMm,
  trees: new Map(),
  kinds: new Map(),
  bvhs: new Map(),
  extents: new Map(),
});

/** The extent of a candidate; computed once it is needed, since most candidates are never placed. */
const extentIn = ({ extents }: Kinds, candidate: Candidate, { mesh, pose: { scale } }: PlacedMesh): Extent =>
  getOrInsert(extents, candidate, () => extentOf(mesh, { orientation: candidate.orientation, scale }));

export const treeOf = ({ trees }: Kinds, { mesh }: PlacedMesh, progress: Progress): MeshTree =>
  getOrInsert(trees, mesh.hash, () => meshTree(mesh, progress));

/** What a part shares with all that are alike: it is computed once. */
export function kindOf(kinds: Kinds, part: MovablePart, progress: Progress): PartKind {
  const { mesh, pose, turns } = part;
  const orientation = turns === "all" ? UPRIGHT : pose.orientation;
  const key = `${turns} ${orientationScaleKey(mesh.hash, { orientation, scale: pose.scale })}`;
  const make = (): PartKind => partKind(part, CELL_MM, kinds.spacingMm + REACH_MM, progress);
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
}

/** What a search knows of a candidate. */
interface CandidateState extends EscapeState {
  readonly candidate: Candidate;
  /** The score of a place is its height and this: the mean of the height of the top and of that of the centroid. */
  readonly above: number;
  /** Where to look for a free place next: places only become fewer. */
  next: Place;
}

/** An empty chamber with what stands in it already. */
export function newSearch(room: Room, kinds: Kinds, obstacles: readonly PlacedMesh[], progress: Progress): Search {
  const search: Search = { kinds, room, chamber: newChamber(room, CELL_MM), placed: [], states: new Map() };
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
  const extent = extentIn(kinds, candidate, part);
  const { tree } = treeOf(kinds, part, progress);
  const bvh = getOrInsert(kinds.bvhs, candidate, () => orientBvh(tree, mesh, orientation, pose.scale));
  return { mesh, pose: { ...pose, orientation }, extent, bvh };
}

function addPart({ chamber, kinds, placed }: Search, candidate: Candidate, part: PlacedPart, progress: Progress): void {
  const centre = add(part.pose.position, boxCentre(part.extent.box));
  stampPart(chamber, candidate, centre, kinds.spacingMm + CLEARANCE_MM, progress);
  placed.push(part);
}

/** Puts a part at the lowest place that it finds in any of its orientations. Undefined where there is none. */
export function placePart(search: Search, part: MovablePart, progress: Progress): Pose | undefined {
  const { chamber, kinds, room, placed } = search;
  const states = kindOf(kinds, part, progress).candidates.map((candidate) => stateOf(search, candidate));
  const places: (Place | undefined)[] = states.map(() => undefined);
  for (;;) {
    const best = lowestPlace(search, states, places, progress);
    if (best < 0) return undefined;
    const state = states[best];
    const { candidate } = state;
    // The best one has a place.
    const place = places[best]!;
    const centre = centreAt(chamber, candidate, place);
    const position = subtract(centre, boxCentre(extentIn(kinds, candidate, part).box));
    const there = placedPart(search, candidate, { ...part, pose: { ...part.pose, position } }, progress);
    const settled = settle(there, placed, room, kinds.spacingMm, chamber.cellMm, progress);
    if (settled) {
      addPart(search, candidate, settled, progress);
      return settled.pose;
    }
    state.next = { ...place, x: place.x + 1 };
    places[best] = undefined;
  }
}

/** The index of the state with the lowest free place from which it can be taken out again, −1 for none. `places` has those that are known in the present chamber. */
function lowestPlace(
  { chamber: { tray, cellMm }, kinds: { spacingMm } }: Search,
  states: readonly CandidateState[],
  places: (Place | undefined)[],
  progress: Progress,
): number {
  let best = -1;
  let least = Infinity;
  for (const [i, place] of places.entries()) {
    if (place && place.z + states[i].above < least) [best, least] = [i, place.z + states[i].above];
  }
  for (const [i, state] of states.entries()) {
    if (places[i] || state.next.z + state.above >= least) continue;
    const end = Math.min(tray.layers, Math.ceil(least - state.above));
    progress.report(0);
    const place = findPlace(tray, state.looks, state.next, end, (free) =>
      canEscape(tray, state, free, spacingMm / cellMm),
    );
    if (!place) {
      if (end > state.next.z) state.next = { x: 0, y: 0, z: end };
      continue;
    }
    state.next = place;
    places[i] = place;
    if (place.z + state.above < least) [best, least] = [i, place.z + state.above];
  }
  return best;
}

/** The centre of the box of a part whose covered cells begin at a place. */
const centreAt = ({ origin, cellMm }: Chamber, { shape: { toCentre } }: Candidate, place: Place): Vec3 => [
  origin[0] + (place.x + toCentre[0]) * cellMm,
  origin[1] + (place.y + toCentre[1]) * cellMm,
  origin[2] + (place.z + toCentre[2]) * cellMm,
];

const stateOf = ({ states, chamber }: Search, candidate: Candidate): CandidateState =>
  getOrInsert(states, candidate, () => ({
    candidate,
    looks: looksOf(chamber.tray, candidate.shape),
    above: (candidate.shape.layers + candidate.shape.centroid) / 2,
    next: { x: 0, y: 0, z: 0 },
    lockedIn: new Set<number>(),
    floods: 0,
  }));
