import type { Strut, SupportTree } from "../../src/support/tree/support-tree.ts";

export interface TreePlan {
  readonly pillars: number;
  readonly widthMm: number;
  readonly groundMm: number;
  readonly random: () => number;
}

/**
 * Pillars at random positions at least 2 mm apart, each with a tip above and up to two twigs that lean into it, and
 * braces between neighbours.
 */
export function someTree({ pillars, widthMm, groundMm, random }: TreePlan): SupportTree {
  const nodes: number[] = [];
  const struts: Strut[] = [];
  const touches: number[] = [];
  const feet: number[] = [];
  const node = (x: number, y: number, z: number, r: number): number => nodes.push(x, y, z, r) / 4 - 1;
  const tipFrom = (carrier: number): void => {
    const [x, y, z] = nodes.slice(4 * carrier, 4 * carrier + 3);
    const touch = node(x + random() - 0.5, y + random() - 0.5, z + 2, 0.25);
    struts.push({ from: touch, to: carrier, kind: "TIP" });
    touches.push(touch);
  };
  const tops: number[] = [];
  for (let tries = 0; feet.length < pillars && tries < 50 * pillars; tries++) {
    const [x, y] = [widthMm * (random() - 0.5), widthMm * (random() - 0.5)];
    if (feet.some((foot) => Math.hypot(nodes[4 * foot] - x, nodes[4 * foot + 1] - y) < 2)) continue;
    const height = 6 + 30 * random();
    const foot = node(x, y, groundMm, 0.7);
    let last = foot;
    for (let twig = 0; twig < Math.floor(3 * random()); twig++) {
      const joint = node(x, y, groundMm + (height * (twig + 1)) / 3, 0.65 - 0.1 * twig);
      struts.push({ from: joint, to: last, kind: "PILLAR" });
      const angle = 2 * Math.PI * random();
      const reach = 1 + 2 * random();
      const z = nodes[4 * joint + 2] + reach;
      const end = node(x + reach * Math.cos(angle), y + reach * Math.sin(angle), z, 0.4);
      struts.push({ from: end, to: joint, kind: "PILLAR" });
      tipFrom(end);
      last = joint;
    }
    const top = node(x, y, groundMm + height, 0.4);
    struts.push({ from: top, to: last, kind: "PILLAR" });
    tipFrom(top);
    feet.push(foot);
    tops.push(top);
  }
  const at = (n: number, k: number): number => nodes[4 * n + k];
  feet.forEach((foot, i) => {
    for (let j = i + 1; j < feet.length; j++) {
      const reach = Math.hypot(at(feet[j], 0) - at(foot, 0), at(feet[j], 1) - at(foot, 1));
      if (reach > 6 || at(tops[i], 2) < groundMm + 2 + reach || at(tops[j], 2) < groundMm + 2 + reach) continue;
      const low = node(at(foot, 0), at(foot, 1), groundMm + 2, 0.35);
      const high = node(at(feet[j], 0), at(feet[j], 1), groundMm + 2 + reach, 0.35);
      struts.push({ from: low, to: high, kind: "BRACE" });
    }
  });
  return {
    nodes: Float64Array.from(nodes),
    struts,
    feet: feet.map((foot) => ({ node: foot, on: "GROUND" as const })),
    touches: Int32Array.from(touches),
  };
}
