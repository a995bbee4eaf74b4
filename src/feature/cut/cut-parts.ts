import { excerpt } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { STEPS_PER_DEGREE, product, rotationMatrix, roundedAngles, shortestRotation } from "../../geometry/pose.ts";
import { type Vec3, dot, subtract, times } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { internMesh, withMesh } from "../../scene/model-mesh.ts";
import type { Model } from "../../scene/project.ts";
import type { HoleFrame } from "../../solid/drill/bore.ts";
import type { SupportPlan } from "../../support/plan/support-plan.ts";
import type { CutSolid } from "../../solid/cut/cut-mesh.ts";

export type Side = "ABOVE" | "BELOW";

/** A part of a model as a new model, at its place; its outline is not computed. */
export interface CutPart {
  readonly side: Side;
  readonly model: Model;
}

interface PartsRequest {
  /** The plane in the coordinates of the raw mesh. */
  readonly frame: HoleFrame;
  readonly keep: "BOTH" | Side;
  /** Normal of the plane in the scene. */
  readonly normal: Vec3;
  readonly isOnCut: boolean;
}

const DOWN: Vec3 = [0, 0, -1];

/** The parts of a model that a cut keeps. */
export function partsOf(model: Model, cut: CutSolid, { frame, keep, normal, isOnCut }: PartsRequest): CutPart[] {
  const sides = (["ABOVE", "BELOW"] as const).filter((side) => keep === "BOTH" || keep === side);
  return sides.map((side) => {
    const mesh = side === "ABOVE" ? cut.above : cut.below;
    const part = {
      ...newModel(model, mesh, `${excerpt(model.name)} ${side.toLowerCase()}`),
      supportPlan: model.supportPlan && planOfSide(model.supportPlan, side, frame),
    };
    // The lower part would stand on its pegs.
    if (!isOnCut || (side === "BELOW" && hasPegs(cut))) return { side, model: part };
    const turn = shortestRotation(times(normal, side === "ABOVE" ? -1 : 1), DOWN);
    const orientation = roundedAngles(product(turn, rotationMatrix(part.pose.orientation)), STEPS_PER_DEGREE);
    return { side, model: { ...part, pose: { ...part.pose, orientation } } };
  });
}

/** The plan with the points of one side. Areas count only where the part has a surface. */
function planOfSide({ points, ...plan }: SupportPlan, side: Side, { origin, s }: HoleFrame): SupportPlan | undefined {
  const own = points.filter(({ position }) => dot(subtract(position, origin), s) > 0 === (side === "ABOVE"));
  return own.length + plan.areas.length > 0 ? { ...plan, points: own } : undefined;
}

export const hasPegs = ({ keys }: CutSolid): boolean => keys.some(({ kind }) => kind === "PEG");

/** The dowels of a cut as new models, where they are between the parts. */
export const dowelsOf = (model: Model, { dowels }: CutSolid): Model[] =>
  dowels.map((mesh, i) => ({
    ...newModel(model, mesh, `${excerpt(model.name)} dowel ${i + 1}`),
    visible: true,
    lock: "FREE",
    letters: undefined,
    supportPlan: undefined,
  }));

const newModel = (model: Model, mesh: Mesh, name: string): Model => ({
  ...withMesh(model, internMesh(mesh)),
  id: newId(),
  name,
});
