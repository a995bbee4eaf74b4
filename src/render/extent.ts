import type { BuildVolume, Mat3 } from "../core/geometry.ts";
import { multiply, placing } from "./affine.ts";
import type { Item } from "./item.ts";
import { turn } from "../mesh/pose.ts";

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

function extentOfItem({ mesh, pose }: Item, view: Mat3): Rectangle {
  const place = placing(mesh, pose);
  const [a, b, c, d, e, f] = multiply(view, place.linear);
  const [u, v] = turn(view, place.offset);
  const { vertices } = mesh;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < vertices.length; at += 3) {
    const x = a * vertices[at] + b * vertices[at + 1] + c * vertices[at + 2];
    const y = d * vertices[at] + e * vertices[at + 1] + f * vertices[at + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return { minX: minX + u, minY: minY + v, maxX: maxX + u, maxY: maxY + v };
}

/** The rectangle around the lowest `heightMm` of a build volume, its rounded corners taken as square. */
export function extentOfVolume({ dimensionsMm: [width, depth] }: BuildVolume, heightMm: number, view: Mat3): Rectangle {
  const corners = [0, heightMm].flatMap((z) =>
    [-width / 2, width / 2].flatMap((x) => [-depth / 2, depth / 2].map((y) => turn(view, [x, y, z]))),
  );
  return corners.map(([x, y]) => ({ minX: x, minY: y, maxX: x, maxY: y })).reduce(around);
}
