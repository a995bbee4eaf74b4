import type { Progress } from "../core/progress.ts";
import { type Box, boxOf, boxSize, boxVolume } from "../geometry/box.ts";
import { type EulerDeg, STEPS_PER_DEGREE, rotationMatrix, roundedAngles } from "../geometry/pose.ts";
import { type Mat3, type Vec3, times } from "../geometry/vector.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import type { Room } from "./clearance.ts";
import { leaningTurn } from "./leaning-turns.ts";
import { type OrientedShape, orientedShape } from "./oriented-shape.ts";
import { type PartField, partField, rotatedSurface } from "./part-shape.ts";
import { type Bulk, steepestJump } from "./sections.ts";
import {
  type AllowedTurns,
  type AxisTurn,
  FLAT_TURNS,
  type TurnGroup,
  extremeVertices,
  tiltedGroup,
  turnGroupsOf,
  applyTurn,
} from "./turns.ts";

/** A part in one of the orientations that it may have. */
export interface OrientedPart {
  readonly field: PartField;
  readonly turn: AxisTurn;
  readonly shape: OrientedShape;
  readonly orientation: EulerDeg;
  /** Size of its box. */
  readonly sizeMm: Vec3;
}

/** Data of all parts with the same mesh, scale and rotations. */
export interface PartKind {
  readonly candidates: readonly OrientedPart[];
  /** Rotations that keep every large face of the part out of level; undefined if it has no such face or may not rotate so. */
  readonly tilted: TurnGroup | undefined;
  /** Volume of the smallest box, mm³: parts with larger ones are placed first. */
  readonly boxMm3: number;
  readonly bulk: Bulk;
}

export interface KindOptions {
  readonly cellMm: number;
  readonly spacingMm: number;
  /** Distance around a part up to which other parts read its field. */
  readonly reachMm: number;
  /** The room in which the part must fit. */
  readonly room: Room;
}

/** Smallest area of a large level face, mm². Guides give no figure: 20 mm × 20 mm. */
const LARGE_FACE_MM2 = 400;

/** A part and the rotations that its lock allows. */
type TurnablePart = PlacedMesh & { readonly turns: AllowedTurns };

/** The orientations of a part. */
export function partKind(part: TurnablePart, options: KindOptions, progress: Progress): PartKind {
  const { cellMm, spacingMm } = options;
  const { mesh, pose, turns } = part;
  const groups = turnGroupsOf(mesh, rotationMatrix(pose.orientation), turns);
  const orientedGroups = groups.map((group) => orientedGroup(part, group, options, progress));
  const [{ box, field }] = orientedGroups;
  const inAxes = distinctShapes(orientedGroups.flatMap((group) => group.candidates));
  const lean = turns === "all" ? leaningGroup(part, groups[0].base, inAxes, options.room) : undefined;
  const leaning = lean ? orientedGroup(part, lean, options, progress).candidates : [];
  const candidates = lean ? distinctShapes([...inAxes, ...leaning]) : inAxes;
  const lowest = candidates.reduce((least, one) => (scoredHeight(one.shape) < scoredHeight(least.shape) ? one : least));
  const hasLevelFace = steepestJump(lowest.shape) * cellMm * cellMm >= LARGE_FACE_MM2;
  return {
    candidates,
    tilted: turns === "all" && hasLevelFace ? tiltedGroup(groups[0], boxSize(box)) : undefined,
    boxMm3: orientedGroups.reduce((least, group) => Math.min(least, boxVolume(group.box)), Infinity),
    bulk: { ...bulkOf(field, cellMm, spacingMm), boxMm3: grownMm3(box, spacingMm) },
  };
}

/**
 * A leaning part is tried if its height is less than this share of the lowest height that fits along the axes: else the gain is too small.
 */
const LOWER_BY = 0.8;

/** Length by which the box of a candidate exceeds a room, mm, along the axis with the largest excess; at most 0 if it fits. */
export const roomExcessMm = ({ sizeMm }: OrientedPart, { min, max }: Room): number =>
  Math.max(...sizeMm.map((size, axis) => size - (max[axis] - min[axis])));

/** Orientations along the diagonals of a room, for a part that does not fit along the axes, or only upright. */
function leaningGroup(
  { mesh, pose }: TurnablePart,
  base: Mat3,
  candidates: readonly OrientedPart[],
  room: Room,
): TurnGroup | undefined {
  const heights = (some: readonly OrientedPart[]): number => Math.min(...some.map(({ sizeMm }) => sizeMm[2]));
  const fitting = heights(candidates.filter((candidate) => roomExcessMm(candidate, room) <= 0));
  if (LOWER_BY * fitting < heights(candidates)) return undefined;
  const points = extremeVertices(mesh).map((point) => times(point, pose.scale));
  const rotation = leaningTurn(points, base, room, LOWER_BY * fitting);
  return rotation && { base: rotation, turns: FLAT_TURNS };
}

/** A part after the base rotation of a group, and in each of its axis rotations. */
interface OrientedGroup {
  readonly box: Box;
  readonly field: PartField;
  readonly candidates: readonly OrientedPart[];
}

export function orientedGroup(
  { mesh, pose, turns }: TurnablePart,
  { base, turns: axisTurns }: TurnGroup,
  { cellMm, reachMm }: KindOptions,
  progress: Progress,
): OrientedGroup {
  progress.report(0);
  const surface = rotatedSurface(mesh, base, pose.scale, progress);
  progress.report(0);
  const box = boxOf(surface.vertices as Float64Array);
  const field = partField(surface, box, cellMm / 2, reachMm, progress);
  const candidates = axisTurns.map((turn): OrientedPart => {
    progress.report(0);
    const shape = orientedShape(field, turn);
    const orientation = turns === "none" ? pose.orientation : roundedAngles(applyTurn(turn, base), STEPS_PER_DEGREE);
    const size = boxSize(box);
    return { field, turn, shape, orientation, sizeMm: [size[turn.axes[0]], size[turn.axes[1]], size[turn.axes[2]]] };
  });
  return { box, field, candidates };
}

/** The first candidate of each shape. */
export const distinctShapes = (candidates: readonly OrientedPart[]): readonly OrientedPart[] =>
  candidates.filter(
    ({ shape }, i) => candidates.findIndex((known) => known.shape === shape || haveSameRuns(known.shape, shape)) === i,
  );

/** The mean of the heights of the top and of the centroid, in cells. A lower place is better. */
export const scoredHeight = ({ layers, centroid }: OrientedShape): number => (layers + centroid) / 2;

const haveSameRuns = ({ runs }: OrientedShape, other: OrientedShape): boolean =>
  runs.length === other.runs.length && runs.every((value, i) => value === other.runs[i]);

/** The volume of a box with sides longer by `byMm`. */
export const grownMm3 = (box: Box, byMm: number): number =>
  boxSize(box).reduce((volume, side) => volume * (side + byMm), 1);

function bulkOf(
  { covered, distances, stepsPerVoxel }: PartField,
  cellMm: number,
  spacingMm: number,
): Pick<Bulk, "coveredMm3" | "grownMm3"> {
  // Voxels have half the size of cells.
  const limit = (spacingMm / cellMm) * stepsPerVoxel;
  let [cells, voxels] = [0, 0];
  for (let i = 0; i < covered.length; i++) cells += covered[i];
  for (let i = 0; i < distances.length; i++) if (distances[i] <= limit) voxels++;
  return { coveredMm3: cells * cellMm ** 3, grownMm3: voxels * (cellMm / 2) ** 3 };
}
