import type { Ball } from "./ball.ts";
import { BRACED_MM } from "./measures.ts";
import type { Sketch } from "./sketch.ts";

/** A strut that stands upright for more than {@link BRACED_MM}. */
export interface Upright {
  /** Its place among the sketch's struts. */
  readonly strut: number;
  readonly top: Ball;
  readonly bottom: Ball;
  /** The nodes set into it where braces meet it. */
  readonly joints: number[];
}

export const uprightsOf = ({ balls, struts }: Sketch): Upright[] =>
  struts.flatMap(({ from, to, kind }, strut): Upright[] => {
    const [top, bottom] = [balls[from], balls[to]];
    const [x, y] = [0, 1].map((axis) => top.place[axis] - bottom.place[axis]);
    const isTall = top.place[2] - bottom.place[2] > BRACED_MM;
    return kind === "PILLAR" && x === 0 && y === 0 && isTall ? [{ strut, top, bottom, joints: [] }] : [];
  });

/** The upright's own ball at a height. */
export function ballAt({ top, bottom }: Upright, z: number): Ball {
  const share = (z - bottom.place[2]) / (top.place[2] - bottom.place[2]);
  return {
    place: [top.place[0], top.place[1], z],
    radiusMm: bottom.radiusMm + share * (top.radiusMm - bottom.radiusMm),
  };
}

/** Parts each upright's strut at the joints set into it. */
export function partUprights(sketch: Sketch, uprights: readonly Upright[]): void {
  for (const { strut, joints } of uprights) {
    const { from, to } = sketch.struts[strut];
    const stops = joints.toSorted((a, b) => sketch.balls[b].place[2] - sketch.balls[a].place[2]);
    const nodes = [from, ...stops, to];
    nodes.slice(1).forEach((node, i) => {
      const part = { from: nodes[i], to: node, kind: "PILLAR" } as const;
      if (i === 0) sketch.struts[strut] = part;
      else sketch.struts.push(part);
    });
  }
}
