import { facetOf } from "../geometry/halfedge.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { type Edges, edgesOf } from "./edges.ts";
import { type Surface, triangleCount, vertexCount } from "./mesh.ts";

/**
 * The bodies of a mesh: the connected components of its facets across edges, also of edges with more than two facets.
 * Parts that share only a vertex are separate bodies, and so are a cavity and a facet with a repeated corner, which has
 * no edges. Bodies are numbered in the order of their first facets.
 */
export interface Bodies {
  readonly count: number;
  /** Body of each facet. */
  readonly bodyOf: Uint32Array;
  /** First facet of each body. */
  readonly firstFacets: Uint32Array;
}

export function bodiesOf(surface: Surface, edges: Edges = edgesOf(surface.triangles, vertexCount(surface))): Bodies {
  const sets = newDisjointSets(triangleCount(surface));
  const { halfedges, runs } = edges;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const facet = facetOf(halfedges[runs[edge]]);
    for (let i = runs[edge] + 1; i < runs[edge + 1]; i++) sets.join(facet, facetOf(halfedges[i]));
  }
  const bodyOf = new Uint32Array(triangleCount(surface));
  const firstFacets: number[] = [];
  for (let facet = 0; facet < bodyOf.length; facet++) {
    const root = sets.find(facet);
    bodyOf[facet] = root === facet ? firstFacets.push(facet) - 1 : bodyOf[root];
  }
  return { count: firstFacets.length, bodyOf, firstFacets: Uint32Array.from(firstFacets) };
}

/** 1 for each body whose every edge has equal numbers of halfedges in both directions, else 0. Other bodies have no inside. */
export function closedBodies({ triangles }: Surface, edges: Edges, bodies: Bodies): Uint8Array {
  const isClosed = new Uint8Array(bodies.count).fill(1);
  const { halfedges, far, runs } = edges;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const first = runs[edge];
    let balance = 0;
    for (let i = first; i < runs[edge + 1]; i++) balance += triangles[halfedges[i]] === far[first] ? 1 : -1;
    if (balance !== 0) isClosed[bodies.bodyOf[facetOf(halfedges[first])]] = 0;
  }
  return isClosed;
}

/** Signed volume of each body, relative to one of its corners; meaningless for a body that is not closed. */
export function bodyVolumes({ vertices, triangles }: Surface, { count, bodyOf, firstFacets }: Bodies): Float64Array {
  const volumes = new Float64Array(count);
  for (let facet = 0; facet < bodyOf.length; facet++) {
    const body = bodyOf[facet];
    const o = 3 * triangles[3 * firstFacets[body]];
    const a = 3 * triangles[3 * facet];
    const b = 3 * triangles[3 * facet + 1];
    const c = 3 * triangles[3 * facet + 2];
    const ax = vertices[a] - vertices[o];
    const ay = vertices[a + 1] - vertices[o + 1];
    const az = vertices[a + 2] - vertices[o + 2];
    const bx = vertices[b] - vertices[o];
    const by = vertices[b + 1] - vertices[o + 1];
    const bz = vertices[b + 2] - vertices[o + 2];
    const cx = vertices[c] - vertices[o];
    const cy = vertices[c + 1] - vertices[o + 1];
    const cz = vertices[c + 2] - vertices[o + 2];
    volumes[body] += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
  }
  return volumes;
}

/** The bounding box of each body: least x, y, z and greatest x, y, z. */
export function bodyBoxes(
  { vertices, triangles }: Surface,
  { count, bodyOf }: Pick<Bodies, "count" | "bodyOf">,
): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let body = 0; body < count; body++) {
    boxes.fill(Infinity, 6 * body, 6 * body + 3);
    boxes.fill(-Infinity, 6 * body + 3, 6 * body + 6);
  }
  for (let corner = 0; corner < triangles.length; corner++) {
    const at = 6 * bodyOf[(corner - (corner % 3)) / 3];
    for (let axis = 0; axis < 3; axis++) {
      const value = vertices[3 * triangles[corner] + axis];
      if (value < boxes[at + axis]) boxes[at + axis] = value;
      if (value > boxes[at + 3 + axis]) boxes[at + 3 + axis] = value;
    }
  }
  return boxes;
}

/** Whether the box of body `outer` contains that of body `inner`. */
export function boxEncloses(boxes: Float64Array, outer: number, inner: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[6 * outer + axis] > boxes[6 * inner + axis]) return false;
    if (boxes[6 * outer + 3 + axis] < boxes[6 * inner + 3 + axis]) return false;
  }
  return true;
}

/**
 * The facets of each label as a separate surface in single precision. Facets keep their order, vertices are in the order of first use.
 * Facets with a negative label are left out.
 */
export function splitByLabel(
  { vertices, triangles }: Surface,
  labels: Int32Array | Uint32Array,
  count: number,
): Surface[] {
  const { starts, items } = bucketBy(labels, count);
  const newIndex = new Int32Array(vertices.length / 3).fill(UNUSED);
  return Array.from({ length: count }, (_, label) => {
    const facets = items.subarray(starts[label], starts[label + 1]);
    const corners = new Uint32Array(3 * facets.length);
    const used: number[] = [];
    for (let at = 0; at < corners.length; at++) {
      const vertex = triangles[3 * facets[Math.floor(at / 3)] + (at % 3)];
      if (newIndex[vertex] === UNUSED) newIndex[vertex] = used.push(vertex) - 1;
      corners[at] = newIndex[vertex];
    }
    const kept = new Float32Array(3 * used.length);
    for (const [index, vertex] of used.entries()) {
      kept.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * index);
      newIndex[vertex] = UNUSED;
    }
    return { vertices: kept, triangles: corners };
  });
}

const UNUSED = -1;
