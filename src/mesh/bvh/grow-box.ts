type Boxes = Float32Array | Float64Array;

/** Grows the box of `boxes` at `o`, least x, y, z and greatest x, y, z, by the one of `others` at `at`. */
export function growBox(boxes: Boxes, o: number, others: Boxes, at: number): void {
  if (others[at] < boxes[o]) boxes[o] = others[at];
  if (others[at + 1] < boxes[o + 1]) boxes[o + 1] = others[at + 1];
  if (others[at + 2] < boxes[o + 2]) boxes[o + 2] = others[at + 2];
  if (others[at + 3] > boxes[o + 3]) boxes[o + 3] = others[at + 3];
  if (others[at + 4] > boxes[o + 4]) boxes[o + 4] = others[at + 4];
  if (others[at + 5] > boxes[o + 5]) boxes[o + 5] = others[at + 5];
}

/** Makes the first boxes hold nothing. */
export function emptyBoxes(boxes: Boxes, count: number): void {
  for (let at = 0; at < 6 * count; at += 6) {
    boxes.fill(Infinity, at, at + 3);
    boxes.fill(-Infinity, at + 3, at + 6);
  }
}

/** The sides of a box, added up. */
export const girth = (boxes: Boxes, at: number): number =>
  boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2]);
