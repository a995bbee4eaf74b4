import { convexHull } from "../../mesh/convex-hull.ts";
import { type Rectangle, rectangleOf, type Region } from "./region.ts";

/** A region turned about its origin, ready to be compared with others. */
export interface Shape {
  /** x and y of both ends of each edge; what is solid is to the left. */
  readonly edges: Float64Array;
  /** Least and greatest x and y (minX, minY, maxX, maxY) of each {@link CHUNK} edges in a row. */
  readonly chunkBoxes: Float64Array;
  /** The first edge of each ring. */
  readonly ringStarts: readonly number[];
  readonly box: Rectangle;
}

/** Edges per box: few enough that most pairs of boxes are far apart. */
export const CHUNK = 8;

/** Sines are rounded to this, below what engines differ by. */
const SINE_STEPS = 2 ** 40;

/** Counter-clockwise. Multiples of 90° are exact. */
export function turnedShape({ rings }: Region, turnDeg: number): Shape {
  const [sin, cos] = [Math.sin, Math.cos].map(
    (of) => Math.round(of((turnDeg * Math.PI) / 180) * SINE_STEPS) / SINE_STEPS,
  );
  const turned = rings.map((ring) =>
    ring.map((_, i) => (i % 2 === 0 ? cos * ring[i] - sin * ring[i + 1] : sin * ring[i - 1] + cos * ring[i])),
  );
  const edges = turned.flatMap((ring) =>
    Array.from({ length: ring.length / 2 }, (_, i) => {
      const j = (2 * i + 2) % ring.length;
      return [ring[2 * i], ring[2 * i + 1], ring[j], ring[j + 1]];
    }),
  );
  const ringStarts = rings.map((_, i) => rings.slice(0, i).reduce((sum, ring) => sum + ring.length / 2, 0));
  return { edges: Float64Array.from(edges.flat()), chunkBoxes: boxesOf(edges), ringStarts, box: rectangleOf(turned) };
}

function boxesOf(edges: readonly number[][]): Float64Array {
  const boxes: number[] = [];
  for (let i = 0; i < edges.length; i += CHUNK) {
    const { minX, minY, maxX, maxY } = rectangleOf([Float64Array.from(edges.slice(i, i + CHUNK).flat())]);
    boxes.push(minX, minY, maxX, maxY);
  }
  return Float64Array.from(boxes);
}

/** The corners of the convex hull of shapes, counter-clockwise. */
export function hullOf(shapes: readonly Shape[]): Float64Array {
  const starts = shapes.flatMap(({ edges }) =>
    Array.from({ length: edges.length / 4 }, (_, i) => [edges[4 * i], edges[4 * i + 1]]),
  );
  return convexHull(
    Float64Array.from(starts, ([x]) => x),
    Float64Array.from(starts, ([, y]) => y),
  );
}

/** How often the rings of a shape wind about a point. */
export function windingAt({ edges }: Shape, x: number, y: number): number {
  let winding = 0;
  for (let i = 0; i < edges.length; i += 4) {
    const [ay, by] = [edges[i + 1], edges[i + 3]];
    if (ay <= y === by <= y) continue;
    const side = (edges[i + 2] - edges[i]) * (y - ay) - (by - ay) * (x - edges[i]);
    if (by > ay && side > 0) winding++;
    else if (by < ay && side < 0) winding--;
  }
  return winding;
}
