import type { Ball } from "./ball.ts";
import type { Foot, Strut, StrutKind, SupportTree } from "./tree.ts";

/** A tree while it is being put together. */
export interface Sketch {
  readonly balls: Ball[];
  readonly struts: Strut[];
  readonly feet: Foot[];
}

export const newSketch = (): Sketch => ({ balls: [], struts: [], feet: [] });

/** The number of a new ball. */
export const addBall = (sketch: Sketch, ball: Ball): number => sketch.balls.push(ball) - 1;

/** Adds a ball and the strut that leads to it from another; its number. */
export function addStrut(sketch: Sketch, from: number, ball: Ball, kind: StrutKind): number {
  const to = addBall(sketch, ball);
  sketch.struts.push({ from, to, kind });
  return to;
}

export const finished = ({ balls, struts, feet }: Sketch, touches: Int32Array): SupportTree => ({
  nodes: Float64Array.from(balls.flatMap(({ place, radiusMm }) => [...place, radiusMm])),
  struts,
  feet,
  touches,
});
