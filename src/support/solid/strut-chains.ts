import { dot, exactLength, subtract, unit, type Vec3 } from "../../core/geometry.ts";
import type { Strut, SupportTree } from "../tree/tree.ts";

/** Ways that bend more are not led on: cosine of 60°. */
const LEAST_COSINE = 0.5;

/** Struts are led on where they are so many times longer than what the mitre at a bend takes of them. */
const MITRES = 2;

/**
 * The nodes along chains of struts, each strut in one: at every node the two struts that go on straightest are one way,
 * the others end there.
 */
export function strutChains({ nodes, struts }: Pick<SupportTree, "nodes" | "struts">): readonly (readonly number[])[] {
  const nodeCount = nodes.length / 4;
  const strutsAt: number[][] = Array.from({ length: nodeCount }, () => []);
  struts.forEach(({ from, to }, i) => {
    strutsAt[from].push(i);
    strutsAt[to].push(i);
  });
  const placeOf = (node: number): Vec3 => [nodes[4 * node], nodes[4 * node + 1], nodes[4 * node + 2]];
  const wayFrom = (node: number, strut: number): Vec3 => subtract(placeOf(farEnd(struts[strut], node)), placeOf(node));
  const next = strutsAt.map((here, node) =>
    straightestPair(here, (strut) => wayFrom(node, strut), nodes[4 * node + 3]),
  );
  const isTaken = new Uint8Array(struts.length);
  const follow = (start: number, first: number): number[] => {
    const chain = [start];
    for (let strut = first, node = start; strut >= 0 && isTaken[strut] === 0;) {
      isTaken[strut] = 1;
      node = farEnd(struts[strut], node);
      chain.push(node);
      strut = next[node].get(strut) ?? -1;
    }
    return chain;
  };
  const chains: number[][] = [];
  // From the ends first; what is left then are rings, which are taken from anywhere.
  for (const isEnd of [true, false]) {
    struts.forEach(({ from, to }, i) => {
      for (const node of [from, to]) {
        if (isTaken[i] === 0 && next[node].has(i) !== isEnd) chains.push(follow(node, i));
      }
    });
  }
  return chains;
}

const farEnd = ({ from, to }: Strut, node: number): number => (from === node ? to : from);

/** For the two of a node's struts that are one way, which is the other's next; empty where none are. */
function straightestPair(
  struts: readonly number[],
  wayOf: (strut: number) => Vec3,
  radiusMm: number,
): Map<number, number> {
  let best = new Map<number, number>();
  let straightest = LEAST_COSINE;
  const ways = struts.map(wayOf);
  struts.forEach((strut, i) => {
    for (let j = i + 1; j < struts.length; j++) {
      const cosine = -dot(unit(ways[i]), unit(ways[j]));
      // A mitre takes r · tan(θ / 2), and tan²(θ / 2) = (1 − cos θ) / (1 + cos θ).
      const mitreMm = radiusMm * Math.sqrt(Math.max(0, 1 - cosine) / (1 + cosine));
      const shortest = Math.min(exactLength(ways[i]), exactLength(ways[j]));
      if (cosine <= straightest || shortest < MITRES * mitreMm) continue;
      straightest = cosine;
      best = new Map([
        [strut, struts[j]],
        [struts[j], strut],
      ]);
    }
  });
  return best;
}
