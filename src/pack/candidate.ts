import type { Progress } from "../core/progress.ts";
import { type Box, boxOf, boxSize } from "../geometry/box.ts";
import { type EulerDeg, STEPS_PER_DEGREE, rotationMatrix, roundedAngles } from "../geometry/pose.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type OrientedShape, orientedShape } from "./oriented-shape.ts";
import { type PartField, partField, rotatedSurface } from "./part-shape.ts";
import { type Bulk, steepestJump } from "./sections.ts";
import { type Core, coreOf } from "./thick-cores.ts";
import { type AllowedTurns, type AxisTurn, type TurnGroup, tiltedGroup, turnGroupsOf, turned } from "./turns.ts";

/** A part in one of the orientations that it may have. */
export interface Candidate {
  readonly field: PartField;
  readonly turn: AxisTurn;
  readonly shape: OrientedShape;
  readonly orientation: EulerDeg;
  /** Before the turn, from the centre of the box; undefined for parts that are not thick, or where heat does not count. */
  readonly core: Core | undefined;
}

/** What packing knows of parts with the same mesh, scale and turns. */
export interface PartKind {
  readonly candidates: readonly Candidate[];
  /** Volume of the smallest box, mm³: larger ones are placed first. */
  readonly boxMm3: number;
  readonly bulk: Bulk;
}

export interface KindOptions {
  readonly cellMm: number;
  readonly spacingMm: number;
  /** How far around a part others look at its field. */
  readonly reachMm: number;
  /** Whether heat counts: then parts that lie lowest on a large level face are tilted too, and thick ones have a core. */
  readonly isSinterMinded: boolean;
}

/** A level face is large from here on, mm². Guides name no figure: 20 mm × 20 mm. */
const LARGE_FACE_MM2 = 400;

/** The orientations of a part. */
export function partKind(
  { mesh, pose, turns }: PlacedMesh & { readonly turns: AllowedTurns },
  { cellMm, spacingMm, reachMm, isSinterMinded }: KindOptions,
  progress: Progress,
): PartKind {
  const present = rotationMatrix(pose.orientation);
  const candidates: Candidate[] = [];
  const groups = turnGroupsOf(mesh, present, turns);
  const [first, ...others] = groups.map(addGroup);
  const lowest = candidates.reduce((least, one) => (scoredHeight(one.shape) < scoredHeight(least.shape) ? one : least));
  const hasLevelFace = steepestJump(lowest.shape) * cellMm * cellMm >= LARGE_FACE_MM2;
  if (isSinterMinded && turns === "all" && hasLevelFace) addGroup(tiltedGroup(groups[0], boxSize(first.box)));
  const boxMm3 = [first, ...others].reduce((least, { box }) => Math.min(least, volumeOf(box, 0)), Infinity);
  return {
    candidates,
    boxMm3,
    bulk: { ...bulkOf(first.field, cellMm, spacingMm), boxMm3: volumeOf(first.box, spacingMm) },
  };

  function addGroup({ base, turns: axisTurns }: TurnGroup): { readonly box: Box; readonly field: PartField } {
    progress.report(0);
    const surface = rotatedSurface(mesh, base, pose.scale, progress);
    progress.report(0);
    const box = boxOf(surface.vertices as Float64Array);
    const field = partField(surface, box, cellMm / 2, reachMm, progress);
    const core = isSinterMinded ? coreOf(field, cellMm, progress.silent()) : undefined;
    for (const turn of axisTurns) {
      progress.report(0);
      const shape = orientedShape(field, turn);
      if (candidates.some((known) => haveSameRuns(known.shape, shape))) continue;
      const orientation = turns === "none" ? pose.orientation : roundedAngles(turned(turn, base), STEPS_PER_DEGREE);
      candidates.push({ field, turn, shape, orientation, core });
    }
    return { box, field };
  }
}

/** The mean of the heights of the top and of the centroid, in cells: the lower, the better a place is. */
export const scoredHeight = ({ layers, centroid }: OrientedShape): number => (layers + centroid) / 2;

const haveSameRuns = ({ runs }: OrientedShape, other: OrientedShape): boolean =>
  runs.length === other.runs.length && runs.every((value, i) => value === other.runs[i]);

/** The volume of a box with sides longer by `byMm`. */
const volumeOf = (box: Box, byMm: number): number => boxSize(box).reduce((volume, side) => volume * (side + byMm), 1);

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
