import { add, cross, dot, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { Surface } from "../../mesh/mesh.ts";

/** A round section of a tube: the middle of a ball, and the ball's radius. */
export interface Ball {
  readonly centre: Vec3;
  readonly radiusMm: number;
}

export interface TubeShape {
  /** At least two, none in one place with the next; the way bends by less than 90° at each. */
  readonly spine: readonly Ball[];
  /** Cuts the tube level at the height of its first ball instead of square across its way. */
  readonly isCutLevel: boolean;
  /** Corners of a section. */
  readonly sides: number;
  /** Turns the corners about the way, radians. */
  readonly turn: number;
}

/**
 * The closed body along a way from ball to ball. Its sections are regular polygons inscribed in the balls' circles across
 * the way; where the way bends, both sides are mitred.
 */
export function tube({ spine, isCutLevel, sides, turn }: TubeShape): Surface {
  const ways = spine.slice(1).map(({ centre }, i) => unit(subtract(centre, spine[i].centre)));
  let spokes = firstSpokes(ways[0], sides, turn);
  const vertices: number[] = [];
  spine.forEach(({ centre, radiusMm }, at) => {
    const into = ways[at - 1] ?? ways[at];
    const out = ways[at] ?? into;
    const mitre = at === 0 && isCutLevel ? UPWARD : add(into, out);
    const onMitre = spokes.map((spoke) => subtract(spoke, times(into, dot(spoke, mitre) / dot(into, mitre))));
    for (const spoke of onMitre) vertices.push(...add(centre, times(spoke, radiusMm)));
    spokes = onMitre.map((spoke) => subtract(spoke, times(out, dot(spoke, out))));
  });
  return { vertices: Float64Array.from(vertices), triangles: facetsAlong(spine.length, sides) };
}

const UPWARD: Vec3 = [0, 0, 1];

/** Directions of length 1 across a way, evenly about it. */
function firstSpokes(way: Vec3, sides: number, turn: number): readonly Vec3[] {
  const sizes = way.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const across = unit(cross([least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0], way));
  const side = cross(way, across);
  return Array.from({ length: sides }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / sides;
    // Engines may differ in the last bits of sines.
    return add(times(across, Math.fround(Math.cos(angle))), times(side, Math.fround(Math.sin(angle))));
  });
}

/** The sides between rings of corners, which run counter-clockwise seen from the far end, and both ends. */
function facetsAlong(rings: number, sides: number): Uint32Array {
  const triangles: number[] = [];
  const last = (rings - 1) * sides;
  for (let first = 0; first < last; first += sides) {
    for (let i = 0; i < sides; i++) {
      const [a, b] = [first + i, first + ((i + 1) % sides)];
      triangles.push(a, b, b + sides, a, b + sides, a + sides);
    }
  }
  for (let i = 1; i + 1 < sides; i++) triangles.push(0, i + 1, i, last, last + i, last + i + 1);
  return Uint32Array.from(triangles);
}
