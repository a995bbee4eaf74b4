import type { Vec3 } from "../../../core/geometry.ts";
import { type Surface, vertexCount } from "../../mesh.ts";

/** The surface about a hole, its vertices numbered anew: those of the loop in its order, then those farther out. */
export interface Surroundings {
  readonly places: readonly Vec3[];
  /** How many vertices the loop has. */
  readonly corners: number;
  /** Facets with a corner on the loop. */
  readonly inner: readonly Facet[];
  /** Facets that have none, but share a corner with one that has. */
  readonly outer: readonly Facet[];
}

export type Facet = readonly [number, number, number];

/** Tells the surroundings of loops of a surface. */
export function surroundingsOf(surface: Surface): (loop: readonly number[]) => Surroundings {
  const { vertices, triangles } = surface;
  const { starts, facets } = facetsAtVertices(surface);
  return (loop) => {
    const numbers = new Map(loop.map((v, i) => [v, i]));
    const numberOf = (v: number): number => {
      const known = numbers.get(v) ?? numbers.size;
      numbers.set(v, known);
      return known;
    };
    const known = new Set<number>();
    const facetsAt = (around: readonly number[]): Facet[] => {
      const found: Facet[] = [];
      for (const v of around) {
        for (const facet of facets.subarray(starts[v], starts[v + 1])) {
          if (known.has(facet)) continue;
          known.add(facet);
          const [a, b, c] = triangles.subarray(3 * facet, 3 * facet + 3);
          found.push([numberOf(a!), numberOf(b!), numberOf(c!)]);
        }
      }
      return found;
    };
    const inner = facetsAt(loop);
    const outer = facetsAt([...numbers.keys()].slice(loop.length));
    const places = [...numbers.keys()].map((v): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]]);
    return { places, corners: loop.length, inner, outer };
  };
}

/** The facets at vertex v are `facets[starts[v]]` … `[starts[v + 1] - 1]`. */
function facetsAtVertices(surface: Surface): { starts: Uint32Array; facets: Uint32Array } {
  const { triangles } = surface;
  const starts = new Uint32Array(vertexCount(surface) + 2);
  for (const v of triangles) starts[v + 2]++;
  for (let v = 2; v < starts.length; v++) starts[v] += starts[v - 1];
  const facets = new Uint32Array(triangles.length);
  // starts[v + 1] is where the next facet of v goes: once all are placed, starts is what it is named after.
  for (let corner = 0; corner < triangles.length; corner++) facets[starts[triangles[corner] + 1]++] = (corner / 3) | 0;
  return { starts, facets };
}
