import { bodiesOf } from "../bodies.ts";
import { facetOf } from "../edges.ts";
import { type Surface } from "../mesh.ts";
import { keepFacets } from "./keep-facets.ts";
import { edgesFor } from "./edges-for.ts";

/** The bodies of a surface that bound a solid, and the others, which have edges of other than two facets back to back. */
export function partFaultyBodies(surface: Surface): { sound: Surface; faulty: Surface } {
  const { triangles } = surface;
  const edges = edgesFor(surface);
  const { bodyOf, count } = bodiesOf(surface, edges);
  const isFaulty = new Uint8Array(count);
  for (let edge = 0; edge + 1 < edges.runs.length; edge++) {
    const from = edges.runs[edge];
    const [first, second] = [edges.halfEdges[from], edges.halfEdges[from + 1]];
    if (edges.runs[edge + 1] - from === 2 && triangles[first] !== triangles[second]) continue;
    isFaulty[bodyOf[facetOf(first)]] = 1;
  }
  return {
    sound: keepFacets(surface, (facet) => isFaulty[bodyOf[facet]] === 0),
    faulty: keepFacets(surface, (facet) => isFaulty[bodyOf[facet]] === 1),
  };
}
