import { bucketBy } from "../../geometry/bucket-by.ts";
import { isDegenerateFacet, type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";

/** A few facets of a surface and what replaces them; the border of both is the same. */
export interface LocalEdit {
  readonly facets: readonly number[];
  /** No more facets than are replaced, on the vertices of the surface; none of them degenerate. */
  readonly after: Surface;
}

/** A closed manifold surface that is edited: its vertices stay in their places, and it stays a closed manifold. */
export interface EditableSurface {
  /** The flips and collapses of the edges of a facet; none for one that was removed. */
  editsAt(facet: number): Generator<LocalEdit>;
  apply(edit: LocalEdit): void;
  /** The corners of some facets as they are now. */
  patch(facets: readonly number[]): Surface;
  /** The facets that are left, in their order. */
  surface(): Surface;
}

/** Vertices with more facets are not collapsed: that would change too much at once. */
const MAX_FACETS_AT_VERTEX = 40;
/** A closed body keeps at least a tetrahedron. */
const MIN_FACETS_AROUND_EDGE = 7;

type Corners = readonly [number, number, number];

export function newEditableSurface({ vertices, triangles: before }: Surface): EditableSurface {
  const triangles = before.slice();
  const isRemoved = new Uint8Array(triangleCount({ vertices, triangles }));
  const { starts, items } = bucketBy(before, vertexCount({ vertices, triangles }));
  const edited = new Map<number, number[]>();
  /** The facets at a vertex. */
  const facetsAt = (v: number): readonly number[] =>
    edited.get(v) ?? Array.from(items.subarray(starts[v], starts[v + 1]), (corner) => Math.floor(corner / 3));
  const cornersOf = (facet: number): Corners => [
    triangles[3 * facet],
    triangles[3 * facet + 1],
    triangles[3 * facet + 2],
  ];
  const neighboursOf = (v: number): Set<number> => {
    const found = new Set(facetsAt(v).flatMap(cornersOf));
    found.delete(v);
    return found;
  };
  const patchOf = (corners: readonly Corners[]): Surface => ({ vertices, triangles: Uint32Array.from(corners.flat()) });
  /** The facet beyond the edge from a to b, and its third corner. */
  const beyond = (a: number, b: number): readonly [facet: number, apex: number] | undefined => {
    for (const facet of facetsAt(a)) {
      const corners = cornersOf(facet);
      const k = corners.indexOf(b);
      if (k >= 0 && corners[(k + 1) % 3] === a) return [facet, corners[(k + 2) % 3]];
    }
    return undefined;
  };

  /** The edge from a to b of a facet with apex c replaced by one between c and the corner beyond. */
  const flip = (facet: number, a: number, b: number, c: number): LocalEdit | undefined => {
    const across = beyond(a, b);
    if (!across) return undefined;
    const [other, d] = across;
    if (c === d || neighboursOf(c).has(d)) return undefined;
    const after = patchOf([
      [c, d, b],
      [d, c, a],
    ]);
    return { facets: [facet, other], after };
  };

  /**
   * Vertex `from` moved into its neighbour `to`. The surface stays a manifold where they have two common neighbours: T. Dey,
   * H. Edelsbrunner, S. Guha, D. Nekhayev, "Topology preserving edge contraction" (1999).
   */
  const collapse = (from: number, to: number): LocalEdit | undefined => {
    const around = facetsAt(from);
    if (around.length > MAX_FACETS_AT_VERTEX || around.length + facetsAt(to).length < MIN_FACETS_AROUND_EDGE)
      return undefined;
    const [neighbours, others] = [neighboursOf(from), neighboursOf(to)];
    // Two fans of facets that share only the vertex have more neighbours than facets between them.
    if (neighbours.size !== around.length || others.size !== facetsAt(to).length) return undefined;
    if (neighbours.intersection(others).size !== 2) return undefined;
    const isKept = (facet: number): boolean => !cornersOf(facet).includes(to);
    const kept = around.filter(isKept);
    const after = kept.map((facet): Corners => {
      const [a, b, c] = cornersOf(facet);
      return [a === from ? to : a, b === from ? to : b, c === from ? to : c];
    });
    return { facets: [...kept, ...around.filter((facet) => !isKept(facet))], after: patchOf(after) };
  };

  const change = (v: number, next: readonly number[]): void => void edited.set(v, [...next]);
  return {
    *editsAt(facet) {
      if (isRemoved[facet] === 1) return;
      const corners = cornersOf(facet);
      for (let k = 0; k < 3; k++) {
        const [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
        for (const edit of [flip(facet, a, b, c), collapse(a, b), collapse(b, a)]) {
          if (edit && !hasDegenerateFacet(edit.after)) yield edit;
        }
      }
    },
    apply({ facets, after }) {
      for (const facet of facets) {
        for (const v of cornersOf(facet))
          change(
            v,
            facetsAt(v).filter((one) => one !== facet),
          );
        isRemoved[facet] = 1;
      }
      for (let i = 0; i < triangleCount(after); i++) {
        const facet = facets[i];
        triangles.set(after.triangles.subarray(3 * i, 3 * i + 3), 3 * facet);
        isRemoved[facet] = 0;
        for (const v of cornersOf(facet)) change(v, [...facetsAt(v), facet]);
      }
    },
    patch: (facets) => patchOf(facets.map(cornersOf)),
    surface: () => ({ vertices, triangles: triangles.filter((_, corner) => isRemoved[Math.floor(corner / 3)] === 0) }),
  };
}

function hasDegenerateFacet(surface: Surface): boolean {
  for (let facet = 0; facet < triangleCount(surface); facet++) if (isDegenerateFacet(surface, facet)) return true;
  return false;
}
