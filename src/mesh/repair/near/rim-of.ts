import { edgesOf, nextInFacet } from "../../edges.ts";
import { type Mesh, type Surface, vertexCount } from "../../mesh.ts";

/** The open edges of a patch, by the places of their ends, in single precision. */
export interface Rim {
  readonly edges: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
}

export function rimOf({ vertices, triangles }: Mesh): Rim {
  const { halfEdges, runs } = edgesOf(triangles, vertexCount({ vertices, triangles }));
  const places = new Set<string>();
  const edges = new Set<string>();
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] > 1) continue;
    const halfEdge = halfEdges[runs[edge]];
    const [from, to] = [triangles[halfEdge], triangles[nextInFacet(halfEdge)]].map((v) => placeName(vertices, v));
    places.add(from!).add(to!);
    edges.add(`${from}, ${to}`);
  }
  return { edges, places };
}

/** Equal for vertices at the same place. */
export const placeName = (vertices: Surface["vertices"], v: number): string =>
  [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]].join(" ");
