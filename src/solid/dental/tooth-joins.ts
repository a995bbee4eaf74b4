import type { Watch } from "../../core/watch.ts";
import { newDisjointSets } from "../../mesh/disjoint-sets.ts";
import { type Surface, vertexCount } from "../../mesh/mesh.ts";

/** At this height, going down, teeth join, and so many fewer parts are left. */
export interface Join {
  readonly zMm: number;
  readonly fewer: number;
}

/** What stands out less is a cusp or a bump of the gums. Crowns of teeth stand 5 to 10 mm out, worn ones 3 mm. */
const LEAST_TOOTH_MM = 2;
/** Of a cut through a tooth; lower incisors have 15 mm² and more, what is prepared for a crown a third of it. */
const LEAST_SECTION_MM2 = 3;

const VERTICES_PER_REPORT = 16_384;

/**
 * Where teeth join, from the top down: the branches of the max-tree of the height over a surface, taken at its corners. What
 * a part's facets cover seen from above is the section where it is cut, so that the roof of a cavity, which covers less than
 * nothing, is no tooth. Source: H. Carr, J. Snoeyink, U. Axen, "Computing contour trees in all dimensions" (2003), join trees.
 */
export function toothJoins(surface: Surface, watch: Watch): Join[] {
  const { vertices, triangles } = surface;
  const count = vertexCount(surface);
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => vertices[3 * b + 2] - vertices[3 * a + 2] || a - b,
  );
  watch.report(0.4);
  const rankOf = new Uint32Array(count);
  order.forEach((vertex, rank) => (rankOf[vertex] = rank));
  const { starts, facets } = facetsByRank(triangles, rankOf);
  watch.report(0.6);
  const sweep = watch.part(0.6, 1);
  // By ranks: the highest corner of a part is its least member, which stands for it.
  const sets = newDisjointSets(count);
  const sections = new Float64Array(count);
  const teeth = new Uint32Array(count);
  const joins: Join[] = [];
  const isTooth = (part: number, zMm: number): boolean =>
    teeth[part] > 0 || (vertices[3 * order[part] + 2] - zMm >= LEAST_TOOTH_MM && sections[part] >= LEAST_SECTION_MM2);
  const join = (a: number, b: number, zMm: number): void => {
    const [one, other] = [sets.find(a), sets.find(b)];
    if (one === other) return;
    const [first, second] = [isTooth(one, zMm), isTooth(other, zMm)];
    if (first && second) joins.push({ zMm, fewer: 1 });
    sets.join(one, other);
    const root = sets.find(one);
    sections[root] = sections[one] + sections[other];
    teeth[root] = first || second ? 1 : 0;
  };
  for (let rank = 0; rank < count; rank++) {
    if (rank % VERTICES_PER_REPORT === 0) sweep.report(rank / count);
    const zMm = vertices[3 * order[rank] + 2];
    for (let i = starts[rank]; i < starts[rank + 1]; i++) {
      const at = 3 * facets[i];
      const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
      const ranks = [rankOf[a], rankOf[b], rankOf[c]].filter((other) => other < rank);
      for (const other of ranks) join(rank, other, zMm);
      if (ranks.length === 2) sections[sets.find(rank)] += levelArea(vertices, 3 * a, 3 * b, 3 * c);
    }
  }
  return joins;
}

/** The facets of each corner, by its rank. */
function facetsByRank(triangles: Uint32Array, rankOf: Uint32Array): { starts: Uint32Array; facets: Uint32Array } {
  const starts = new Uint32Array(rankOf.length + 2);
  for (const corner of triangles) starts[rankOf[corner] + 2]++;
  for (let rank = 2; rank < starts.length; rank++) starts[rank] += starts[rank - 1];
  const facets = new Uint32Array(triangles.length);
  for (let at = 0; at < triangles.length; at++) facets[starts[rankOf[triangles[at]] + 1]++] = (at - (at % 3)) / 3;
  return { starts, facets };
}

/** Seen from above; negative for a facet that looks down. */
function levelArea(vertices: Surface["vertices"], a: number, b: number, c: number): number {
  const [ux, uy] = [vertices[b] - vertices[a], vertices[b + 1] - vertices[a + 1]];
  const [vx, vy] = [vertices[c] - vertices[a], vertices[c + 1] - vertices[a + 1]];
  return (ux * vy - uy * vx) / 2;
}
