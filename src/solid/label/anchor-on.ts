import { cross, dot, exactLength, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import { operationFailed } from "../../core/fault.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Anchor } from "./chart.ts";

/** How the text shall stand: unit vectors along it and square to the surface. */
export interface Stance {
  readonly position: Vec3;
  readonly along: Vec3;
  readonly across: Vec3;
}

/** The surface may lean by 60° from how the text shall stand. */
const LEAST_COS = 0.5;

/**
 * The place of the surface nearest to the position, no farther than `reachMm`, and the way of the text on it: always to the
 * right as seen from outside, so that it reads, even where `across` leads into the surface.
 * Throws OPERATION_FAILED where there is none, or where the surface leans too far.
 */
export function anchorOn(mesh: Mesh, tree: FacetTree, { position, along, across }: Stance, reachMm: number): Anchor {
  const nearest = nearestPoint(tree, position, reachMm);
  if (!nearest) {
    throw operationFailed(
      "no surface lies within one font size of the position: give a position on the surface, in scene coordinates.",
    );
  }
  const out = normalOf(mesh, nearest.facet) ?? across;
  if (Math.abs(dot(out, across)) < LEAST_COS) {
    throw operationFailed(
      "the surface at the position leans by more than 60° from the orientation: turn z so that it points out of the surface.",
    );
  }
  return { place: nearest.point, along: unit(subtract(along, times(out, dot(along, out)))), out };
}

/** None for a facet without area. */
function normalOf({ vertices, triangles }: Mesh, facet: number): Vec3 | undefined {
  const corner = (i: number): Vec3 => {
    const at = 3 * triangles[3 * facet + i];
    return [vertices[at], vertices[at + 1], vertices[at + 2]];
  };
  const normal = cross(subtract(corner(1), corner(0)), subtract(corner(2), corner(0)));
  return exactLength(normal) > 0 ? unit(normal) : undefined;
}
