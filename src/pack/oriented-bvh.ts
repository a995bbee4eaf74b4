import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { type EulerDeg, rotationMatrix } from "../geometry/pose.ts";
import { growBox } from "../mesh/bvh/box-tree.ts";
import type { Bvh } from "../mesh/bvh/bvh.ts";
import type { Mesh } from "../mesh/mesh.ts";

/**
 * The hierarchy of a mesh in an orientation and scale, relative to its position, with boxes along the axes of the scene. Parts are moved
 * far more often than rotated, and distances between such hierarchies take half the time of those in the coordinates of their meshes.
 */
export type OrientedBvh = Pick<Bvh, "boxes" | "links" | "corners">;

export function orientBvh(
  { boxes, links, corners }: Bvh,
  mesh: Mesh,
  orientation: EulerDeg,
  scale: number,
  progress: Progress,
): OrientedBvh {
  // Rounded as the check of interferences does: engines differ in the last bits of sines.
  const [a, b, c, d, e, f, g, h, i] = rotationMatrix(orientation).map((value) => scale * Math.fround(value));
  const [ox, oy, oz] = boxCentre(mesh.box);
  const rotated = new Float32Array(corners.length);
  for (let at = 0; at < corners.length; at += 3) {
    if (at % (3 * STEPS_PER_REPORT) === 0) progress.report(0);
    const x = corners[at] - ox;
    const y = corners[at + 1] - oy;
    const z = corners[at + 2] - oz;
    rotated[at] = a * x + b * y + c * z;
    rotated[at + 1] = d * x + e * y + f * z;
    rotated[at + 2] = g * x + h * y + i * z;
  }
  const bounds = new Float32Array(boxes.length);
  for (let node = links.length / 2 - 1; node >= 0; node--) {
    if (node % STEPS_PER_REPORT === 0) progress.report(0);
    const count = links[2 * node + 1];
    if (count === 0) {
      bounds.copyWithin(6 * node, 6 * node + 6, 6 * node + 12);
      growBox(bounds, 6 * node, bounds, 6 * links[2 * node]);
      continue;
    }
    bounds.fill(Infinity, 6 * node, 6 * node + 3);
    bounds.fill(-Infinity, 6 * node + 3, 6 * node + 6);
    const first = 9 * links[2 * node];
    for (let at = first; at < first + 9 * count; at++) {
      const axis = 6 * node + ((at - first) % 3);
      if (rotated[at] < bounds[axis]) bounds[axis] = rotated[at];
      if (rotated[at] > bounds[axis + 3]) bounds[axis + 3] = rotated[at];
    }
  }
  return { boxes: bounds, links, corners: rotated };
}
