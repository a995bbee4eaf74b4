import { exactLength, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Edges } from "../edges.ts";
import { facetOf, nextInFacet } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { vertexCount } from "../mesh.ts";
import { facetTree } from "../bvh/facet-tree.ts";
import { clipEars } from "./clip-ears.ts";
import { curvedFill, mayBeCurved } from "./curved/curved-fill.ts";
import { surroundingsOf } from "./curved/surroundings.ts";
import { holeLoops } from "./hole-loops.ts";
import { leastAreaFill } from "./least-area-fill.ts";
import { facetNormal } from "./facet-normal.ts";
import { edgesFor } from "./edges-for.ts";
import { onFirstUse } from "./on-first-use.ts";

/** Up to this many corners a hole gets the best of all fills, in O(n³); larger ones are filled ear by ear. */
const BEST_FILL_CORNERS = 250;

/**
 * Fills every hole that a simple loop of open edges bounds: between the vertices that are there, or in a curved surface with
 * more that go on as it does. With `isAsked`, those whose loops it is for.
 */
export function fillHoles(surface: Surface, watch: Watch, isAsked?: (loop: readonly number[]) => boolean): Surface {
  const edges = edgesFor(surface);
  const loops = holeLoops(surface, edges).filter((loop) => isAsked?.(loop) ?? true);
  if (loops.length === 0) return surface;
  const isEdge = edgeTest(surface, edges);
  const rimNormal = rimNormals(surface, edges);
  const { vertices } = surface;
  const tree = onFirstUse(() => facetTree(surface, watch.part(0, 0)));
  const around = onFirstUse(() => surroundingsOf(surface));
  const facets: number[] = [];
  const added: number[] = [];
  loops.forEach((loop, i) => {
    watch.report(i / loops.length);
    const corners = loop.map((v): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]]);
    const isTaken = (a: number, b: number): boolean => isEdge.has(loop[a], loop[b]);
    const part = watch.part(i / loops.length, (i + 1) / loops.length);
    const normals = loop.map((v, at) => rimNormal(v, loop[(at + 1) % loop.length]!));
    const flat =
      loop.length <= BEST_FILL_CORNERS
        ? leastAreaFill(corners, normals, isTaken, part.part(0, 0.5))
        : clipEars(corners, isTaken, part.part(0, 0.5));
    const curved = mayBeCurved(loop.length)
      ? curvedFill(around()(loop), flat, isTaken, tree, part.part(0.5, 1))
      : undefined;
    const firstAdded = (vertices.length + added.length) / 3;
    const toVertex = (at: number): number => (at < loop.length ? loop[at]! : firstAdded + at - loop.length);
    added.push(...(curved?.added.flat() ?? []));
    for (const [a, b, c] of (curved?.facets ?? flat).map((facet) => facet.map(toVertex))) {
      facets.push(a!, b!, c!);
      isEdge.add(a!, b!);
      isEdge.add(b!, c!);
      isEdge.add(c!, a!);
    }
  });
  const triangles = new Uint32Array(surface.triangles.length + facets.length);
  triangles.set(surface.triangles);
  triangles.set(facets, surface.triangles.length);
  const all = added.length === 0 ? vertices : new Float64Array(vertices.length + added.length);
  if (all !== vertices) {
    all.set(vertices);
    all.set(added, vertices.length);
  }
  return { vertices: all, triangles };
}

/** Tells the unit normal of the facet beyond an edge of a hole, as a hole runs along it. */
function rimNormals({ vertices, triangles }: Surface, { halfEdges, runs }: Edges): (from: number, to: number) => Vec3 {
  const count = vertices.length / 3;
  const facets = new Map<number, number>();
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] > 1) continue;
    const halfEdge = halfEdges[runs[edge]];
    facets.set(triangles[nextInFacet(halfEdge)] * count + triangles[halfEdge], facetOf(halfEdge));
  }
  const place = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  return (from, to) => {
    const at = 3 * facets.get(from * count + to)!;
    const [a, b, c] = [place(triangles[at]), place(triangles[at + 1]), place(triangles[at + 2])];
    const normal = facetNormal(a, b, c);
    return times(normal, 1 / (exactLength(normal) || 1));
  };
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
      // Nobody asks about vertices that fills have to themselves.
      if (Math.max(a, b) < count) added.add(Math.min(a, b) * count + Math.max(a, b));
    },
  };
}
