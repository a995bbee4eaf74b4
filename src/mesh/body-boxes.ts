import type { Bodies } from "./bodies.ts";
import type { Surface } from "./mesh.ts";

/** Least x, y, z and greatest x, y, z of each body. */
export function bodyBoxes({ vertices, triangles }: Surface, { count, bodyOf }: Bodies): Float64Array {
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

/** Whether one body's box holds another's. */
export function encloses(boxes: Float64Array, outer: number, inner: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[6 * outer + axis] > boxes[6 * inner + axis]) return false;
    if (boxes[6 * outer + 3 + axis] < boxes[6 * inner + 3 + axis]) return false;
  }
  return true;
}
