import { type ExactPlace, exactPlace } from "./exact-place.ts";
import { type ExactPlane, heightOver } from "./exact-plane.ts";
import { turnOf, type View } from "./in-plane.ts";
import type { Lattice } from "./lattice.ts";

/** A facet without rounding. */
export interface ExactFacet {
  readonly corners: readonly [ExactPlace, ExactPlace, ExactPlace];
  readonly plane: ExactPlane;
  readonly view: View;
}

/** Where two facets in different planes meet: the ends of a segment, one place, or nothing. Some places come twice. */
export const meetingsOf = (a: ExactFacet, b: ExactFacet, lattice: Lattice): ExactPlace[] => [
  ...edgesThrough(a, b, lattice),
  ...edgesThrough(b, a, lattice),
];

export const areInOnePlane = (a: ExactFacet, b: ExactFacet): boolean =>
  b.corners.every((corner) => heightOver(a.plane, corner) === 0n);

/** Where the edges of the first facet, ends included, meet the second. */
function edgesThrough({ corners }: ExactFacet, other: ExactFacet, lattice: Lattice): ExactPlace[] {
  const heights = corners.map((corner) => heightOver(other.plane, corner));
  const found: ExactPlace[] = [];
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    if (heights[i] === 0n) found.push(corners[i]!);
    if ((heights[i]! > 0n && heights[j]! < 0n) || (heights[i]! < 0n && heights[j]! > 0n)) {
      found.push(between(corners[i]!, heights[i]!, corners[j]!, heights[j]!, lattice));
    }
  }
  return found.filter((place) => isInside(other, place));
}

/** Where the segment is at height 0. */
function between(p: ExactPlace, atP: bigint, q: ExactPlace, atQ: bigint, lattice: Lattice): ExactPlace {
  const weightP = atQ;
  const weightQ = -atP;
  return exactPlace(
    p.x * weightP + q.x * weightQ,
    p.y * weightP + q.y * weightQ,
    p.z * weightP + q.z * weightQ,
    weightP + weightQ,
    lattice,
  );
}

/** Whether a place in the facet's plane lies in the facet or on its rim. */
export const isInside = ({ corners: [a, b, c], view }: ExactFacet, place: ExactPlace): boolean =>
  turnOf(view, a, b, place) >= 0 && turnOf(view, b, c, place) >= 0 && turnOf(view, c, a, place) >= 0;
