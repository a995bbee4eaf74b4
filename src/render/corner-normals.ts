import type { Progress } from "../core/progress.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** Facets that meet at a smaller angle are shaded as one smooth surface. */
const CREASE_COSINE = 0.766; // 40°
const HALF_CREASE_COSINE = 0.9397;

/** The integer that represents 1 in stored normals. */
export const NORMAL_ONE = 32767;

/** At a vertex with more facets, corners get the normals of their facets: comparing all pairs would take too long. */
const MAX_FAN_FACETS = 64;

/** Fraction of the progress for the normals of facets; the normals of corners take the rest. */
const FACETS_SHARE = 0.4;

/** About 2 ms of work. */
const STEPS_PER_REPORT = 16_384;

/**
 * The normal at each corner of each facet: x, y, z of three corners per facet, in units of 1 / {@link NORMAL_ONE}, in shared
 * memory. It is the mean normal of the facets around the vertex whose angle to this facet is below the crease angle, with the
 * weights of N. Max, "Weights for Computing Vertex Normals from Facet Normals" (1999), which are exact on spheres. Facets
 * without area have zero normals.
 */
export function cornerNormals({ vertices, triangles }: Mesh, progress: Progress): Int16Array {
  const facets = facetNormals(vertices, triangles, progress.part(0, FACETS_SHARE));
  const { starts, items: corners } = bucketBy(triangles, vertices.length / 3);
  const normals = new Int16Array(new SharedArrayBuffer(3 * triangles.length * Int16Array.BYTES_PER_ELEMENT));
  const merging = progress.part(FACETS_SHARE, 1);
  for (let vertex = 0; vertex + 1 < starts.length; vertex++) {
    if (vertex % STEPS_PER_REPORT === 0) merging.report((3 * vertex) / vertices.length);
    const from = starts[vertex];
    const to = starts[vertex + 1];
    const isFan = to - from > MAX_FAN_FACETS;
    for (let i = from; i < to; i++) {
      if (isFan) mergeFacets(facets, corners, i, i, i + 1, -1, normals);
      else if (mergeFacets(facets, corners, i, from, to, CREASE_COSINE, normals) && i === from) {
        for (let j = from + 1; j < to; j++) copyNormal(normals, corners[i], corners[j]);
        break;
      }
    }
  }
  return normals;
}

/**
 * Sets the normal of corner `corners[i]` to the mean over the corners `corners[from]` … `corners[to − 1]` whose facets have an angle
 * to the facet of `corners[i]` below the crease angle. True if this normal is valid for all of these corners: each facet has an angle
 * of less than half the crease angle to it.
 */
function mergeFacets(
  { units, weights }: FacetNormals,
  corners: Uint32Array,
  i: number,
  from: number,
  to: number,
  creaseCosine: number,
  normals: Int16Array,
): boolean {
  const own = corners[i] - (corners[i] % 3);
  const ownX = units[own];
  const ownY = units[own + 1];
  const ownZ = units[own + 2];
  let x = 0;
  let y = 0;
  let z = 0;
  for (let j = from; j < to; j++) {
    const other = corners[j] - (corners[j] % 3);
    if (ownX * units[other] + ownY * units[other + 1] + ownZ * units[other + 2] < creaseCosine) continue;
    const weight = weights[corners[j]];
    x += weight * units[other];
    y += weight * units[other + 1];
    z += weight * units[other + 2];
  }
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return false;
  x /= length;
  y /= length;
  z /= length;
  const at = 3 * corners[i];
  normals[at] = Math.round(x * NORMAL_ONE);
  normals[at + 1] = Math.round(y * NORMAL_ONE);
  normals[at + 2] = Math.round(z * NORMAL_ONE);
  for (let j = from; j < to; j++) {
    const other = corners[j] - (corners[j] % 3);
    if (x * units[other] + y * units[other + 1] + z * units[other + 2] < HALF_CREASE_COSINE) return false;
  }
  return true;
}

function copyNormal(normals: Int16Array, from: number, to: number): void {
  normals[3 * to] = normals[3 * from];
  normals[3 * to + 1] = normals[3 * from + 1];
  normals[3 * to + 2] = normals[3 * from + 2];
}

interface FacetNormals {
  /** Unit normal of each facet; zero for a facet without area. */
  readonly units: Float32Array;
  /** For each corner: the sine of its angle over the product of the lengths of its sides. */
  readonly weights: Float64Array;
}

/** Written out, without `facetNormal` of the mesh: the weights need the same edges. */
function facetNormals(vertices: Float32Array, triangles: Uint32Array, progress: Progress): FacetNormals {
  const units = new Float32Array(triangles.length);
  const weights = new Float64Array(triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * STEPS_PER_REPORT) === 0) progress.report(at / triangles.length);
    const a = 3 * triangles[at];
    const b = 3 * triangles[at + 1];
    const c = 3 * triangles[at + 2];
    const ux = vertices[b] - vertices[a];
    const uy = vertices[b + 1] - vertices[a + 1];
    const uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[b];
    const vy = vertices[c + 1] - vertices[b + 1];
    const vz = vertices[c + 2] - vertices[b + 2];
    const wx = ux + vx;
    const wy = uy + vy;
    const wz = uz + vz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const twiceArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(twiceArea > 0)) continue;
    units[at] = nx / twiceArea;
    units[at + 1] = ny / twiceArea;
    units[at + 2] = nz / twiceArea;
    const u = ux * ux + uy * uy + uz * uz;
    const v = vx * vx + vy * vy + vz * vz;
    const w = wx * wx + wy * wy + wz * wz;
    weights[at] = twiceArea / (w * u);
    weights[at + 1] = twiceArea / (u * v);
    weights[at + 2] = twiceArea / (v * w);
  }
  return { units, weights };
}
