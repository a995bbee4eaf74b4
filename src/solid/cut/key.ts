import type { Polygon } from "../../geometry/polygon.ts";
import { type Vec3, cosSin } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type HoleFrame, fromHoleFrame, segmentCount } from "../drill/bore.ts";

/** A key in the plane of a cut: lengths in mm of the scene, u and v in the frame of the cut. */
export interface Key {
  readonly u: number;
  readonly v: number;
  /** A peg of the lower part fits a hole in the upper one; a dowel is a separate piece that fits holes in both. */
  readonly kind: "PEG" | "DOWEL";
  readonly shape: "ROUND" | "SQUARE" | "HEXAGON";
  /** Diameter, side of the square, or width across flats of the hexagon. */
  readonly sizeMm: number;
  /** How far it reaches into a part. */
  readonly depthMm: number;
  /** Rotation from u towards v, degrees; 0: a flat is across u. */
  readonly turnDeg: number;
}

const sidesOf = ({ shape, sizeMm }: Key): number => {
  if (shape === "ROUND") return segmentCount(sizeMm / 2);
  return shape === "SQUARE" ? 4 : 6;
};

/** Radius of the circle through the corners of a key that is wider by `growMm` on all sides, mm. */
export const circumradius = (key: Key, growMm: number): number =>
  (key.sizeMm / 2 + growMm) / Math.fround(Math.cos(Math.PI / sidesOf(key)));

/** The outline of a key that is wider by `growMm` on all sides, counter-clockwise, mm. */
export function keyOutline(key: Key, growMm: number): Polygon {
  const sides = sidesOf(key);
  const radius = circumradius(key, growMm);
  const turn = (key.turnDeg * Math.PI) / 180;
  return Float64Array.from(
    Array.from({ length: sides }, (_, i) => {
      const [cos, sin] = cosSin(turn + (2 * Math.PI * (i + 0.5)) / sides);
      return [key.u + radius * cos, key.v + radius * sin];
    }).flat(),
  );
}

/** A straight prism over the outline of a key, from one distance from the plane of the cut to another, mm. `perMm`: units of the frame. */
export function keyPrism(
  key: Key,
  growMm: number,
  [fromMm, toMm]: readonly [number, number],
  frame: HoleFrame,
  perMm: number,
): Surface {
  const outline = keyOutline(key, growMm);
  const sides = outline.length / 2;
  const at = (u: number, v: number, s: number): Vec3 => fromHoleFrame(frame, [u * perMm, v * perMm, s * perMm]);
  const vertices: number[] = [];
  for (const s of [fromMm, toMm])
    for (let i = 0; i < sides; i++) vertices.push(...at(outline[2 * i], outline[2 * i + 1], s));
  const triangles: number[] = [];
  for (let i = 1; i + 1 < sides; i++) triangles.push(0, i + 1, i, sides, sides + i, sides + i + 1);
  for (let i = 0; i < sides; i++) {
    const next = (i + 1) % sides;
    triangles.push(i, next, sides + next, i, sides + next, sides + i);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}
