import type { Surface } from "../../mesh/mesh.ts";
import { newPoints } from "../triples.ts";

/** A surface for each list of triangles, with only the vertices that it uses where there are several. */
export function surfacesOfLists(vertices: Float64Array, lists: readonly Uint32Array[]): Surface[] {
  if (lists.length === 1) return [{ vertices, triangles: lists[0] }];
  // Vertices that a list uses are numbered on through all lists: those below its first number are not used by it yet.
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
