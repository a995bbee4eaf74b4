import assert from "node:assert/strict";
import { test } from "node:test";
import { strutChains } from "../../../src/support/solid/strut-chains.ts";
import type { Strut } from "../../../src/support/tree/support-tree.ts";
import { randomFrom } from "../../fixture/random.ts";
import { someTree } from "../some-tree.ts";

const pillar = (from: number, to: number): Strut => ({ from, to, kind: "PILLAR" });

/** The number of chains of two struts that meet in the second of three balls. */
const chainsOf = (...nodes: number[]): number =>
  strutChains({ nodes: Float64Array.from(nodes), struts: [pillar(0, 1), pillar(2, 1)] }).length;

test("struts are one chain if the bend is small and they are longer than its mitre", () => {
  assert.equal(chainsOf(0, 0, 0, 0.5, 0, 0, 5, 0.5, 0, 0, 9, 0.5), 1);
  assert.equal(chainsOf(0, 0, 0, 0.5, 0, 0, 5, 0.5, 2, 0, 8, 0.5), 1);
  assert.equal(chainsOf(0, 0, 0, 0.5, 0, 0, 5, 0.5, 5, 0, 5, 0.5), 2);
  assert.equal(chainsOf(0, 0, 0, 0.5, 0, 0, 5, 0.5, 0.1, 0, 5.1, 0.5), 2);
});

test("every strut is in exactly one chain, once", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { nodes, struts } = someTree({ pillars: 30, widthMm: 40, groundMm: 2, random: randomFrom(seed) });
    const key = (a: number, b: number): string => [Math.min(a, b), Math.max(a, b)].join();
    const walked = strutChains({ nodes, struts }).flatMap((chain) =>
      chain.slice(1).map((node, i) => key(chain[i], node)),
    );
    assert.deepEqual(walked.toSorted(), struts.map(({ from, to }) => key(from, to)).toSorted());
  }
});

test("a closed ring of struts is one chain, too", () => {
  const corners = Array.from({ length: 12 }, (_, i) => [
    9 * Math.cos((Math.PI * i) / 6),
    9 * Math.sin((Math.PI * i) / 6),
    5,
    0.3,
  ]);
  const struts = corners.map((_, i) => pillar(i, (i + 1) % corners.length));
  const [chain, ...others] = strutChains({ nodes: Float64Array.from(corners.flat()), struts });
  assert.equal(others.length, 0);
  assert.equal(chain.length, 13);
});
