import type { Region, Ring } from "../../mesh/boolean/region/region.ts";
import type { StandingFoot } from "./foot.ts";

/** Of the bars, or less where a disc is smaller. */
const BRIDGE_WIDTH_MM = 3;

/**
 * Bars between the discs of feet that lie no farther apart than `gapMm`, so that they are one piece: along the shortest tree
 * between all (Prim 1957), so there is none more and none is longer than it must be.
 */
export function bridges(discs: readonly StandingFoot[], gapMm: number): Region {
  const distances = new Float64Array(discs.length).fill(Infinity);
  const nearest = new Int32Array(discs.length);
  const isJoined = new Uint8Array(discs.length);
  const bars: Ring[] = [];
  for (let joined = 0, at = 0; joined < discs.length; joined++) {
    isJoined[at] = 1;
    if (joined > 0 && gapBetween(discs[nearest[at]], discs[at]) <= gapMm) bars.push(bar(discs[nearest[at]], discs[at]));
    let next = -1;
    for (let i = 0; i < discs.length; i++) {
      if (isJoined[i] === 1) continue;
      const distance = gapBetween(discs[i], discs[at]);
      if (distance < distances[i]) {
        distances[i] = distance;
        nearest[i] = at;
      }
      if (next < 0 || distances[i] < distances[next]) next = i;
    }
    at = next;
  }
  return bars;
}

const lengthOf = (x: number, y: number): number => Math.sqrt(x * x + y * y);

const gapBetween = (a: StandingFoot, b: StandingFoot): number => lengthOf(a.x - b.x, a.y - b.y) - a.radius - b.radius;

function bar(from: StandingFoot, to: StandingFoot): Ring {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const scale = Math.min(BRIDGE_WIDTH_MM / 2, from.radius, to.radius) / (lengthOf(dx, dy) || 1);
  const [sideX, sideY] = [-dy * scale, dx * scale];
  return Float64Array.of(
    from.x - sideX,
    from.y - sideY,
    to.x - sideX,
    to.y - sideY,
    to.x + sideX,
    to.y + sideY,
    from.x + sideX,
    from.y + sideY,
  );
}
