import type { ErrorFactory } from "../core/api-error.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { type Surface, placedSurface, triangleCount } from "../mesh/mesh.ts";
import type { ModelWriter, WrittenBody } from "./model-writer.ts";

/**
 * Binary STL (3D Systems, 1989), in millimetres: the facets of all bodies in scene coordinates, in single precision, with their normals.
 * The format has neither units, names nor objects.
 */
export const stlWriter: ModelWriter = {
  *chunks(bodies, refuse, progress) {
    const count = countFacets(bodies, refuse);
    yield headOf(count);
    const chunk = new Uint16Array(FACET_HALVES * CHUNK_FACETS);
    let done = 0;
    for (const body of bodies) {
      const surface = placedSurface(body);
      const facets = triangleCount(surface);
      for (let first = 0; first < facets; first += CHUNK_FACETS) {
        progress.report((done + first) / count);
        const end = Math.min(facets, first + CHUNK_FACETS);
        writeFacets(surface, first, end, chunk);
        yield new Uint8Array(chunk.buffer, 0, 2 * FACET_HALVES * (end - first));
      }
      done += facets;
      // As garbage, the vertices of many copies would reach gigabytes.
      releaseArrays(surface.vertices);
    }
  },
};

const HEAD_BYTES = 84;
/** Normal and three corners in single precision, and two bytes of attributes; in halves of a number, since facets are no multiples of four bytes. */
const FACET_HALVES = 25;
const CHUNK_FACETS = 20_000;
/** Size of a file with this number of facets. */
export const stlBytes = (facets: number): number => HEAD_BYTES + 2 * FACET_HALVES * facets;

/** The count of facets has four bytes. */
const MAX_FACETS = 2 ** 32 - 1;
/** It must not begin with "solid", as the files in ASCII do. */
const TITLE = "Printwright binary STL, in millimetres";

function countFacets(bodies: readonly WrittenBody[], refuse: ErrorFactory): number {
  const count = bodies.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);
  if (count <= MAX_FACETS) return count;
  throw refuse(
    `the models have ${count} triangles, and an STL file holds ${MAX_FACETS} at most; export fewer, or as 3MF or GLB, where copies share a mesh`,
  );
}

function headOf(count: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  new TextEncoder().encodeInto(TITLE, head);
  new DataView(head.buffer).setUint32(HEAD_BYTES - 4, count, true);
  return head;
}

/** Writes the facets from `first` to `end`, which is excluded, to the beginning of a chunk. */
function writeFacets({ vertices, triangles }: Surface, first: number, end: number, chunk: Uint16Array): void {
  const facet = new Float32Array(12);
  const halves = new Uint16Array(facet.buffer);
  let at = 0;
  for (let t = 3 * first; t < 3 * end; t += 3, at += FACET_HALVES) {
    for (let corner = 0; corner < 3; corner++) {
      const from = 3 * triangles[t + corner];
      facet[3 + 3 * corner] = vertices[from];
      facet[4 + 3 * corner] = vertices[from + 1];
      facet[5 + 3 * corner] = vertices[from + 2];
    }
    const ux = facet[6] - facet[3];
    const uy = facet[7] - facet[4];
    const uz = facet[8] - facet[5];
    const vx = facet[9] - facet[3];
    const vy = facet[10] - facet[4];
    const vz = facet[11] - facet[5];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    // Facets without area get no normal.
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    facet[0] = nx / length;
    facet[1] = ny / length;
    facet[2] = nz / length;
    chunk.set(halves, at);
    chunk[at + FACET_HALVES - 1] = 0;
  }
}
