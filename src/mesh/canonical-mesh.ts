import { createHash } from "node:crypto";
import { inputError, operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { MAX_COORDINATE_MM } from "../core/limits.ts";
import { sameTriple, sortTriples } from "../geometry/radix-sort.ts";
import { measureMesh } from "./measure.ts";
import { type Mesh, type Surface, newFacts, triangleCount, vertexCount } from "./mesh.ts";

/**
 * The mesh of a surface whose unit is `unitMm` millimetres, in the canonical form of {@link Mesh}. Vertices with equal
 * coordinates are welded and unused ones dropped; all facets are kept, also defective ones. Throws OPERATION_FAILED for a
 * surface without facets or with invalid numbers, INPUT_ERROR for one that is too large.
 */
export function canonicalMesh(surface: Surface, unitMm: number, progress: Progress): Mesh {
  if (triangleCount(surface) === 0) {
    throw operationFailed("The model has no triangles. Export it again as a mesh with at least one facet.");
  }
  const used = usedVertices(surface);
  progress.report(0.03);
  const positions = toMillimetres(surface.vertices, used, unitMm);
  progress.report(0.1);
  const { vertices, rankOf } = weldExactly(positions, used, progress.part(0.1, 0.5));
  releaseArrays(positions, used);
  const triangles = sortFacets(surface.triangles, rankOf, vertices.length / 3, progress.part(0.5, 0.8));
  releaseArrays(rankOf);
  const measures = measureMesh(vertices, triangles);
  progress.report(0.9);
  return { hash: meshHash(vertices, triangles), vertices, triangles, ...measures, facts: newFacts() };
}

/** The indices of the vertices that facets use, ascending. */
function usedVertices(surface: Surface): Uint32Array {
  const count = vertexCount(surface);
  const isUsed = new Uint8Array(count);
  for (let i = 0; i < surface.triangles.length; i++) {
    if (surface.triangles[i] >= count) {
      throw operationFailed(`Facet ${Math.floor(i / 3)} uses a vertex that is not in the model. Export it again.`);
    }
    isUsed[surface.triangles[i]] = 1;
  }
  const used = new Uint32Array(count);
  let size = 0;
  for (let v = 0; v < count; v++) if (isUsed[v] === 1) used[size++] = v;
  return used.subarray(0, size);
}

/** x, y, z of each used vertex in millimetres, in single precision, with −0 replaced by +0; zeros for unused vertices. */
function toMillimetres(vertices: Surface["vertices"], used: Uint32Array, unitMm: number): Float32Array {
  const positions = new Float32Array(vertices.length);
  for (let i = 0; i < used.length; i++) {
    const from = 3 * used[i];
    for (let at = from; at < from + 3; at++) {
      const mm = vertices[at] * unitMm;
      if (!(Math.abs(mm) <= MAX_COORDINATE_MM)) throw coordinateError(vertices[at], mm);
      positions[at] = Math.fround(mm) + 0;
    }
  }
  return positions;
}

function coordinateError(value: number, millimetres: number): Error {
  return Number.isFinite(value)
    ? inputError(
        `The model reaches ${millimetres.toPrecision(3)} mm; the largest possible coordinate is ${MAX_COORDINATE_MM} mm. ` +
          "Check its unit, or scale it down and move it nearer to its origin before import.",
      )
    : operationFailed("The model has a coordinate that is not a finite number. Export it again.");
}

/** Sorts the used vertices and merges equal ones; `rankOf[v]` is the new index of vertex v. */
function weldExactly(
  positions: Float32Array,
  used: Uint32Array,
  progress: Progress,
): { vertices: Float32Array; rankOf: Uint32Array } {
  const keys = ascendingKeys(positions);
  sortTriples(keys, used, progress);
  const rankOf = new Uint32Array(positions.length / 3);
  let last = 0;
  for (let i = 1; i < used.length; i++) {
    if (!sameTriple(keys, used[i - 1], used[i])) last++;
    rankOf[used[i]] = last;
  }
  const vertices = new Float32Array(new SharedArrayBuffer(12 * (last + 1)));
  for (let i = 0; i < used.length; i++) {
    const from = 3 * used[i];
    const to = 3 * rankOf[used[i]];
    vertices[to] = positions[from];
    vertices[to + 1] = positions[from + 1];
    vertices[to + 2] = positions[from + 2];
  }
  releaseArrays(keys);
  return { vertices, rankOf };
}

/** Unsigned integers in the same order as the numbers: all bits of negative numbers inverted, the sign bit of others set. */
function ascendingKeys(singles: Float32Array): Uint32Array {
  const bits = new Int32Array(singles.buffer);
  const keys = new Uint32Array(singles.length);
  for (let i = 0; i < keys.length; i++) keys[i] = bits[i] ^ ((bits[i] >> 31) | 0x8000_0000);
  return keys;
}

/** Up to this number of facets at one vertex an insertion sort is fastest. */
const INSERTION_SORT_LIMIT = 32;
const VERTICES_PER_REPORT = 65_536;

/**
 * The facets with new vertex indices, each rotated to start at its smallest one, in ascending order and in shared memory.
 * They are bucketed by their first corner, which leaves about six to sort at each vertex.
 */
function sortFacets(triangles: Uint32Array, rankOf: Uint32Array, vertexCount: number, progress: Progress): Uint32Array {
  const rotated = rotateToLeastCorner(triangles, rankOf);
  const buckets = bucketByFirstCorner(rotated, vertexCount);
  releaseArrays(rotated);
  progress.report(0.6);
  const sorted = new Uint32Array(new SharedArrayBuffer(4 * triangles.length));
  let from = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (vertex % VERTICES_PER_REPORT === 0) progress.report(0.6 + (0.4 * vertex) / vertexCount);
    const to = buckets.ends[vertex];
    if (to - from > INSERTION_SORT_LIMIT) radixSort(buckets.pairs, from, to, progress);
    else insertionSort(buckets.pairs, from, to);
    for (; from < to; from++) {
      sorted[3 * from] = vertex;
      sorted[3 * from + 1] = buckets.pairs[2 * from];
      sorted[3 * from + 2] = buckets.pairs[2 * from + 1];
    }
  }
  releaseArrays(buckets.pairs, buckets.ends);
  return sorted;
}

function rotateToLeastCorner(triangles: Uint32Array, rankOf: Uint32Array): Uint32Array {
  const rotated = new Uint32Array(triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const a = rankOf[triangles[at]];
    const b = rankOf[triangles[at + 1]];
    const c = rankOf[triangles[at + 2]];
    const startsAtA = a <= b && a < c;
    const startsAtB = !startsAtA && b <= c;
    rotated[at] = startsAtA ? a : startsAtB ? b : c;
    rotated[at + 1] = startsAtA ? b : startsAtB ? c : a;
    rotated[at + 2] = startsAtA ? c : startsAtB ? a : b;
  }
  return rotated;
}

/**
 * Second and third corners of the facets, bucketed by the first one, and where the bucket of each vertex ends. Not
 * `bucketBy`, which takes 1.6 times as long here: it cannot place the pairs directly.
 */
function bucketByFirstCorner(rotated: Uint32Array, vertexCount: number): { pairs: Uint32Array; ends: Uint32Array } {
  const ends = new Uint32Array(vertexCount);
  for (let at = 0; at < rotated.length; at += 3) ends[rotated[at]]++;
  let start = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const count = ends[vertex];
    ends[vertex] = start;
    start += count;
  }
  const pairs = new Uint32Array((2 * rotated.length) / 3);
  for (let at = 0; at < rotated.length; at += 3) {
    const slot = 2 * ends[rotated[at]]++;
    pairs[slot] = rotated[at + 1];
    pairs[slot + 1] = rotated[at + 2];
  }
  return { pairs, ends };
}

function insertionSort(pairs: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const second = pairs[2 * i];
    const third = pairs[2 * i + 1];
    let hole = i;
    for (; hole > from; hole--) {
      const before = pairs[2 * hole - 2];
      if (before < second || (before === second && pairs[2 * hole - 1] <= third)) break;
      pairs[2 * hole] = before;
      pairs[2 * hole + 1] = pairs[2 * hole - 1];
    }
    pairs[2 * hole] = second;
    pairs[2 * hole + 1] = third;
  }
}

function radixSort(pairs: Uint32Array, from: number, to: number, progress: Progress): void {
  const triples = new Uint32Array(3 * (to - from));
  for (let i = 0; i < to - from; i++) triples.set(pairs.subarray(2 * (from + i), 2 * (from + i) + 2), 3 * i);
  const order = Uint32Array.from({ length: to - from }, (_, i) => i);
  sortTriples(triples, order, progress.silent());
  order.forEach((triple, i) => pairs.set(triples.subarray(3 * triple, 3 * triple + 2), 2 * (from + i)));
}

/**
 * Lower-case hex SHA-256 of canonical arrays, over these little-endian bytes: vertex count (u32), triangle count (u32),
 * x, y, z of each vertex (f32), corners of each triangle (u32). The runtimes support little-endian machines only.
 */
export function meshHash(vertices: Float32Array, triangles: Uint32Array): string {
  return createHash("sha256")
    .update(Uint32Array.of(vertices.length / 3, triangles.length / 3))
    .update(vertices)
    .update(triangles)
    .digest("hex");
}

/** The mesh grown by `factor` (> 0) about its coordinate origin, as when its file is read in another unit. */
export function rescaleMesh(mesh: Mesh, factor: number, progress: Progress): Mesh {
  if (factor === 1) return mesh;
  const grown = canonicalMesh(mesh, factor, progress);
  const { solidVolumeMm3 } = mesh;
  return solidVolumeMm3 === undefined ? grown : { ...grown, solidVolumeMm3: solidVolumeMm3 * factor ** 3 };
}
