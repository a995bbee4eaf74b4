import { type Vec3, dot, exactLength, subtract, unit } from "../../geometry/vector.ts";
import type { Strut, SupportTree } from "../tree/support-tree.ts";

/** Cosine of 60°: chains end where they would bend more. */
const MIN_BEND_COSINE = 0.5;

/** Chains end where a strut is shorter than this many times the length that the mitre takes of it. */
const MIN_MITRES = 2;

/**
 * Chains of struts, as lists of nodes. Each strut is in one chain. At every node the two struts with the smallest bend
 * are consecutive; all others end there.
 */
export function strutChains({ nodes, struts }: Pick<SupportTree, "nodes" | "struts">): readonly (readonly number[])[] {
  const nodeCount = nodes.length / 4;
  const strutsAt: number[][] = Array.from({ length: nodeCount }, () => []);
  struts.forEach(({ from, to }, i) => {
    strutsAt[from].push(i);
    strutsAt[to].push(i);
  });
  const positionOf = (node: number): Vec3 => [nodes[4 * node], nodes[4 * node + 1], nodes[4 * node + 2]];
  const vectorFrom = (node: number, strut: number): Vec3 =>
    subtract(positionOf(farEnd(struts[strut], node)), positionOf(node));
  const next = strutsAt.map((here, node) =>
    straightestPair(here, (strut) => vectorFrom(node, strut), nodes[4 * node + 3]),
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
  // From the ends of chains first. The rest are closed chains, which may start anywhere.
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

/** The two consecutive struts of a node, each mapped to the other; empty where there are none. */
function straightestPair(
  struts: readonly number[],
  vectorOf: (strut: number) => Vec3,
  radiusMm: number,
): Map<number, number> {
  let best = new Map<number, number>();
  let straightest = MIN_BEND_COSINE;
  const vectors = struts.map(vectorOf);
  struts.forEach((strut, i) => {
    for (let j = i + 1; j < struts.length; j++) {
      const cosine = -dot(unit(vectors[i]), unit(vectors[j]));
      // A mitre takes r · tan(θ / 2), and tan²(θ / 2) = (1 − cos θ) / (1 + cos θ).
      const mitreMm = radiusMm * Math.sqrt(Math.max(0, 1 - cosine) / (1 + cosine));
      const shortest = Math.min(exactLength(vectors[i]), exactLength(vectors[j]));
      if (cosine <= straightest || shortest < MIN_MITRES * mitreMm) continue;
      straightest = cosine;
      best = new Map([
        [strut, struts[j]],
        [struts[j], strut],
      ]);
    }
  });
  return best;
}
