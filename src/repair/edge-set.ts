import type { Edges } from "../mesh/edges.ts";
import { type Surface, vertexCount } from "../mesh/mesh.ts";

export interface EdgeSet {
  has(a: number, b: number): boolean;
  add(a: number, b: number): void;
}

/** The edges of a surface. Edges of fills can be added. Edges of added vertices are never looked up. */
export function newEdgeSet(surface: Surface, { starts, far }: Edges): EdgeSet {
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
      if (Math.max(a, b) < count) added.add(Math.min(a, b) * count + Math.max(a, b));
    },
  };
}
