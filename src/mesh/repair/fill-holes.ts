import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Edges } from "../edges.ts";
import { edgesOf } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { vertexCount } from "../mesh.ts";
import { clipEars } from "./clip-ears.ts";
import { holeLoops } from "./hole-loops.ts";
import { leastAreaFill } from "./least-area-fill.ts";

/** Up to this many corners a hole gets the best of all fills, in O(n³); larger ones are filled ear by ear. */
const BEST_FILL_CORNERS = 250;

/** Fills every hole that a simple loop of open edges bounds, between the vertices that are there. */
export function fillHoles(surface: Surface, watch: Watch): Surface {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const loops = holeLoops(surface, edges);
  if (loops.length === 0) return surface;
  const isEdge = edgeTest(surface, edges);
  const { vertices } = surface;
  const facets: number[] = [];
  loops.forEach((loop, i) => {
    watch.report(i / loops.length);
    const corners = loop.map((v): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]]);
    const isTaken = (a: number, b: number): boolean => isEdge.has(loop[a], loop[b]);
    const fill = loop.length <= BEST_FILL_CORNERS ? leastAreaFill : clipEars;
    for (const [a, b, c] of fill(corners, isTaken, watch.part(i / loops.length, (i + 1) / loops.length))) {
      facets.push(loop[a], loop[b], loop[c]);
      isEdge.add(loop[a], loop[b]);
      isEdge.add(loop[b], loop[c]);
      isEdge.add(loop[c], loop[a]);
    }
  });
  const triangles = new Uint32Array(surface.triangles.length + facets.length);
  triangles.set(surface.triangles);
  triangles.set(facets, surface.triangles.length);
  return { vertices, triangles };
}

interface EdgeTest {
  has(a: number, b: number): boolean;
  add(a: number, b: number): void;
}

/** Tells whether two vertices are joined by an edge, in the surface or among those added since. */
function edgeTest(surface: Surface, { starts, far }: Edges): EdgeTest {
  const count = vertexCount(surface);
  const added = new Set<number>();
  return {
    has(a, b) {
      const smaller = Math.min(a, b);
      const larger = Math.max(a, b);
      for (let i = starts[smaller]; i < starts[smaller + 1]; i++) if (far[i] === larger) return true;
      return added.has(smaller * count + larger);
    },
    add(a, b) {
      added.add(Math.min(a, b) * count + Math.max(a, b));
    },
  };
}
