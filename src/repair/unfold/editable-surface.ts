import { bucketBy, type Buckets } from "../../geometry/bucket-by.ts";
import { facetOf } from "../../geometry/halfedge.ts";
import { isDegenerateFacet, type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";

/** A few facets of a surface and their replacement, which has the same border. */
export interface LocalEdit {
  readonly facets: readonly number[];
  /** At most as many facets, on the vertices of the surface. None of them is degenerate. */
  readonly after: Surface;
}

/** Vertices with more facets are not collapsed: too much would change at once. */
const MAX_FACETS_AT_VERTEX = 40;
/** A closed body keeps at least the facets of a tetrahedron. */
const MIN_FACETS_AROUND_EDGE = 7;

type Corners = readonly [number, number, number];

/** A closed manifold surface that is edited. Its vertices keep their positions and it remains a closed manifold. */
export class EditableSurface {
  readonly #vertices: Surface["vertices"];
  readonly #triangles: Uint32Array;
  readonly #isRemoved: Uint8Array;
  /** The corners at each vertex before all edits. */
  readonly #cornersAt: Buckets;
  /** The facets at each vertex whose facets have changed. */
  readonly #editedFacetsAt = new Map<number, readonly number[]>();

  constructor(surface: Surface) {
    this.#vertices = surface.vertices;
    this.#triangles = surface.triangles.slice();
    this.#isRemoved = new Uint8Array(triangleCount(surface));
    this.#cornersAt = bucketBy(surface.triangles, vertexCount(surface));
  }

  /** The flips and collapses of the edges of a facet; none for a removed facet. */
  *editsAt(facet: number): Generator<LocalEdit> {
    if (this.#isRemoved[facet] === 1) return;
    const corners = this.#cornersOf(facet);
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
      for (const edit of [this.#flip(facet, a, b, c), this.#collapse(a, b), this.#collapse(b, a)]) {
        if (edit && !hasDegenerateFacet(edit.after)) yield edit;
      }
    }
  }

  apply({ facets, after }: LocalEdit): void {
    for (const facet of facets) {
      for (const v of this.#cornersOf(facet)) {
        const others = this.#facetsAt(v).filter((one) => one !== facet);
        this.#editedFacetsAt.set(v, others);
      }
      this.#isRemoved[facet] = 1;
    }
    for (let i = 0; i < triangleCount(after); i++) {
      const facet = facets[i];
      this.#triangles.set(after.triangles.subarray(3 * i, 3 * i + 3), 3 * facet);
      this.#isRemoved[facet] = 0;
      for (const v of this.#cornersOf(facet)) this.#editedFacetsAt.set(v, [...this.#facetsAt(v), facet]);
    }
  }

  /** The current corners of some facets. */
  patch(facets: readonly number[]): Surface {
    return this.#patchOf(facets.map((facet) => this.#cornersOf(facet)));
  }

  /** The facets that remain, in their order. */
  surface(): Surface {
    const isKept = (_: number, corner: number): boolean => this.#isRemoved[Math.floor(corner / 3)] === 0;
    return { vertices: this.#vertices, triangles: this.#triangles.filter(isKept) };
  }

  /** Replaces the edge from a to b of a facet with apex c by an edge between c and the apex on the other side. */
  #flip(facet: number, a: number, b: number, c: number): LocalEdit | undefined {
    const across = this.#facetBeyond(a, b);
    if (!across) return undefined;
    const [other, d] = across;
    if (c === d || this.#neighboursOf(c).has(d)) return undefined;
    const after = this.#patchOf([
      [c, d, b],
      [d, c, a],
    ]);
    return { facets: [facet, other], after };
  }

  /**
   * Moves vertex `from` into its neighbour `to`. The surface stays a manifold if they have two common neighbours: T. Dey, H.
   * Edelsbrunner, S. Guha, D. Nekhayev, "Topology preserving edge contraction" (1999).
   */
  #collapse(from: number, to: number): LocalEdit | undefined {
    const [around, aroundTo] = [this.#facetsAt(from), this.#facetsAt(to)];
    if (around.length > MAX_FACETS_AT_VERTEX || around.length + aroundTo.length < MIN_FACETS_AROUND_EDGE)
      return undefined;
    const [neighbours, others] = [this.#neighboursOf(from), this.#neighboursOf(to)];
    // Two fans of facets that share only the vertex have more neighbours than facets between them.
    if (neighbours.size !== around.length || others.size !== aroundTo.length) return undefined;
    if (neighbours.intersection(others).size !== 2) return undefined;
    const isKept = (facet: number): boolean => !this.#cornersOf(facet).includes(to);
    const kept = around.filter(isKept);
    const after = kept.map((facet): Corners => {
      const [a, b, c] = this.#cornersOf(facet);
      return [a === from ? to : a, b === from ? to : b, c === from ? to : c];
    });
    return { facets: [...kept, ...around.filter((facet) => !isKept(facet))], after: this.#patchOf(after) };
  }

  /** The facet on the other side of the edge from a to b, and its third corner. */
  #facetBeyond(a: number, b: number): readonly [facet: number, apex: number] | undefined {
    for (const facet of this.#facetsAt(a)) {
      const corners = this.#cornersOf(facet);
      const k = corners.indexOf(b);
      if (k >= 0 && corners[(k + 1) % 3] === a) return [facet, corners[(k + 2) % 3]];
    }
    return undefined;
  }

  #facetsAt(v: number): readonly number[] {
    const { starts, items } = this.#cornersAt;
    return this.#editedFacetsAt.get(v) ?? Array.from(items.subarray(starts[v], starts[v + 1]), facetOf);
  }

  #neighboursOf(v: number): Set<number> {
    const found = new Set(this.#facetsAt(v).flatMap((facet) => this.#cornersOf(facet)));
    found.delete(v);
    return found;
  }

  #cornersOf(facet: number): Corners {
    return [this.#triangles[3 * facet], this.#triangles[3 * facet + 1], this.#triangles[3 * facet + 2]];
  }

  #patchOf(corners: readonly Corners[]): Surface {
    return { vertices: this.#vertices, triangles: Uint32Array.from(corners.flat()) };
  }
}

function hasDegenerateFacet(surface: Surface): boolean {
  for (let facet = 0; facet < triangleCount(surface); facet++) if (isDegenerateFacet(surface, facet)) return true;
  return false;
}
