import { add, ORIGIN } from "../../core/geometry.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { firstAbove } from "../../slice/facet-index.ts";
import type { SpanGrid } from "../../slice/span-layers.ts";
import { areaNormalOf, directionOf, type SurfacePoint, vertexAt } from "./surface-point.ts";

/** A vertex that lies no higher than any it shares an edge with. */
export interface LowPoint extends SurfacePoint {
  /** The pixel that it lies in. */
  readonly pixel: number;
}

/** The low points of a surface in scene coordinates, by the first layer whose middle lies above them. */
export function lowPointsOf(surface: Surface, middlesMm: Float64Array, grid: SpanGrid): Map<number, LowPoint[]> {
  const { vertices, triangles } = surface;
  const isLow = new Uint8Array(vertices.length / 3);
  for (const vertex of triangles) isLow[vertex] = 1;
  for (let at = 0; at < triangles.length; at++) {
    const from = triangles[at];
    const to = triangles[at % 3 === 2 ? at - 2 : at + 1];
    const rise = vertices[3 * to + 2] - vertices[3 * from + 2];
    if (rise !== 0) isLow[rise > 0 ? to : from] = 0;
  }
  const byLayer = new Map<number, LowPoint[]>();
  for (const [vertex, facets] of facetsAround(triangles, isLow)) {
    const position = vertexAt(surface, vertex);
    const normal = directionOf(facets.map((facet) => areaNormalOf(surface, facet)).reduce(add, ORIGIN));
    const column = Math.floor((position[0] - grid.leftMm) / grid.pixelMm);
    const row = Math.floor((grid.backMm - position[1]) / grid.pixelMm);
    const point = { position, normal, pixel: row * grid.columns + column };
    const layer = firstAbove(middlesMm, position[2]);
    const others = byLayer.get(layer);
    if (others) others.push(point);
    else byLayer.set(layer, [point]);
  }
  return byLayer;
}

/** The facets around each vertex that is asked for. */
function facetsAround(triangles: Uint32Array, isAsked: Uint8Array): Map<number, number[]> {
  const around = new Map<number, number[]>();
  for (let at = 0; at < triangles.length; at++) {
    if (isAsked[triangles[at]] === 0) continue;
    const facet = Math.floor(at / 3);
    const others = around.get(triangles[at]);
    if (others) others.push(facet);
    else around.set(triangles[at], [facet]);
  }
  return around;
}
