import type { Progress } from "../core/progress.ts";
import { boxOf } from "../geometry/box.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { toSceneSpace } from "../geometry/pose.ts";
import { type Vec3, distance } from "../geometry/vector.ts";
import { type Bvh, buildBvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { windingNumber } from "../mesh/bvh/winding-number.ts";
import { type Surface, placedSurface, vertexAt, vertexCount } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

/** The supports of a model as they are there, whoever made or changed them. */
export interface PlacedSupports {
  readonly placed: PlacedMesh;
  /** In the coordinates of the model's mesh. Empty where they are not known. */
  readonly touchpoints: readonly Vec3[];
  /** Diameter of a touch. */
  readonly touchpointSizeMm: number;
}

/**
 * A tip of a touch of diameter d counts where the mesh of the supports is nearer to its touchpoint than d / 2 plus this.
 * Tips enter the model there; this is for rounding and for tips that are made of few facets.
 */
const TOUCH_TOLERANCE_MM = 0.15;
/** Vertices of supports this near to the model touch it, where touchpoints are not known. */
const CONTACT_MM = 0.05;
/** Share of the progress at which the search structure is built. */
const TREE_SHARE = 0.5;
const VERTICES_PER_REPORT = 16_384;

/**
 * Where the supports of a model really touch it, in scene coordinates: at the touchpoints that their mesh still reaches, or,
 * where no touchpoints are known, at one point for each place where the two meshes enter each other. Undefined where the
 * supports do not reach down into the first layer: then they hold nothing.
 */
export function standingTips(
  { placed: supports, touchpoints, touchpointSizeMm }: PlacedSupports,
  model: PlacedMesh,
  layerThicknessMm: number,
  progress: Progress,
): Vec3[] | undefined {
  const solid = placedSurface(supports);
  if (boxOf(solid.vertices).min[2] > layerThicknessMm) return undefined;
  if (touchpoints.length === 0) return enteringPoints(solid, placedSurface(model), touchpointSizeMm, progress);
  const tree = buildBvh(solid, progress);
  const reachMm = touchpointSizeMm / 2 + TOUCH_TOLERANCE_MM;
  const isReached = (point: Vec3): boolean => distanceToSurface(tree, point, reachMm) < reachMm;
  return touchpoints.map((point) => toSceneSpace(model, point)).filter(isReached);
}

/** The lowest point of each place where the tips of supports are in a model, or the model's in them. */
function enteringPoints(supports: Surface, model: Surface, touchpointSizeMm: number, progress: Progress): Vec3[] {
  const points = lowestInside(supports, model, progress.part(0, 0.5));
  for (const point of lowestInside(model, supports, progress.part(0.5, 1))) {
    const same = points.findIndex((other) => distance(point, other) < touchpointSizeMm);
    if (same < 0) points.push(point);
    else if (point[2] < points[same][2]) points[same] = point;
  }
  return points;
}

/** The lowest vertex of each connected part of a surface that is inside another one, or touches it. */
function lowestInside(surface: Surface, other: Surface, progress: Progress): Vec3[] {
  const tree = buildBvh(other, progress.part(0, TREE_SHARE));
  const searching = progress.part(TREE_SHARE, 1);
  const count = vertexCount(surface);
  const isIn = new Uint8Array(count);
  for (let vertex = 0; vertex < count; vertex++) {
    if (vertex % VERTICES_PER_REPORT === 0) searching.report(vertex / count);
    isIn[vertex] = touches(tree, vertexAt(surface, vertex)) ? 1 : 0;
  }
  const sets = newDisjointSets(count);
  const { triangles, vertices } = surface;
  for (let corner = 0; corner < triangles.length; corner++) {
    const [a, b] = [triangles[corner], triangles[corner % 3 === 2 ? corner - 2 : corner + 1]];
    if (isIn[a] && isIn[b]) sets.join(a, b);
  }
  const lowest = new Map<number, number>();
  for (let vertex = 0; vertex < count; vertex++) {
    if (!isIn[vertex]) continue;
    const root = sets.find(vertex);
    const known = lowest.get(root);
    if (known === undefined || vertices[3 * vertex + 2] < vertices[3 * known + 2]) lowest.set(root, vertex);
  }
  return [...lowest.values()].map((vertex) => vertexAt(surface, vertex));
}

/** Whether a point is inside a closed surface, or next to it. */
const touches = (tree: Bvh, point: Vec3): boolean =>
  windingNumber(tree, point) > 0 || distanceToSurface(tree, point, CONTACT_MM) < CONTACT_MM;
