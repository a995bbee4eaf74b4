import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { IDENTITY_POSE, rotationMatrix } from "../geometry/pose.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { outlineOf } from "../mesh/outline.ts";
import type { SolidBase, SupportSolidRequest } from "./solid/solid-base.ts";
import { solidOfGroups, strutGroups } from "./solid/support-solid.ts";

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

/** The solid of a large tree, whose groups of struts several threads unite while another one builds its base. */
export interface DividedSolid {
  readonly solid: SupportSolidRequest;
  readonly groups: readonly (readonly Surface[])[];
}

/** The solid of a tree divided into groups; undefined if the tree is too small for several. */
export function divideSolid(solid: SupportSolidRequest, progress: Progress): DividedSolid | undefined {
  const groups = strutGroups(solid, progress);
  return groups.length > 1 ? { solid, groups } : undefined;
}

export interface FinishRequest {
  readonly solid: SupportSolidRequest;
  readonly base: SolidBase;
  /** The unions of the groups, in their order. */
  readonly united: readonly Surface[];
}

/** The supports of a divided solid: the same as if they had been made in one piece. */
export async function finishSupports(
  { solid, base, united }: FinishRequest,
  progress: Progress,
): Promise<BuiltSupports> {
  const { mesh, isLoose } = await solidOfGroups(solid, base, united, progress);
  return { ...supportBody(mesh), isLoose };
}
