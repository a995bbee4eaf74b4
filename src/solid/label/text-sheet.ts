import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { triangulatePolygons } from "../../geometry/polygon-operations.ts";
import type { Polygons } from "../../geometry/polygon.ts";
import { type Vec3, add, distance, times } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { raycast } from "../../mesh/bvh/raycast.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { Chart, ChartPoint } from "./exponential-map.ts";
import { refineTriangles } from "./refine-triangles.ts";

/** Ends the message about a surface that a label does not fit. */
export const PLACEMENT_HINT = "choose another place, a smaller font_size_mm or a shorter label.";

/** A triangulated region of the plane mapped onto a surface: its vertices, and three vertices of each triangle. */
interface TextSheet {
  readonly vertices: readonly ChartPoint[];
  readonly triangles: readonly number[];
}

/** How closely a sheet follows the surface. */
export interface SheetTolerance {
  /** Distances from the surface, along its normals, at which the sheet is used. */
  readonly offsetsMm: readonly number[];
  /** Greatest distance of an edge from the surface offset by any of them. */
  readonly toleranceMm: number;
  /** Shorter edges are not divided, however rough the surface is. */
  readonly minEdgeMm: number;
}

/** Positions on an edge that are compared with the surface, as shares of its length. */
const EDGE_SAMPLES = [0.5, 0.25, 0.75];

/** Share of the progress at which the triangles are refined. */
const REFINING_SHARE = 0.9;

/** Triangulates a region and maps it onto a surface by `toSurface`, with triangles as small as its curvature needs. */
export async function meshSheet(
  region: Polygons,
  toSurface: (x: number, y: number) => ChartPoint,
  { offsetsMm, toleranceMm, minEdgeMm }: SheetTolerance,
  progress: Progress,
): Promise<TextSheet> {
  const xy = region.flatMap((polygon) => [...polygon]);
  const vertices: ChartPoint[] = [];
  const vertex = (i: number): ChartPoint => (vertices[i] ??= toSurface(xy[2 * i], xy[2 * i + 1]));
  const isTooLong = (from: number, to: number): boolean => {
    const [x, y] = [xy[2 * to] - xy[2 * from], xy[2 * to + 1] - xy[2 * from + 1]];
    if (x * x + y * y < minEdgeMm * minEdgeMm) return false;
    const [start, end] = [vertex(from), vertex(to)];
    return EDGE_SAMPLES.some((share) => {
      const sample = toSurface(xy[2 * from] + share * x, xy[2 * from + 1] + share * y);
      return offsetsMm.some((mm) => {
        const onEdge = add(times(offsetPoint(start, mm), 1 - share), times(offsetPoint(end, mm), share));
        return distance(onEdge, offsetPoint(sample, mm)) > toleranceMm;
      });
    });
  };
  const triangles = refineTriangles(xy, await triangulatePolygons(region), isTooLong, progress.part(0, REFINING_SHARE));
  const mapping = progress.part(REFINING_SHARE, 1);
  const count = xy.length / 2;
  for (let i = 0; i < count; i++) {
    mapping.report(i / count);
    vertex(i);
  }
  return { vertices, triangles };
}

const offsetPoint = ({ position, normal }: ChartPoint, mm: number): Vec3 => add(position, times(normal, mm));

/** Least ratio of areas, surface to plane, of a letter on the surface and at its tops or floors. */
const MIN_SCALE = 0.4;
const MIN_OFFSET_SCALE = 0.1;

/**
 * Returns the map of a chart for letters that reach from the surface to some offsets. It throws OPERATION_FAILED,
 * naming the letter, if a point has no image, or if the surface is so curved that the letter would be crushed or
 * would fold.
 */
export function mapToSurface(
  chart: Chart,
  offsetsMm: readonly number[],
  letterAt: (x: number) => string,
): (x: number, y: number) => ChartPoint {
  return (x, y) => {
    const point = chart.at(x, y);
    const refusal = (why: string) => operationFailed(`at ${letterAt(x)} the surface ${why}`);
    if (!point) throw refusal(`ends or has a sharp edge: ${PLACEMENT_HINT}`);
    if (point.areaScale(0) < MIN_SCALE) throw refusal(`bends too much: ${PLACEMENT_HINT}`);
    if (offsetsMm.some((mm) => point.areaScale(mm) < MIN_OFFSET_SCALE))
      throw refusal("bends too much for this depth: choose another place or a smaller depth_mm.");
    return point;
  };
}

/** Rays start this far below the surface, as a share of the depth. */
const SKIN_SHARE = 0.1;

/**
 * Whether the material below a sheet is thinner than `depthMm`: a wall ends, or a cavity begins. Probed by rays from
 * points `spacingMm` apart.
 */
export function piercesWall(
  bvh: Bvh,
  { vertices, triangles }: TextSheet,
  depthMm: number,
  spacingMm: number,
  progress: Progress,
): boolean {
  const skinMm = SKIN_SHARE * depthMm;
  for (let at = 0; at < triangles.length; at += 3) {
    progress.report(at / triangles.length);
    const [a, b, c] = triangles.slice(at, at + 3).map((vertex) => vertices[vertex]);
    const longest = Math.max(
      distance(a.position, b.position),
      distance(b.position, c.position),
      distance(c.position, a.position),
    );
    const pieces = Math.ceil(longest / spacingMm);
    for (let i = 0; i <= pieces; i++) {
      for (let k = 0; i + k <= pieces; k++) {
        const mix = (p: Vec3, q: Vec3, r: Vec3): Vec3 =>
          times(add(add(times(p, pieces - i - k), times(q, i)), times(r, k)), 1 / pieces);
        const inward = times(mix(a.normal, b.normal, c.normal), -1);
        const start = add(mix(a.position, b.position, c.position), times(inward, skinMm));
        if (raycast(bvh, start, inward, depthMm - skinMm)) return true;
      }
    }
  }
  return false;
}

/**
 * The closed solid between a sheet offset by `innerMm` and by `outerMm`, which is greater; negative offsets lead
 * inward.
 */
export function thickenSheet({ vertices, triangles }: TextSheet, innerMm: number, outerMm: number): Surface {
  const above = vertices.length;
  const facets: number[] = [];
  const sides = new Set<string>();
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = triangles.slice(at, at + 3);
    facets.push(a + above, b + above, c + above, a, c, b);
    for (const side of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) sides.add(side);
  }
  for (const side of sides) {
    const [a, b] = side.split(" ").map(Number);
    // A side without an opposite one is part of the rim.
    if (!sides.has(`${b} ${a}`)) facets.push(a, b, b + above, a, b + above, a + above);
  }
  const coordinates = [innerMm, outerMm].flatMap((mm) => vertices.flatMap((vertex) => offsetPoint(vertex, mm)));
  return { vertices: Float64Array.from(coordinates), triangles: Uint32Array.from(facets) };
}
