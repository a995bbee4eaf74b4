import { inputError, operationFailed } from "../core/fault.ts";
import { MAX_COORDINATE_MM } from "../core/units.ts";
import type { Watch } from "../core/watch.ts";
import { hashOf } from "./hash.ts";
import { measure } from "./measure.ts";
import type { Mesh, Surface } from "./mesh.ts";
import { triangleCount, vertexCount } from "./mesh.ts";
import { sortFacets } from "./sort-facets.ts";
import { sameTriple, sortTriples } from "./sort-triples.ts";

/**
 * The mesh of a surface whose unit is `unitMm` millimetres long, in the canonical form that {@link Mesh} describes.
 * Vertices at exactly the same place become one and unused ones go; every facet stays, whatever its faults.
 * Throws OPERATION_FAILED for a surface without facets or with broken numbers, INPUT_ERROR for one that is too large.
 */
export function canonicalMesh(surface: Surface, unitMm: number, watch: Watch): Mesh {
  if (triangleCount(surface) === 0) {
    throw operationFailed("The model has no triangles. Export it again as a mesh with at least one facet.");
  }
  const used = usedVertices(surface);
  watch.report(0.03);
  const places = toMillimetres(surface.vertices, used, unitMm);
  watch.report(0.1);
  const { vertices, rankOf } = weld(places, used, watch.part(0.1, 0.5));
  const triangles = sortFacets(surface.triangles, rankOf, vertices.length / 3, watch.part(0.5, 0.8));
  const measures = measure(vertices, triangles);
  watch.report(0.9);
  return { hash: hashOf(vertices, triangles), vertices, triangles, ...measures };
}

/** The indices, ascending, of the vertices that facets use. */
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

/** x, y, z of each used vertex in millimetres, rounded to single precision, −0 made +0. The others are left zero. */
function toMillimetres(vertices: Surface["vertices"], used: Uint32Array, unitMm: number): Float32Array {
  const places = new Float32Array(vertices.length);
  for (let i = 0; i < used.length; i++) {
    const from = 3 * used[i];
    for (let at = from; at < from + 3; at++) {
      const place = vertices[at] * unitMm;
      if (!(Math.abs(place) <= MAX_COORDINATE_MM)) throw badCoordinate(vertices[at], place);
      places[at] = Math.fround(place) + 0;
    }
  }
  return places;
}

function badCoordinate(value: number, millimetres: number): Error {
  return Number.isFinite(value)
    ? inputError(
        `The model reaches ${millimetres.toPrecision(3)} mm; coordinates end at ${MAX_COORDINATE_MM} mm. ` +
          "Check its unit, or scale it down and move it nearer to its origin before import.",
      )
    : operationFailed("The model has a coordinate that is not a finite number. Export it again.");
}

/** Sorts the used vertices and merges equal ones: `rankOf[v]` is the place of old vertex v among the new ones. */
function weld(places: Float32Array, used: Uint32Array, watch: Watch): { vertices: Float32Array; rankOf: Uint32Array } {
  const keys = ascendingKeys(places);
  sortTriples(keys, used, watch);
  const rankOf = new Uint32Array(places.length / 3);
  let last = 0;
  for (let i = 1; i < used.length; i++) {
    if (!sameTriple(keys, used[i - 1], used[i])) last++;
    rankOf[used[i]] = last;
  }
  const vertices = new Float32Array(new SharedArrayBuffer(12 * (last + 1)));
  for (let i = 0; i < used.length; i++) {
    const from = 3 * used[i];
    const to = 3 * rankOf[used[i]];
    vertices[to] = places[from];
    vertices[to + 1] = places[from + 1];
    vertices[to + 2] = places[from + 2];
  }
  return { vertices, rankOf };
}

/** Unsigned integers in the order of the singles: from their bits, negatives turned round and positives moved above. */
function ascendingKeys(singles: Float32Array): Uint32Array {
  const bits = new Int32Array(singles.buffer);
  const keys = new Uint32Array(singles.length);
  for (let i = 0; i < keys.length; i++) keys[i] = bits[i] ^ ((bits[i] >> 31) | 0x8000_0000);
  return keys;
}
