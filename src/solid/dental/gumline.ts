import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { bucketBy } from "../../geometry/bucket-by.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { type Surface, vertexCount } from "../../mesh/mesh.ts";

/**
 * A jaw has at least this many teeth or groups of teeth at its gumline, and at least this share of all its parts, cusps
 * included.
 */
const MIN_PARTS = 3;
const PARTS_SHARE = 1 / 4;
/** The gums between the teeth of one jaw differ in height by no more. */
const GUMS_RANGE_MM = 3;
/** The cut is this far below the lowest join, so that the teeth are connected by more than a point. */
const BELOW_JOIN_MM = 0.1;

/** Parts that protrude less are cusps or bumps of the gums. Crowns of teeth are 5 to 10 mm high, worn ones 3 mm. */
const MIN_TOOTH_MM = 2;
/** Least section of a tooth. Lower incisors have 15 mm² and more; one prepared for a crown has a third of it. */
const MIN_SECTION_MM2 = 3;

const VERTICES_PER_REPORT = 16_384;

/**
 * Height of the gumline of a surface whose teeth point up: the lowest cut above which it falls into many parts, lowered
 * so that at the cut they are still connected. Throws OPERATION_FAILED if there is none.
 */
export function gumlineHeight(surface: Surface, progress: Progress): number {
  const joins = findToothJoins(surface, progress).toReversed();
  const parts = 1 + joins.length;
  const many = Math.max(MIN_PARTS, Math.ceil(parts * PARTS_SHARE));
  // Above the join at index i, counted from the bottom, there are i + 2 parts.
  if (parts < many) {
    throw operationFailed(
      "no gumline is to be found: nowhere does it fall into teeth. Stand it with its teeth up, or give cutoff_height_mm.",
    );
  }
  const highest = joins[many - 2];
  return joins.find((zMm) => highest - zMm <= GUMS_RANGE_MM)! - BELOW_JOIN_MM;
}

/**
 * Heights at which two teeth join, from the top down, mm: the joins of the max-tree of the height over a surface,
 * computed at its vertices. The section of a part is the area of its facets seen from above, so the roof of a cavity,
 * with a negative area, is not a tooth. Source: H. Carr, J. Snoeyink, U. Axen, "Computing contour trees in all
 * dimensions" (2003), join trees.
 */
export function findToothJoins(surface: Surface, progress: Progress): number[] {
  const { vertices, triangles } = surface;
  const count = vertexCount(surface);
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => vertices[3 * b + 2] - vertices[3 * a + 2] || a - b,
  );
  progress.report(0.4);
  const rankOf = new Uint32Array(count);
  order.forEach((vertex, rank) => (rankOf[vertex] = rank));
  const { starts, items: corners } = bucketBy(
    triangles.map((vertex) => rankOf[vertex]),
    count,
  );
  progress.report(0.6);
  const sweep = progress.part(0.6, 1);
  // Sets of ranks: the least member of a part, which represents it, is its highest vertex.
  const sets = newDisjointSets(count);
  const sections = new Float64Array(count);
  const hasTooth = new Uint8Array(count);
  const joins: number[] = [];
  const isTooth = (part: number, zMm: number): boolean =>
    hasTooth[part] > 0 || (vertices[3 * order[part] + 2] - zMm >= MIN_TOOTH_MM && sections[part] >= MIN_SECTION_MM2);
  const join = (a: number, b: number, zMm: number): void => {
    const [one, other] = [sets.find(a), sets.find(b)];
    if (one === other) return;
    const [first, second] = [isTooth(one, zMm), isTooth(other, zMm)];
    if (first && second) joins.push(zMm);
    sets.join(one, other);
    const root = sets.find(one);
    sections[root] = sections[one] + sections[other];
    hasTooth[root] = first || second ? 1 : 0;
  };
  for (let rank = 0; rank < count; rank++) {
    if (rank % VERTICES_PER_REPORT === 0) sweep.report(rank / count);
    const zMm = vertices[3 * order[rank] + 2];
    for (let i = starts[rank]; i < starts[rank + 1]; i++) {
      const at = corners[i] - (corners[i] % 3);
      const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
      const ranks = [rankOf[a], rankOf[b], rankOf[c]].filter((other) => other < rank);
      for (const other of ranks) join(rank, other, zMm);
      if (ranks.length === 2) sections[sets.find(rank)] += projectedArea(vertices, 3 * a, 3 * b, 3 * c);
    }
  }
  return joins;
}

/** Area of a facet seen from above; negative for one that faces down. */
function projectedArea(vertices: Surface["vertices"], a: number, b: number, c: number): number {
  const [ux, uy] = [vertices[b] - vertices[a], vertices[b + 1] - vertices[a + 1]];
  const [vx, vy] = [vertices[c] - vertices[a], vertices[c + 1] - vertices[a + 1]];
  return (ux * vy - uy * vx) / 2;
}
