import type { Progress } from "../core/progress.ts";
import type { Pose } from "../geometry/pose.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { roomOf } from "./chamber.ts";
import { isInRoom } from "./clearance.ts";
import { type MovablePart, areApartBySolids, kindOf, newKinds } from "./kinds.ts";
import { type ChamberRequest, heightOf } from "./pack-chamber.ts";
import { newSearch, placePart } from "./search.ts";

/** A part to copy. */
export interface FillSource extends MovablePart {
  /** Whether the source itself may be moved: it is then placed as the first copy. Others stay as obstacles. */
  readonly moves: boolean;
}

export interface FillRequest extends ChamberRequest {
  readonly sources: readonly FillSource[];
  /** Most copies of all sources together, without these. */
  readonly maxCopies: number;
}

export interface Filling {
  /** Of each source its new pose and those of its copies. The pose is undefined where the source found no place. */
  readonly sources: readonly { readonly pose: Pose | undefined; readonly copies: readonly Pose[] }[];
  readonly heightMm: number;
}

/** Share of the progress at which the shapes of the sources are prepared. */
const PREPARED = 0.1;

/**
 * Places the sources and copies of them in turn, the largest first, until not one more of any fits. Where the sources find no place, but
 * have valid ones already, they stay there.
 */
export function fillChamber(request: FillRequest, progress: Progress): Filling {
  const filling = fill(request, progress);
  if (filling.sources.every(({ pose }) => pose) || !arePlaced(request, progress.silent())) return filling;
  return fill({ ...request, sources: request.sources.map((source) => ({ ...source, moves: false })) }, progress);
}

/** Whether the sources are in the chamber where they are, apart from each other and from obstacles. */
function arePlaced(
  { sources, obstacles, region, spacingMm, wallDistanceMm }: FillRequest,
  progress: Progress,
): boolean {
  const room = roomOf(region, wallDistanceMm);
  const kinds = newKinds(sources, spacingMm);
  const { placed } = newSearch(room, kinds, { parts: [], obstacles: [...obstacles, ...sources] }, progress);
  const sourcesPlaced = placed.slice(obstacles.length);
  return (
    sourcesPlaced.every(({ extent, pose }) => isInRoom(room, extent, pose.position)) &&
    sourcesPlaced.every((part, i) =>
      placed.slice(0, obstacles.length + i).every((other) => areApartBySolids(part, other, kinds, progress)),
    )
  );
}

function fill(request: FillRequest, progress: Progress): Filling {
  const { sources, region, spacingMm, wallDistanceMm, maxCopies } = request;
  const kinds = newKinds(sources, spacingMm);
  const preparing = progress.part(0, PREPARED);
  const sizes = sources.map((source) => kindOf(kinds, source, preparing).boxMm3);
  const obstacles: PlacedMesh[] = [...request.obstacles, ...sources.filter(({ moves }) => !moves)];
  const room = roomOf(region, wallDistanceMm);
  const search = newSearch(room, kinds, { parts: sources, obstacles }, preparing);
  const order = sources.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a] || a - b);
  const placing = progress.part(PREPARED, 1);
  const poses = sources.map(({ moves, pose }): Pose[] => (moves ? [] : [pose]));
  const open = new Set(order);
  const copies = (): number => poses.reduce((sum, { length }) => sum + Math.max(0, length - 1), 0);
  for (const i of order.filter((source) => sources[source].moves)) add(i);
  while (open.size > 0 && copies() < maxCopies) {
    // Each turn adds one copy of every source that still fits.
    for (const i of order) if (open.has(i) && copies() < maxCopies) add(i);
  }
  function add(i: number): void {
    placing.report(heightOf(search, obstacles.length) / (room.max[2] - room.min[2]));
    const pose = placePart(search, sources[i], placing.silent());
    if (pose) poses[i].push(pose);
    else open.delete(i);
  }
  return {
    sources: poses.map(([pose, ...more]) => ({ pose, copies: more })),
    heightMm: heightOf(search, obstacles.length),
  };
}
