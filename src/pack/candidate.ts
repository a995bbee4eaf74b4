import type { Progress } from "../core/progress.ts";
import { boxOf, boxSize } from "../geometry/box.ts";
import { type EulerDeg, STEPS_PER_DEGREE, rotationMatrix, roundedAngles } from "../geometry/pose.ts";
import type { PlacedMesh } from "../slice/stack.ts";
import { type OrientedShape, orientedShape } from "./oriented-shape.ts";
import { type PartField, partField, rotatedSurface } from "./part-shape.ts";
import { type AllowedTurns, type AxisTurn, turnGroupsOf, turned } from "./turns.ts";

/** A part in one of the orientations that it may have. */
export interface Candidate {
  readonly field: PartField;
  readonly turn: AxisTurn;
  readonly shape: OrientedShape;
  readonly orientation: EulerDeg;
}

/** What packing knows of parts with the same mesh, scale and turns. */
export interface PartKind {
  readonly candidates: readonly Candidate[];
  /** Volume of the smallest box, mm³: larger ones are placed first. */
  readonly boxMm3: number;
}

/** The orientations of a part. `reachMm` is how far around a part others look at its field. */
export function partKind(
  { mesh, pose, turns }: PlacedMesh & { readonly turns: AllowedTurns },
  cellMm: number,
  reachMm: number,
  progress: Progress,
): PartKind {
  const present = rotationMatrix(pose.orientation);
  const candidates: Candidate[] = [];
  let boxMm3 = Infinity;
  for (const group of turnGroupsOf(mesh, present, turns)) {
    progress.report(0);
    const surface = rotatedSurface(mesh, group.base, pose.scale, progress);
    progress.report(0);
    const box = boxOf(surface.vertices as Float64Array);
    const [x, y, z] = boxSize(box);
    boxMm3 = Math.min(boxMm3, x * y * z);
    const field = partField(surface, box, cellMm / 2, reachMm, progress);
    for (const turn of group.turns) {
      progress.report(0);
      const shape = orientedShape(field, turn);
      if (candidates.some((known) => haveSameRuns(known.shape, shape))) continue;
      const orientation =
        turns === "none" ? pose.orientation : roundedAngles(turned(turn, group.base), STEPS_PER_DEGREE);
      candidates.push({ field, turn, shape, orientation });
    }
  }
  return { candidates, boxMm3 };
}

const haveSameRuns = ({ runs }: OrientedShape, other: OrientedShape): boolean =>
  runs.length === other.runs.length && runs.every((value, i) => value === other.runs[i]);
