import type { Progress } from "../core/progress.ts";
import type { Pose } from "../geometry/pose.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { grownMm3 } from "./candidate.ts";
import { boxWithin, roomOf } from "./chamber.ts";
import { isInRoom } from "./clearance.ts";
import { type ChamberPart, type TooLarge, areApartBySolids, kindOf, newKinds, tooLargeOf } from "./kinds.ts";
import { type ChamberRequest, packingHeight } from "./pack-chamber.ts";
import { newSearch, placePart } from "./search.ts";

/** A part to copy. */
export interface FillSource extends ChamberPart {
  /** Whether the source itself may be moved: it is then placed as the first copy. Others stay as obstacles. */
  readonly moves: boolean;
}

export interface FillRequest extends ChamberRequest {
  readonly sources: readonly FillSource[];
  /** Most copies of all sources together, without these. */
  readonly maxCopies: number;
}

export interface FilledChamber {
  /** For each source its new pose and those of its copies. The pose is undefined if the source found no place. */
  readonly sources: readonly { readonly pose: Pose | undefined; readonly copies: readonly Pose[] }[];
  readonly heightMm: number;
  /** A source that is too large for the region; then nothing was placed. */
  readonly tooLarge?: TooLarge;
}

/** Share of the progress at which the shapes of the sources are prepared. */
const PREPARED = 0.1;

/**
 * Places the sources and copies of them in turn, the largest first, until not one more of any fits. Where the sources find no place, but
 * have valid ones already, they stay there.
 */
export function fillChamber(request: FillRequest, progress: Progress): FilledChamber {
  const filling = fillInRows(request, progress);
  if (areAllPlaced(filling) || !arePlaced(request, progress.silent())) return filling;
  return fillInRows({ ...request, sources: request.sources.map(fixed) }, progress);
}

const areAllPlaced = ({ sources }: FilledChamber): boolean => sources.every(({ pose }) => pose);

const fixed = (source: FillSource): FillSource => ({ ...source, moves: false });

const copiesIn = ({ sources }: FilledChamber): number => sources.reduce((sum, { copies }) => sum + copies.length, 0);

/**
 * Parts of which fewer boxes than this fill the volume of the chamber are large in it: a row that is not aligned with the next one
 * wastes much space.
 */
const FEW_BOXES = 150;

/** Large parts are placed within the box of a rounded chamber first, where their rows are aligned, if more of them fit so. */
function fillInRows(request: FillRequest, progress: Progress): FilledChamber {
  const { sources, region } = request;
  const boxMm3 = Math.min(...sources.map(({ mesh, pose }) => grownMm3(mesh.box, 0) * pose.scale ** 3));
  if (region.filletRadiusMm === 0 || grownMm3(region, 0) > FEW_BOXES * boxMm3) return fill(request, progress);
  const whole = fill(request, progress.part(0, 0.4));
  if (whole.tooLarge) return whole;
  const inBox = fill({ ...request, region: boxWithin(region) }, progress.part(0.4, 0.8));
  if (!areAllPlaced(inBox)) return whole;
  const rest = fillOn(request, inBox, progress.part(0.8, 1));
  return copiesIn(rest) > copiesIn(whole) || !areAllPlaced(whole) ? rest : whole;
}

/** Continues a filling in the whole region. */
function fillOn(request: FillRequest, { sources, heightMm }: FilledChamber, progress: Progress): FilledChamber {
  const at = (i: number, pose: Pose): FillSource => ({ ...fixed(request.sources[i]), pose });
  const standing = sources.flatMap(({ copies }, i) => copies.map((pose) => at(i, pose)));
  const more = fill(
    {
      ...request,
      obstacles: [...request.obstacles, ...standing],
      // All sources of this filling are placed.
      sources: sources.map(({ pose }, i) => at(i, pose!)),
      maxCopies: request.maxCopies - standing.length,
    },
    progress,
  );
  return {
    sources: sources.map(({ pose, copies }, i) => ({ pose, copies: [...copies, ...more.sources[i].copies] })),
    heightMm: Math.max(heightMm, more.heightMm),
  };
}

/** Whether the sources are in the chamber where they are, apart from each other and from obstacles. */
function arePlaced(
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
  const { sources, region, spacingMm, wallDistanceMm, maxCopies } = request;
  const kinds = newKinds(sources, spacingMm, roomOf(region, wallDistanceMm));
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
    placing.report(packingHeight(search, obstacles.length) / (room.max[2] - room.min[2]));
    const pose = placePart(search, sources[i], placing.silent());
    if (pose) poses[i].push(pose);
    else open.delete(i);
  }
  return {
    sources: poses.map(([pose, ...more]) => ({ pose, copies: more })),
    heightMm: packingHeight(search, obstacles.length),
  };
}
