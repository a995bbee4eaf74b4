import type { Surface } from "../../mesh/mesh.ts";
import { newPoints } from "../triples.ts";

/** A surface for each list of triangles; if there are several lists, each has only the vertices that it uses. */
export function surfacesOfLists(vertices: Float64Array, lists: readonly Uint32Array[]): Surface[] {
  if (lists.length === 1) return [{ vertices, triangles: lists[0] }];
  // New vertex numbers continue through all lists: a number below the first one of a list means that the list does not use the vertex
  // yet.
  const numbers = new Uint32Array(vertices.length / 3);
  let next = 1;
  return lists.map((list) => {
    const first = next;
    const triangles = new Uint32Array(list.length);
    const used = newPoints();
    for (let i = 0; i < list.length; i++) {
      const vertex = list[i];
      if (numbers[vertex] < first) {
        numbers[vertex] = next++;
        used.push(vertices[3 * vertex], vertices[3 * vertex + 1], vertices[3 * vertex + 2]);
      }
      triangles[i] = numbers[vertex] - first;
    }
    return { vertices: used.toArray(), triangles };
  });
}
