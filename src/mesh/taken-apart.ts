import { type Surface, vertexCount } from "./mesh.ts";

/**
 * The facets of each part, in their order, as a surface of its own with the vertices that they use, in the order of their
 * first use. Facets of negative parts are left out.
 */
export function takenApart({ vertices, triangles }: Surface, partOf: ArrayLike<number>, count: number): Surface[] {
  const numbers = new Int32Array(vertexCount({ vertices, triangles })).fill(UNUSED);
  return facetsByPart(partOf, count).map((facets) => {
    const corners = new Uint32Array(3 * facets.length);
    const used: number[] = [];
    for (let at = 0; at < corners.length; at++) {
      const vertex = triangles[3 * facets[Math.floor(at / 3)] + (at % 3)];
      if (numbers[vertex] === UNUSED) numbers[vertex] = used.push(vertex) - 1;
      corners[at] = numbers[vertex];
    }
    const places = new Float32Array(3 * used.length);
    for (const [number, vertex] of used.entries()) {
      places.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * number);
      numbers[vertex] = UNUSED;
    }
    return { vertices: places, triangles: corners };
  });
}

const UNUSED = -1;

/** The facets of each part, ascending. */
function facetsByPart(partOf: ArrayLike<number>, count: number): Uint32Array[] {
  const sizes = new Uint32Array(count);
  for (let facet = 0; facet < partOf.length; facet++) if (partOf[facet] >= 0) sizes[partOf[facet]]++;
  const facets = Array.from(sizes, (size) => new Uint32Array(size));
  sizes.fill(0);
  for (let facet = 0; facet < partOf.length; facet++) {
    const part = partOf[facet];
    if (part >= 0) facets[part][sizes[part]++] = facet;
  }
  return facets;
}
