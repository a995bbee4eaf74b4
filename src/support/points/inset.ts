import type { Anchorage } from "../anchorage/anchorage.ts";
import type { Underside } from "./underside.ts";

export interface Inset {
  /** A pixel with a face, the nearest to the middle of the solid around. */
  readonly pixel: number;
  /** How much of the disc is solid. */
  readonly share: number;
}

/**
 * Moves a pixel that has a face away from edges: to the middle of what is solid within a disc around it, `radiusMm` wide. On a
 * straight edge that is 4/(3π) of the radius inside. `accepts` tells which pixels may be taken; the given one may.
 */
export function insetOf(
  pixel: number,
  radiusMm: number,
  underside: Underside,
  anchorage: Anchorage,
  accepts: (pixel: number) => boolean = () => true,
): Inset {
  const { columns, rows, pixelMm } = underside.grid;
  const row = Math.floor(pixel / columns);
  const column = pixel - row * columns;
  const reach = Math.floor(radiusMm / pixelMm);
  const inDisc: [number, number][] = [];
  let [sumX, sumY, size] = [0, 0, 0];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      if (x * x + y * y > reach * reach) continue;
      size++;
      if (column + x < 0 || column + x >= columns || row + y < 0 || row + y >= rows) continue;
      if (!anchorage.isSolid(pixel + y * columns + x)) continue;
      sumX += x;
      sumY += y;
      inDisc.push([x, y]);
    }
  }
  const [middleX, middleY] = [sumX / inDisc.length, sumY / inDisc.length];
  let [nearest, leastSquare] = [pixel, middleX * middleX + middleY * middleY];
  for (const [x, y] of inDisc) {
    const square = (x - middleX) ** 2 + (y - middleY) ** 2;
    const candidate = pixel + y * columns + x;
    if (square >= leastSquare || !underside.hasFace(candidate) || !accepts(candidate)) continue;
    [nearest, leastSquare] = [candidate, square];
  }
  return { pixel: nearest, share: inDisc.length / size };
}
