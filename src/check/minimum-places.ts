import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { upperBound } from "../geometry/binary-search.ts";
import type { SpanGrid } from "../geometry/spans.ts";
import { poseTransform } from "../geometry/transform.ts";
import { type Vec3, distance, distanceXy } from "../geometry/vector.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import type { BodyGroup } from "./body-group.ts";
import { type LayerRegion, placeOfRegion } from "./layer-region.ts";
import type { FindingPlace } from "./finding-place.ts";

/** Vertices less than this above the lowest vertex count as equally low: rounding of coordinates. */
const LEVEL_MM = 1e-3;

/** A region, and the lowest vertex found for it so far. */
interface Beginning {
  readonly region: FindingPlace;
  readonly heightMm: number;
  /** Largest distance of the vertices of the region from its middle. */
  readonly reachMm: number;
  vertex?: Vec3;
}

/**
 * The places of regions of layers that begin in mid-air: the lowest vertex of the model below the region and above the previous layer,
 * or the middle of the region where there is no such vertex, as in repaired meshes.
 */
export function minimumPlaces(
  regions: readonly LayerRegion[],
  { group: { bodies, boundariesMm }, model, grid }: { group: BodyGroup; model: number; grid: SpanGrid },
  progress: Progress,
): FindingPlace[] {
  if (regions.length === 0) return [];
  const heightsMm = midHeightsMm(boundariesMm);
  const beginnings = regions.map((region): Beginning => {
    const place = placeOfRegion(region, grid, heightsMm[region.layer], 0);
    // A surface that begins at a vertex extends further than this only where it is flatter than 14°, and then it is visible next to
    // the place.
    const reachMm = place.radiusMm + grid.pixelMm + 4 * (heightsMm[region.layer] - heightsMm[region.layer - 1]);
    return { region: place, heightMm: heightsMm[region.layer], reachMm };
  });
  const byLayer = Map.groupBy(beginnings, ({ heightMm }) => upperBound(heightsMm, heightMm) - 1);
  for (const { placed } of bodies.filter((body) => body.model === model && !body.isSupport)) {
    forEachVertex(placed, progress, (vertex) => {
      const last = upperBound(heightsMm, vertex[2] + LEVEL_MM);
      for (let layer = upperBound(heightsMm, vertex[2] - LEVEL_MM); layer <= last; layer++) {
        for (const beginning of byLayer.get(layer) ?? []) if (isBetter(vertex, beginning)) beginning.vertex = vertex;
      }
    });
  }
  return beginnings.map(({ region, vertex }) =>
    vertex ? { ...region, point: vertex, radiusMm: region.radiusMm + distance(region.point, vertex) } : region,
  );
}

function isBetter(vertex: Vec3, { region: { point }, reachMm, vertex: best }: Beginning): boolean {
  const awayMm = distanceXy(vertex, point);
  if (awayMm > reachMm) return false;
  if (!best || vertex[2] < best[2] - LEVEL_MM) return true;
  return vertex[2] <= best[2] + LEVEL_MM && awayMm < distanceXy(best, point);
}

function forEachVertex(placed: PlacedMesh, progress: Progress, visit: (vertex: Vec3) => void): void {
  const { vertices } = placed.mesh;
  const [a, d, g, b, e, h, c, f, i, u, v, w] = poseTransform(placed);
  for (let at = 0; at < vertices.length; at += 3) {
    if (at % (3 * STEPS_PER_REPORT) === 0) progress.report(at / vertices.length);
    const [x, y, z] = [vertices[at], vertices[at + 1], vertices[at + 2]];
    visit([a * x + b * y + c * z + u, d * x + e * y + f * z + v, g * x + h * y + i * z + w]);
  }
}
