import type { Right, Silhouette } from "./silhouette.ts";

/** A turn about the vertical with a side of the hull along an axis of the platform. */
export interface Turn {
  readonly right: Right;
  readonly widthMm: number;
  readonly depthMm: number;
}

/** The four turns for each side of the hull; one of them has the least rectangle around it (Freeman and Shapira, 1975). */
export function turnsOf(silhouette: Silhouette): Turn[] {
  const { hullXy } = silhouette;
  const turns: Turn[] = [];
  for (let at = 0; at < hullXy.length; at += 2) {
    const to = (at + 2) % hullXy.length;
    const [x, y] = [hullXy[to] - hullXy[at], hullXy[to + 1] - hullXy[at + 1]];
    const length = Math.sqrt(x * x + y * y);
    if (!(length > 0)) continue;
    const [c, s] = [x / length, y / length];
    const { widthMm, depthMm } = turnOf(silhouette, [c, s]);
    turns.push(
      { right: [c, s], widthMm, depthMm },
      { right: [-c, -s], widthMm, depthMm },
      { right: [-s, c], widthMm: depthMm, depthMm: widthMm },
      { right: [s, -c], widthMm: depthMm, depthMm: widthMm },
    );
  }
  return turns.length > 0 ? turns : [{ right: [1, 0], widthMm: 0, depthMm: 0 }];
}

export function turnOf({ hullXy }: Silhouette, right: Right): Turn {
  const [c, s] = right;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let at = 0; at < hullXy.length; at += 2) {
    const x = c * hullXy[at] + s * hullXy[at + 1];
    const y = c * hullXy[at + 1] - s * hullXy[at];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return { right, widthMm: maxX - minX, depthMm: maxY - minY };
}
