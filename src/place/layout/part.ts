import { hullOf, type Shape, turnedShape } from "./shape.ts";
import { type Rectangle, rectangleOf, type Region } from "./region.ts";

/** What is laid out: a body, or a body and supports that may overlap those of others but no body. */
export interface Part {
  /** As seen from the place of the part, in mm. */
  readonly body: Region;
  readonly supports?: Region;
}

/** A part turned about z by a number of degrees. */
export interface TurnedPart {
  readonly turnDeg: number;
  readonly body: Shape;
  readonly supports?: Shape;
  /** Corners of the hull of body and supports. */
  readonly hull: Float64Array;
  readonly box: Rectangle;
}

/** A part as it stands. */
export interface Standing {
  readonly part: TurnedPart;
  readonly x: number;
  readonly y: number;
}

export function turnedPart({ body, supports }: Part, turnDeg: number): TurnedPart {
  const shape = turnedShape(body, turnDeg);
  const under = supports && turnedShape(supports, turnDeg);
  const hull = hullOf(under ? [shape, under] : [shape]);
  return { turnDeg, body: shape, supports: under, hull, box: rectangleOf([hull]) };
}

/** The pairs of shapes of two parts that must be apart: all but supports and supports. */
export function* rivals(a: TurnedPart, b: TurnedPart): Generator<readonly [Shape, Shape]> {
  yield [a.body, b.body];
  if (b.supports) yield [a.body, b.supports];
  if (a.supports) yield [a.supports, b.body];
}
