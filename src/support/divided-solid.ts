import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { IDENTITY_POSE, rotationMatrix } from "../geometry/pose.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { outlineOf } from "../mesh/outline.ts";
import { type SolidParts, type SupportSolidRequest, solidOfParts, solidParts } from "./solid/support-solid.ts";

/** The mesh of supports, which has scene coordinates, as a placed body. */
export const supportBody = (mesh: Mesh) => ({
  mesh,
  outline: outlineOf(mesh, rotationMatrix(IDENTITY_POSE.orientation)),
  pose: { ...IDENTITY_POSE, position: boxCentre(mesh.box) },
});

/** The body of supports. */
export type BuiltSupports = ReturnType<typeof supportBody> & {
  /** As of `SupportedModel`. */
  readonly isLoose: boolean;
};

/** The solid of a large tree, whose groups of struts several threads unite. */
export interface DividedSolid {
  readonly solid: SupportSolidRequest;
  readonly parts: SolidParts;
}

/** The solid of a tree divided into groups; undefined where the tree is too small for several. */
export async function divideSolid(solid: SupportSolidRequest, progress: Progress): Promise<DividedSolid | undefined> {
  const parts = await solidParts(solid, progress);
  return parts.groups.length > 1 ? { solid, parts } : undefined;
}

export interface FinishRequest extends DividedSolid {
  /** The unions of the groups, in their order. */
  readonly united: readonly Surface[];
}

/** The supports of a divided solid: the same as if they had been made in one piece. */
export async function finishSupports(
  { solid, parts, united }: FinishRequest,
  progress: Progress,
): Promise<BuiltSupports> {
  const { mesh, isLoose } = await solidOfParts(solid, parts, united, progress);
  return { ...supportBody(mesh), isLoose };
}
