import type { BuildVolume, Mat3 } from "../core/geometry.ts";
import { once } from "../core/once.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { turn } from "../mesh/pose.ts";
import { multiply, placing } from "./affine.ts";
import type { Item } from "./item.ts";

/** A rectangle of the view plane, millimetres: x to the right, y up. */
export interface Rectangle {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export const NOWHERE: Rectangle = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };

export const around = (a: Rectangle, b: Rectangle): Rectangle => ({
  minX: Math.min(a.minX, b.minX),
  minY: Math.min(a.minY, b.minY),
  maxX: Math.max(a.maxX, b.maxX),
  maxY: Math.max(a.maxY, b.maxY),
});

/** The rectangle around the silhouettes of bodies. */
export const extentOf = (items: readonly Item[], view: Mat3): Rectangle =>
  items.map((item) => extentOfItem(item, view)).reduce(around, NOWHERE);

/** Vertices that are looked at together, or passed over: where they follow each other in space, most can be. */
const RUN = 64;
/** Numbers that tell of a run: the middle of the box around its vertices, then half of its size. */
const BOX = 6;

function extentOfItem({ mesh, pose }: Item, view: Mat3): Rectangle {
  const place = placing(mesh, pose);
  const [a, b, c, d, e, f] = multiply(view, place.linear);
  const [u, v] = turn(view, place.offset);
  const { vertices } = mesh;
  const boxes = boxesOfRuns(mesh);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  const look = (from: number, to: number): void => {
    for (let at = from; at < to; at += 3) {
      const x = a * vertices[at] + b * vertices[at + 1] + c * vertices[at + 2];
      const y = d * vertices[at] + e * vertices[at + 1] + f * vertices[at + 2];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  };
  // One vertex of each run first: then few runs can hold one that lies further out.
  for (let first = 0; first < vertices.length; first += 3 * RUN) look(first, first + 3);
  for (let run = 0; run < boxes.length; run += BOX) {
    const x = a * boxes[run] + b * boxes[run + 1] + c * boxes[run + 2];
    const y = d * boxes[run] + e * boxes[run + 1] + f * boxes[run + 2];
    const [p, q, r] = [boxes[run + 3], boxes[run + 4], boxes[run + 5]];
    const reachX = Math.abs(a) * p + Math.abs(b) * q + Math.abs(c) * r;
    const reachY = Math.abs(d) * p + Math.abs(e) * q + Math.abs(f) * r;
    if (x - reachX >= minX && x + reachX <= maxX && y - reachY >= minY && y + reachY <= maxY) continue;
    const first = (run / BOX) * 3 * RUN;
    look(first, Math.min(vertices.length, first + 3 * RUN));
  }
  return { minX: minX + u, minY: minY + v, maxX: maxX + u, maxY: maxY + v };
}

/** The boxes around each `RUN` vertices of a mesh, in their order. */
const boxesOfRuns = once(({ vertices }: Mesh): Float64Array => {
  const boxes = new Float64Array(BOX * Math.ceil(vertices.length / (3 * RUN)));
  for (let run = 0; run * RUN * 3 < vertices.length; run++) {
    const end = Math.min(vertices.length, (run + 1) * RUN * 3);
    for (let axis = 0; axis < 3; axis++) {
      let [least, most] = [Infinity, -Infinity];
      for (let at = run * RUN * 3 + axis; at < end; at += 3) {
        if (vertices[at] < least) least = vertices[at];
        if (vertices[at] > most) most = vertices[at];
      }
      boxes[BOX * run + axis] = (least + most) / 2;
      boxes[BOX * run + 3 + axis] = (most - least) / 2;
    }
  }
  return boxes;
});

/** The rectangle around the lowest `heightMm` of a build volume, its rounded corners taken as square. */
export function extentOfVolume({ dimensionsMm: [width, depth] }: BuildVolume, heightMm: number, view: Mat3): Rectangle {
  const corners = [0, heightMm].flatMap((z) =>
    [-width / 2, width / 2].flatMap((x) => [-depth / 2, depth / 2].map((y) => turn(view, [x, y, z]))),
  );
  return corners.map(([x, y]) => ({ minX: x, minY: y, maxX: x, maxY: y })).reduce(around);
}
