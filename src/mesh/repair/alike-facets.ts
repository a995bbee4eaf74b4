import type { Watch } from "../../core/watch.ts";
import { type Surface, triangleCount } from "../mesh.ts";
import { sameTriple, sortTriples } from "../sort-triples.ts";

/** Facets with the same three corners, two at least, by the way they face. */
export interface AlikeFacets {
  readonly up: readonly number[];
  readonly down: readonly number[];
}

/** All facets that are not the only one with their corners. */
export function alikeFacets(surface: Surface, watch: Watch): AlikeFacets[] {
  const { corners, facesUp } = sortedCorners(surface.triangles);
  const order = new Uint32Array(triangleCount(surface)).map((_, facet) => facet);
  sortTriples(corners, order, watch);
  const found: AlikeFacets[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && sameTriple(corners, order[from], order[to])) to++;
    if (to - from > 1) {
      const same = [...order.subarray(from, to)];
      found.push({
        up: same.filter((facet) => facesUp[facet] === 1),
        down: same.filter((facet) => facesUp[facet] === 0),
      });
    }
    from = to;
  }
  return found;
}

/** Each facet's corners in ascending order, and whether that is also the facet's own sense of rotation. */
function sortedCorners(triangles: Uint32Array): { corners: Uint32Array; facesUp: Uint8Array } {
  const corners = new Uint32Array(triangles.length);
  const facesUp = new Uint8Array(triangles.length / 3);
  for (let facet = 0; facet < facesUp.length; facet++) {
    const at = 3 * facet;
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    const least = Math.min(a, b, c);
    const most = Math.max(a, b, c);
    const middle = a !== least && a !== most ? a : b !== least && b !== most ? b : c;
    corners[at] = least;
    corners[at + 1] = middle;
    corners[at + 2] = most;
    const afterLeast = a === least ? b : b === least ? c : a;
    facesUp[facet] = afterLeast === middle ? 1 : 0;
  }
  return { corners, facesUp };
}
