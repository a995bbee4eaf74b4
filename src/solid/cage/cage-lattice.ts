import type { Progress } from "../../core/progress.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import type { LetterPlane } from "../../mesh/letter-plane.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type CageShape, openingCount, planCage } from "./cage-plan.ts";
import { embossPlate, planLabelPlate, uniteWithPlate } from "./label-plate.ts";
import { roundLattice } from "./round-lattice.ts";
import { squareLattice } from "./square-lattice.ts";

export interface CageLattice {
  /** A closed manifold of one body; without its plate it is centred on the origin. */
  readonly mesh: Mesh;
  /** Openings in the walls. The surface has one hole fewer (genus). */
  readonly openings: number;
  /** The plane of its raised label, if it has one. */
  readonly letters?: LetterPlane;
}

export interface LatticeRequest extends CageShape {
  /** Text that is raised on a plate in a side wall. */
  readonly label?: string | undefined;
}

/**
 * The lattice of a cage, as one solid. Throws INPUT_ERROR for openings that are narrower than the bars, OPERATION_FAILED for a label
 * that does not fit.
 */
export async function cageLattice(request: LatticeRequest, progress: Progress): Promise<CageLattice> {
  const plan = planCage(request);
  const plate = request.label === undefined ? undefined : await planLabelPlate(plan, request.label);
  const isSquare = request.bars === "SQUARE";
  const surface = isSquare
    ? squareLattice(plan, request, plate, progress.part(0, 0.3))
    : roundLattice(plan, request, progress.part(0, 0.3));
  const lattice = canonicalMesh(surface, 1, progress.part(0.3, 0.5));
  const openings = openingCount(plan) - (plate?.openings ?? 0);
  if (!plate) return { mesh: lattice, openings };
  const withPlate = isSquare ? lattice : await uniteWithPlate(lattice, plate, plan, request, progress.part(0.5, 0.7));
  return { ...(await embossPlate(withPlate, plate, progress.part(0.7, 1))), openings };
}
