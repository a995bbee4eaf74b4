import type { Progress } from "../core/progress.ts";
import type { Pose } from "../geometry/pose.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { boxWithin, roomOf } from "./chamber.ts";
import { isInRoom } from "./clearance.ts";
import { type ChamberPart, type TooLarge, areApartBySolids, kindOf, newKinds, tooLargeOf } from "./kinds.ts";
import { type ChamberRequest, packingHeight } from "./pack-chamber.ts";
import { type Search, newSearch, placePart, searchInRoom } from "./search.ts";

/** A part to copy. */
export interface FillSource extends ChamberPart {
  /** Whether the source itself may be moved: it is then placed as the first copy. Others stay as obstacles. */
  readonly moves: boolean;
}

export interface FillRequest extends ChamberRequest {
  readonly sources: readonly FillSource[];
  /** Maximum number of copies of all sources together, without the sources. */
  readonly maxCopies: number;
  /** Whether the box within a rounded region is filled first, then the rest of the region, unless a source finds no place in the box. Default: false. */
  readonly isBoxedFirst?: boolean;
}

export interface FilledChamber {
  /** For each source its new pose and those of its copies. The pose is undefined if the source found no place. */
  readonly sources: readonly { readonly pose: Pose | undefined; readonly copies: readonly Pose[] }[];
  readonly heightMm: number;
  /** A source that is too large for the region; then nothing was placed. */
  readonly tooLarge?: TooLarge;
  /** Only if a source found no place: whether the present places of all sources are valid. */
  readonly couldStay?: boolean;
}

/** Share of the progress after which the shapes of the sources are prepared. */
const PREPARED = 0.1;

/**
 * Places the sources and then copies of them, one of each source per round and the largest first, until no further one fits.
 * `feature/pack/best-filling.ts` chooses between two such fillings.
 */
export function fillChamber(request: FillRequest, progress: Progress): FilledChamber {
  const filling = fill(request, progress);
  if (request.isBoxedFirst || filling.sources.every(({ pose }) => pose)) return filling;
  return { ...filling, couldStay: areInPlace(request, progress.silent()) };
}

/** Whether the sources are in the chamber where they are, apart from each other and from obstacles. */
function areInPlace(
  { sources, obstacles, region, spacingMm, wallDistanceMm }: FillRequest,
  progress: Progress,
): boolean {
  const room = roomOf(region, wallDistanceMm);
  const kinds = newKinds(sources, spacingMm, room);
  const { placed } = newSearch(room, kinds, { parts: [], obstacles: [...obstacles, ...sources] }, progress);
  const sourcesPlaced = placed.slice(obstacles.length);
  return (
    sourcesPlaced.every(({ extent, pose }) => isInRoom(room, extent, pose.position)) &&
    sourcesPlaced.every((part, i) =>
      placed.slice(0, obstacles.length + i).every((other) => areApartBySolids(part, other, kinds, progress)),
    )
  );
}

function fill(request: FillRequest, progress: Progress): FilledChamber {
  const { sources, region, spacingMm, wallDistanceMm, isBoxedFirst = false } = request;
  const room = roomOf(region, wallDistanceMm);
  const kinds = newKinds(sources, spacingMm, room);
  const preparing = progress.part(0, PREPARED);
  const sizes = sources.map((source) => kindOf(kinds, source, preparing).boxMm3);
  const movable = sources.map((source, i) => ({ source, i })).filter(({ source }) => source.moves);
  const found = tooLargeOf(
    kinds,
    movable.map(({ source }) => source),
    preparing,
  );
  if (found) {
    const tooLarge = { ...found, part: movable[found.part].i };
    return { sources: sources.map(() => ({ pose: undefined, copies: [] })), heightMm: 0, tooLarge };
  }
  const obstacles: PlacedMesh[] = [...request.obstacles, ...sources.filter(({ moves }) => !moves)];
  const order = sources.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a] || a - b);
  const firstRoom = isBoxedFirst ? roomOf(boxWithin(region), wallDistanceMm) : room;
  // No pushes in the box: a part that finds a place there by a push also finds one in the whole region.
  let search = newSearch(firstRoom, kinds, { parts: sources, obstacles, pushes: !isBoxedFirst }, preparing);
  const poses = sources.map(({ moves, pose }): Pose[] => (moves ? [] : [pose]));
  const placing = progress.part(PREPARED, 1);
  addCopies(search, request, order, poses, isBoxedFirst ? placing.part(0, 0.8) : placing);
  if (isBoxedFirst && poses.every(({ length }) => length > 0)) {
    search = searchInRoom(search, room, placing.silent());
    addCopies(search, request, order, poses, placing.part(0.8, 1));
  }
  return {
    sources: poses.map(([pose, ...more]) => ({ pose, copies: more })),
    heightMm: packingHeight(search, obstacles.length),
  };
}

/** Places the sources that have no pose yet, and then copies of them; their poses are added to `poses`. */
function addCopies(
  search: Search,
  { sources, maxCopies }: FillRequest,
  order: readonly number[],
  poses: readonly Pose[][],
  progress: Progress,
): void {
  const open = new Set(order);
  const standing = search.placed.length;
  const copies = (): number => poses.reduce((sum, { length }) => sum + Math.max(0, length - 1), 0);
  for (const i of order) if (poses[i].length === 0) add(i);
  while (open.size > 0 && copies() < maxCopies) {
    // Each round adds one copy of every source that still fits.
    for (const i of order) if (open.has(i) && copies() < maxCopies) add(i);
  }
  function add(i: number): void {
    progress.report(packingHeight(search, standing) / (search.room.max[2] - search.room.min[2]));
    const pose = placePart(search, sources[i], progress.silent());
    if (pose) poses[i].push(pose);
    else open.delete(i);
  }
}
