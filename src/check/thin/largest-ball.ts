import { add, dot, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";

/** A ball that lies inside a solid. */
export interface Ball {
  readonly centre: Vec3;
  readonly radiusMm: number;
}

/** A ball that touches a surface from inside. */
export interface TouchingBall extends Ball {
  /** Where it touches. The second is missing where nothing hindered it from growing. */
  readonly feet: readonly [Vec3] | readonly [Vec3, Vec3];
}

/** Two radii, or a radius and a distance, that differ by a smaller share are the same. */
const SAME = 1e-4;

/** Each round takes a good part of what is left; so many are never needed. */
const MOST_ROUNDS = 30;

/**
 * The largest ball inside a solid, of at most `mostMm` radius, that touches its surface at `foot`, from where `inward`, of
 * length 1, leads into the solid. Source: J. Ma, S. W. Bae, S. Choi, "3D medial axis point approximation using nearest
 * neighbors and the normal field" (2012): a ball through the foot shrinks until nothing is left inside it.
 */
export function largestBall(tree: FacetTree, foot: Vec3, inward: Vec3, mostMm: number): TouchingBall {
  let radiusMm = mostMm;
  let other: Vec3 | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const nearest = nearestPoint(tree, add(foot, times(inward, radiusMm)), (1 - SAME) * radiusMm);
    if (!nearest) break;
    const away = subtract(nearest.point, foot);
    const smallerMm = dot(away, away) / (2 * dot(away, inward));
    other = nearest.point;
    const isSame = smallerMm > (1 - SAME) * radiusMm;
    radiusMm = smallerMm;
    if (isSame) break;
  }
  return { centre: add(foot, times(inward, radiusMm)), radiusMm, feet: other ? [foot, other] : [foot] };
}
