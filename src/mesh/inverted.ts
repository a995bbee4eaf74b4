import type { Bodies } from "./bodies.ts";
import { bodyVolumes, closedBodies } from "./bodies.ts";
import { containersOf } from "./containment.ts";
import type { Edges } from "./edges.ts";
import type { Surface } from "./mesh.ts";

/**
 * The closed bodies that face inward and should not. A cavity lies wholly inside an odd number of other closed bodies and
 * rightly faces inward; an outward body may lie anywhere.
 */
export function invertedBodies(surface: Surface, edges: Edges, bodies: Bodies): number[] {
  const volumes = bodyVolumes(surface, bodies);
  if (volumes.every((volume) => volume >= 0)) return [];
  const isClosed = closedBodies(surface, edges, bodies);
  const inward = [...volumes.keys()].filter((body) => volumes[body] < 0 && isClosed[body] === 1);
  if (bodies.count === 1) return inward;
  const containers = containersOf(surface, bodies, isClosed, inward);
  const boxes = bodyBoxes(surface, bodies);
  // What stands out of a body is no cavity of it, wherever the corner lies that its containers were found by.
  const around = (body: number): number[] => [...containers.get(body)!].filter((one) => encloses(boxes, one, body));
  return inward.filter((body) => around(body).length % 2 === 0);
}

/** Least and greatest x, y, z of each body. */
function bodyBoxes({ vertices, triangles }: Surface, { count, bodyOf }: Bodies): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let body = 0; body < count; body++) {
    boxes.fill(Infinity, 6 * body, 6 * body + 3);
    boxes.fill(-Infinity, 6 * body + 3, 6 * body + 6);
  }
  for (let corner = 0; corner < triangles.length; corner++) {
    const at = 6 * bodyOf[(corner - (corner % 3)) / 3];
    for (let axis = 0; axis < 3; axis++) {
      const value = vertices[3 * triangles[corner] + axis];
      if (value < boxes[at + axis]) boxes[at + axis] = value;
      if (value > boxes[at + 3 + axis]) boxes[at + 3 + axis] = value;
    }
  }
  return boxes;
}

function encloses(boxes: Float64Array, outer: number, inner: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[6 * outer + axis] > boxes[6 * inner + axis]) return false;
    if (boxes[6 * outer + 3 + axis] < boxes[6 * inner + 3 + axis]) return false;
  }
  return true;
}
