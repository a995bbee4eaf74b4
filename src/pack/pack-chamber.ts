import { type MeshTree, meshTree } from "../check/interferences.ts";
import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { type Pose, orientationScaleKey } from "../geometry/pose.ts";
import { type Vec3, add, subtract } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../slice/stack.ts";
import { type Candidate, type PartKind, partKind } from "./candidate.ts";
import { type Chamber, type Region, newChamber, roomOf, stampPart } from "./chamber.ts";
import { type PlacedPart, type Room, settle } from "./clearance.ts";
import { canEscape } from "./escape.ts";
import { type Looks, type Place, findPlace, looksOf } from "./tray.ts";
import type { AllowedTurns } from "./turns.ts";

/** A part to place: its mesh, the pose that it has now, and the turns that its lock allows. */
export interface MovablePart extends PlacedMesh {
  readonly turns: AllowedTurns;
}

export interface PackRequest {
  readonly parts: readonly MovablePart[];
  /** Placed meshes that stay; they need not lie in the region. */
  readonly obstacles: readonly PlacedMesh[];
  /** Where parts may be, in scene coordinates. */
  readonly region: Region;
  /** Least distance between parts, and between parts and obstacles. */
  readonly spacingMm: number;
  /** Least distance from the sides of the region, not from its bottom and top. */
  readonly wallDistanceMm: number;
}

export interface Packing {
  /** Of the parts in their order; undefined for those that found no place. */
  readonly poses: readonly (Pose | undefined)[];
  /** The number of parts that found a place. */
  readonly placed: number;
  /** From the bottom of the region to the top of the highest part. */
  readonly heightMm: number;
}

/** A cell of the grid on which places are searched. */
const CELL_MM = 1;
/** Cells are blocked whose centres are nearer to a part than the spacing and this: the exact place is found afterwards. */
const CLEARANCE_MM = 0.2;

/**
 * Places parts as low as they come, the largest first, each where it can be taken out again by moves without turns. Distances are those of
 * the meshes.
 */
export function packChamber(request: PackRequest, progress: Progress): Packing {
  const { parts, obstacles, region, spacingMm, wallDistanceMm } = request;
  const room = roomOf(region, wallDistanceMm);
  const search = newSearch(room, spacingMm);
  const kinds = kindsOf(parts, spacingMm, progress.part(0, SHARES.prepared));
  const trees = new Map<string, MeshTree>();
  for (const [i, part] of parts.entries()) trees.set(part.mesh.hash, kinds[i].tree);
  for (const obstacle of obstacles) addObstacle(search, obstacle, trees, progress);
  const order = parts.map((_, i) => i).sort((a, b) => kinds[b].boxMm3 - kinds[a].boxMm3 || a - b);
  const poses: (Pose | undefined)[] = parts.map(() => undefined);
  const placing = progress.part(SHARES.prepared, 1);
  let heightMm = 0;
  for (const [step, i] of order.entries()) {
    placing.report(step / order.length);
    const found = placePart(search, parts[i].mesh, parts[i].pose.scale, kinds[i], placing.silent());
    if (!found) continue;
    poses[i] = found.pose;
    heightMm = Math.max(heightMm, found.pose.position[2] + found.extent.box.max[2] - room.min[2]);
  }
  return { poses, placed: poses.filter((pose) => pose !== undefined).length, heightMm };
}

const SHARES = { prepared: 0.2 };

/** The kind of each part; parts that are alike share one. */
function kindsOf(parts: readonly MovablePart[], spacingMm: number, progress: Progress): PartKind[] {
  const known = new Map<string, PartKind>();
  const trees = new Map<string, MeshTree>();
  return parts.map((part, i) => {
    progress.report(i / parts.length);
    const orientation = part.turns === "all" ? { x: 0, y: 0, z: 0 } : part.pose.orientation;
    const key = `${part.turns} ${orientationScaleKey(part.mesh.hash, { orientation, scale: part.pose.scale })}`;
    let kind = known.get(key);
    if (!kind) {
      const tree = trees.get(part.mesh.hash) ?? meshTree(part.mesh, progress.silent());
      trees.set(part.mesh.hash, tree);
      kind = partKind(part, tree, CELL_MM, spacingMm + CLEARANCE_MM + CELL_MM, progress.silent());
      known.set(key, kind);
    }
    return kind;
  });
}

/** A chamber that is being filled. */
interface Search {
  readonly room: Room;
  readonly spacingMm: number;
  readonly chamber: Chamber;
  readonly placed: PlacedPart[];
  /** For each candidate its looks, and where to look for a free place next: places only become fewer. */
  readonly states: Map<Candidate, CandidateState>;
}

interface CandidateState {
  readonly looks: Looks;
  next: Place;
  readonly lockedIn: Set<number>;
}

const newSearch = (room: Room, spacingMm: number): Search => ({
  room,
  spacingMm,
  chamber: newChamber(room, CELL_MM),
  placed: [],
  states: new Map(),
});

function addObstacle(search: Search, obstacle: PlacedMesh, trees: Map<string, MeshTree>, progress: Progress): void {
  const tree = trees.get(obstacle.mesh.hash) ?? meshTree(obstacle.mesh, progress.silent());
  trees.set(obstacle.mesh.hash, tree);
  const { candidates } = partKind(
    { ...obstacle, turns: "none" },
    tree,
    CELL_MM,
    search.spacingMm + CLEARANCE_MM + CELL_MM,
    progress,
  );
  addPlaced(search, candidates[0], { ...obstacle, tree, extent: candidates[0].extent }, progress);
}

function addPlaced(
  { chamber, spacingMm, placed }: Search,
  { field, turn }: Candidate,
  part: PlacedPart,
  progress: Progress,
): void {
  const centre = add(part.pose.position, boxCentre(part.extent.box));
  stampPart(chamber, field, turn, centre, spacingMm + CLEARANCE_MM, progress);
  placed.push(part);
}

/** Finds the lowest place of a part over its orientations and puts it there. */
function placePart(
  search: Search,
  mesh: Mesh,
  scale: number,
  kind: PartKind,
  progress: Progress,
): PlacedPart | undefined {
  const { chamber, room, spacingMm, placed } = search;
  const { tray, cellMm, origin } = chamber;
  const places = new Map<Candidate, Place | undefined>();
  for (;;) {
    let best: { readonly candidate: Candidate; readonly place: Place; readonly score: number } | undefined;
    for (const candidate of kind.candidates) {
      const { layers, centroid } = candidate.shape;
      const above = (layers + centroid) / 2;
      const state = stateOf(search, candidate);
      let place = places.get(candidate);
      if (!place) {
        progress.report(0);
        const end = best ? Math.max(state.next.z, Math.ceil(best.score - above)) : tray.layers;
        place = findPlace(tray, state.looks, state.next, end);
        if (place) state.next = place;
        else if (end > state.next.z) state.next = { x: 0, y: 0, z: end };
        if (place) places.set(candidate, place);
      }
      if (!place || (best && place.z + above >= best.score)) continue;
      best = { candidate, place, score: place.z + above };
    }
    if (!best) return undefined;
    const { candidate, place } = best;
    const state = stateOf(search, candidate);
    if (canEscape(tray, state.looks, place, state.lockedIn)) {
      const { toCentre } = candidate.shape;
      const centre: Vec3 = [
        origin[0] + (place.x + toCentre[0]) * cellMm,
        origin[1] + (place.y + toCentre[1]) * cellMm,
        origin[2] + (place.z + toCentre[2]) * cellMm,
      ];
      const position = subtract(centre, boxCentre(candidate.extent.box));
      const part: PlacedPart = {
        mesh,
        pose: { position, orientation: candidate.orientation, scale },
        tree: kind.tree,
        extent: candidate.extent,
      };
      const settled = settle(part, placed, room, spacingMm, cellMm, progress);
      if (settled) {
        addPlaced(search, candidate, settled, progress);
        return settled;
      }
    }
    state.next = { ...place, x: place.x + 1 };
    places.delete(candidate);
  }
}

function stateOf({ states, chamber }: Search, candidate: Candidate): CandidateState {
  const known = states.get(candidate);
  if (known) return known;
  const state = {
    looks: looksOf(chamber.tray, candidate.shape),
    next: { x: 0, y: 0, z: 0 },
    lockedIn: new Set<number>(),
  };
  states.set(candidate, state);
  return state;
}
