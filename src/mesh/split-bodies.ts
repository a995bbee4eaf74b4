import type { Watch } from "../core/watch.ts";
import { canonicalMesh } from "./canonical.ts";
import { type Mesh, type Surface, vertexCount } from "./mesh.ts";
import { withSolidVolume } from "./solid-volume.ts";
import { NO_SOLID, solidsOf } from "./solids.ts";

/** Share of the work at which the solids are known. */
const FOUND = 0.4;
const UNUSED = -1;

/** The solids of a mesh. */
export interface Split {
  readonly count: number;
  /** Each as a mesh of its own, its facets as they were, to the bit; none where there is one, or more than were asked for. */
  readonly meshes: readonly Mesh[];
}

/** Takes a mesh of at most so many solids apart. */
export function splitBodies(mesh: Mesh, most: number, watch: Watch): Split {
  const { count, solidOf } = solidsOf(mesh, watch.part(0, FOUND));
  if (count <= 1 || count > most) return { count, meshes: [] };
  const numbers = new Int32Array(vertexCount(mesh)).fill(UNUSED);
  const meshes = facetsBySolid(solidOf, count).map((facets, solid) => {
    const part = watch.part(FOUND + ((1 - FOUND) * solid) / count, FOUND + ((1 - FOUND) * (solid + 1)) / count);
    const piece = canonicalMesh(surfaceOf(mesh, facets, numbers), 1, part);
    return mesh.solidVolumeMm3 === undefined ? piece : withSolidVolume(piece, part);
  });
  return { count, meshes };
}

/** The facets of each solid, ascending. */
function facetsBySolid(solidOf: Int32Array, count: number): Uint32Array[] {
  const sizes = new Uint32Array(count);
  for (const solid of solidOf) if (solid !== NO_SOLID) sizes[solid]++;
  const facets = Array.from(sizes, (size) => new Uint32Array(size));
  sizes.fill(0);
  for (let facet = 0; facet < solidOf.length; facet++) {
    const solid = solidOf[facet];
    if (solid !== NO_SOLID) facets[solid][sizes[solid]++] = facet;
  }
  return facets;
}

/** Some facets with the vertices that they use; `numbers` is scratch, every entry {@link UNUSED} before and after. */
function surfaceOf({ vertices, triangles }: Mesh, facets: Uint32Array, numbers: Int32Array): Surface {
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
}
