import type { Progress } from "../../core/progress.ts";
import { lerp } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type HoleFrame, toHoleFrame } from "./bore.ts";

const ITEMS_PER_REPORT = 65_536;

// Sides of the square around the axis on which a vertex is: the outcodes of Cohen and Sutherland's line clipping.
const RIGHT = 1;
const LEFT = 2;
const FRONT = 4;
const BACK = 8;

/**
 * The facets whose bounding rectangles, seen along the axis of a frame, come within `radiusMm` of it. Nine numbers
 * each: u, v, s of the three corners.
 */
export function facetsNearAxis(
  { vertices, triangles }: Surface,
  frame: HoleFrame,
  radiusMm: number,
  progress: Progress,
): Float64Array {
  const codes = outcodes(vertices, frame, radiusMm, progress.part(0, 0.5));
  const found: number[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * ITEMS_PER_REPORT) === 0) progress.report(0.5 + (0.5 * at) / triangles.length);
    if ((codes[triangles[at]] & codes[triangles[at + 1]] & codes[triangles[at + 2]]) !== 0) continue;
    for (let corner = at; corner < at + 3; corner++) {
      const v = 3 * triangles[corner];
      found.push(...toHoleFrame(frame, [vertices[v], vertices[v + 1], vertices[v + 2]]));
    }
  }
  return Float64Array.from(found);
}

function outcodes(
  vertices: Surface["vertices"],
  { origin, u, v }: HoleFrame,
  radiusMm: number,
  progress: Progress,
): Uint8Array {
  const [ox, oy, oz] = origin;
  const [ux, uy, uz] = u;
  const [vx, vy, vz] = v;
  const codes = new Uint8Array(vertices.length / 3);
  for (let i = 0; i < codes.length; i++) {
    if (i % ITEMS_PER_REPORT === 0) progress.report(i / codes.length);
    const x = vertices[3 * i] - ox;
    const y = vertices[3 * i + 1] - oy;
    const z = vertices[3 * i + 2] - oz;
    const pu = x * ux + y * uy + z * uz;
    const pv = x * vx + y * vy + z * vz;
    codes[i] =
      (pu > radiusMm ? RIGHT : pu < -radiusMm ? LEFT : 0) | (pv > radiusMm ? BACK : pv < -radiusMm ? FRONT : 0);
  }
  return codes;
}

type HolePoint = readonly [u: number, v: number, s: number];

/**
 * Whether any facet of {@link facetsNearAxis} intersects the inside of the cylinder about the s axis from `fromMm` to
 * `toMm`.
 */
export function intersectsCylinder(facets: Float64Array, radiusMm: number, fromMm: number, toMm: number): boolean {
  for (let at = 0; at < facets.length; at += 9) {
    const heights = [facets[at + 2], facets[at + 5], facets[at + 8]];
    if (Math.max(...heights) <= fromMm || Math.min(...heights) >= toMm) continue;
    const corners = [0, 3, 6].map((corner): HolePoint => [
      facets[at + corner],
      facets[at + corner + 1],
      facets[at + corner + 2],
    ]);
    const above = clipPolygon(corners, (s) => s - fromMm);
    const between = clipPolygon(above, (s) => toMm - s);
    if (between.length > 0 && intersectsDisc(between, radiusMm)) return true;
  }
  return false;
}

/** The part of a convex polygon with a positive distance from a plane across the axis. */
function clipPolygon(polygon: readonly HolePoint[], distanceAt: (s: number) => number): HolePoint[] {
  return polygon.flatMap((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    const [p, q] = [distanceAt(a[2]), distanceAt(b[2])];
    const kept = p > 0 ? [a] : [];
    if (p > 0 === q > 0) return kept;
    return [...kept, lerp(a, b, p / (p - q))];
  });
}

/** Whether a convex polygon, seen along s, comes closer than `radiusMm` to the axis. */
function intersectsDisc(polygon: readonly HolePoint[], radiusMm: number): boolean {
  let [isLeft, isRight] = [true, true];
  for (let i = 0; i < polygon.length; i++) {
    const [au, av] = polygon[i];
    const [bu, bv] = polygon[(i + 1) % polygon.length];
    const [du, dv] = [bu - au, bv - av];
    const squared = du * du + dv * dv;
    const share = squared > 0 ? Math.min(1, Math.max(0, -(au * du + av * dv) / squared)) : 0;
    const [u, v] = [au + share * du, av + share * dv];
    if (u * u + v * v < radiusMm * radiusMm) return true;
    const side = au * bv - av * bu;
    if (side <= 0) isLeft = false;
    if (side >= 0) isRight = false;
  }
  return isLeft || isRight;
}
