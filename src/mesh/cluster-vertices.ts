import type { Progress } from "../core/progress.ts";
import { toSharedMemory } from "../core/typed-arrays.ts";
import { type Mesh, type Surface, triangleCount, vertexCount } from "./mesh.ts";
import { VertexWelder } from "./welder.ts";

/** Triangles for each cell of a grid that a surface passes through, on smooth shapes. */
const TRIANGLES_PER_CELL = 3;
/** The next grid is coarser by slightly more than the excess of triangles of the last grid, so that two or three tries suffice. */
const MARGIN = 1.1;
const VERTICES_PER_REPORT = 65_536;

/** A surface without hash and measures, in shared memory. */
export interface CoarseSurface extends Surface {
  readonly vertices: Float32Array;
}

/**
 * A surface of at most `maxTriangles` facets that looks like the mesh from afar: all vertices in a cell of a grid become one vertex,
 * their mean, and facets within a cell are removed. The surface may touch itself, and parts thinner than a cell vanish: it is for
 * pictures only. Source: J. Rossignac, P. Borrel, "Multi-resolution 3D approximations for rendering complex scenes" (1993).
 */
export function clusterVertices(
  mesh: Pick<Mesh, "vertices" | "triangles" | "areaMm2">,
  maxTriangles: number,
  progress: Progress,
): CoarseSurface {
  if (triangleCount(mesh) <= maxTriangles) return mesh;
  let cellMm = Math.sqrt((TRIANGLES_PER_CELL * mesh.areaMm2) / maxTriangles);
  // For a mesh without an area.
  if (!(cellMm > 0)) cellMm = Number.MIN_VALUE;
  for (;;) {
    const clustered = clusteredBy(mesh, cellMm, progress);
    const triangles = triangleCount(clustered);
    if (triangles <= maxTriangles) return clustered;
    cellMm *= MARGIN * Math.sqrt(triangles / maxTriangles);
  }
}

function clusteredBy(mesh: Pick<Mesh, "vertices" | "triangles">, cellMm: number, progress: Progress): CoarseSurface {
  const count = vertexCount(mesh);
  const clusterOf = new Uint32Array(count);
  const welder = new VertexWelder(count >> 2);
  const cells = new Float32Array(3 * VERTICES_PER_REPORT);
  for (let from = 0; from < count; from += VERTICES_PER_REPORT) {
    progress.report(0);
    const coordinates = mesh.vertices.subarray(3 * from, 3 * (from + VERTICES_PER_REPORT));
    for (let i = 0; i < coordinates.length; i++) cells[i] = Math.floor(coordinates[i] / cellMm);
    welder.add(cells, coordinates.length / 3, clusterOf, from);
  }
  const clusters = vertexCount({ vertices: welder.vertices(), triangles: mesh.triangles });
  return {
    vertices: toSharedMemory(meanVertices(mesh, clusterOf, clusters)),
    triangles: toSharedMemory(keptTriangles(mesh, clusterOf, progress)),
  };
}

function meanVertices({ vertices }: Pick<Mesh, "vertices">, clusterOf: Uint32Array, clusters: number): Float32Array {
  const sums = new Float64Array(3 * clusters);
  const counts = new Uint32Array(clusters);
  for (let vertex = 0; vertex < clusterOf.length; vertex++) {
    const cluster = clusterOf[vertex];
    counts[cluster]++;
    for (let axis = 0; axis < 3; axis++) sums[3 * cluster + axis] += vertices[3 * vertex + axis];
  }
  return Float32Array.from(sums, (sum, i) => sum / counts[Math.floor(i / 3)]);
}

/** The corners of the facets whose corners are in three different cells. */
function keptTriangles(
  { triangles }: Pick<Mesh, "triangles">,
  clusterOf: Uint32Array,
  progress: Progress,
): Uint32Array {
  const kept = new Uint32Array(triangles.length);
  let size = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * VERTICES_PER_REPORT) === 0) progress.report(at / triangles.length);
    const a = clusterOf[triangles[at]];
    const b = clusterOf[triangles[at + 1]];
    const c = clusterOf[triangles[at + 2]];
    if (a === b || b === c || c === a) continue;
    kept[size++] = a;
    kept[size++] = b;
    kept[size++] = c;
  }
  return kept.slice(0, size);
}
