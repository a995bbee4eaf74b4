import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { toSceneSpace } from "../geometry/pose.ts";
import { type Vec3, distance, lerp } from "../geometry/vector.ts";
import { type Bvh, buildBvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { type Surface, placedSurface, vertexAt, vertexCount } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { standingBodies, touches } from "./standing-bodies.ts";

/** The existing supports of a model, whether generated or edited. */
export interface PlacedSupports {
  readonly placed: PlacedMesh;
  /** Touchpoints in the coordinates of the model's mesh. Empty where they are unknown. */
  readonly touchpoints: readonly PlacedTouch[];
  /** Diameter of touchpoints that are unknown. */
  readonly touchpointSizeMm: number;
}

/** A touchpoint and its diameter. */
export interface PlacedTouch {
  readonly position: Vec3;
  readonly sizeMm: number;
}

/**
 * A tip with a touchpoint of diameter d counts where the mesh of the supports is nearer to the touchpoint than d / 2 plus this
 * tolerance. Tips enter the model there; the tolerance is for rounding and for tips of few facets.
 */
const TOUCH_TOLERANCE_MM = 0.15;
/** Shares of the progress at which the standing bodies are known, and at which the search structure is built. */
const STANDING_SHARE = 0.5;
const TREE_SHARE = 0.5;
const VERTICES_PER_REPORT = 16_384;

/** A tip of existing supports. */
export interface StandingTip extends PlacedTouch {
  /** The foot of its pillar, if the pillar rests on the model itself. */
  readonly foot?: Vec3 | undefined;
}

/**
 * The points at which the supports of a model touch it, in scene coordinates: the touchpoints that the mesh of the supports still
 * reaches, or, if no touchpoints are known, one point for each place where the two meshes intersect. Only supports that rest on
 * something count ({@link standingBodies}); undefined if there are none.
 */
export function standingTips(
  { placed: supports, touchpoints, touchpointSizeMm }: PlacedSupports,
  model: PlacedMesh,
  layerThicknessMm: number,
  progress: Progress,
): StandingTip[] | undefined {
  const modelSurface = placedSurface(model);
  const finding = progress.part(0, STANDING_SHARE);
  const standing = standingBodies(placedSurface(supports), modelSurface, layerThicknessMm, finding);
  if (standing.length === 0) return undefined;
  const reachOf = (sizeMm: number): number => sizeMm / 2 + TOUCH_TOLERANCE_MM;
  const tips: StandingTip[] = [];
  let open = touchpoints.map(({ position, sizeMm }) => ({ position: toSceneSpace(model, position), sizeMm }));
  for (const [i, { surface, foot }] of standing.entries()) {
    const part = (share: number): number => STANDING_SHARE + ((1 - STANDING_SHARE) * share) / standing.length;
    const searching = progress.part(part(i), part(i + 1));
    if (touchpoints.length === 0) {
      const points = enteringPoints(surface, modelSurface, touchpointSizeMm, searching);
      // The foot enters the model as well.
      const aboveMm = foot ? foot[2] + reachOf(touchpointSizeMm) : -Infinity;
      const above = points.filter((point) => point[2] > aboveMm);
      tips.push(...above.map((position) => ({ position, sizeMm: touchpointSizeMm, foot })));
      continue;
    }
    const tree = buildBvh(surface, searching);
    const isReached = ({ position, sizeMm }: PlacedTouch): boolean =>
      distanceToSurface(tree, position, reachOf(sizeMm)) < reachOf(sizeMm);
    tips.push(...open.filter(isReached).map((touch) => ({ ...touch, foot })));
    open = open.filter((touch) => !isReached(touch));
  }
  return tips;
}

/** A point for each place where a tip of the supports is in the model, or the model in a tip. */
function enteringPoints(supports: Surface, model: Surface, touchpointSizeMm: number, progress: Progress): Vec3[] {
  const points = pointsInside(supports, model, progress.part(0, 0.5));
  for (const point of pointsInside(model, supports, progress.part(0.5, 1))) {
    const same = points.findIndex((other) => distance(point, other) < touchpointSizeMm);
    if (same < 0) points.push(point);
    else if (point[2] < points[same][2]) points[same] = point;
  }
  return points;
}

/** A point for each connected part of a surface that is inside another surface or touches it. */
function pointsInside(surface: Surface, other: Surface, progress: Progress): Vec3[] {
  const tree = buildBvh(other, progress.part(0, TREE_SHARE));
  const searching = progress.part(TREE_SHARE, 1);
  const count = vertexCount(surface);
  const isIn = new Uint8Array(count);
  for (let vertex = 0; vertex < count; vertex++) {
    if (vertex % VERTICES_PER_REPORT === 0) searching.report(vertex / count);
    isIn[vertex] = touches(tree, vertexAt(surface, vertex)) ? 1 : 0;
  }
  const sets = newDisjointSets(count);
  forEdges(surface, (a, b) => {
    if (isIn[a] && isIn[b]) sets.join(a, b);
  });
  const points = new Map<number, Vec3[]>();
  const add = (part: number, point: Vec3): void => void getOrInsert(points, part, () => []).push(point);
  for (let vertex = 0; vertex < count; vertex++) if (isIn[vertex]) add(sets.find(vertex), vertexAt(surface, vertex));
  forEdges(surface, (a, b) => {
    if (isIn[a] && !isIn[b]) add(sets.find(a), leaving(tree, vertexAt(surface, a), vertexAt(surface, b)));
  });
  return [...points.values()].map(lowMiddle);
}

/** The middle of points seen from above, at the height of the lowest. */
function lowMiddle(points: readonly Vec3[]): Vec3 {
  const [x, y] = points.reduce(([sumX, sumY], point) => [sumX + point[0], sumY + point[1]], [0, 0]);
  return [x / points.length, y / points.length, points.reduce((least, point) => Math.min(least, point[2]), Infinity)];
}

/** Calls back for both directions of each edge between two facets of a closed surface. */
function forEdges({ triangles }: Surface, visit: (a: number, b: number) => void): void {
  for (let corner = 0; corner < triangles.length; corner++) {
    visit(triangles[corner], triangles[corner % 3 === 2 ? corner - 2 : corner + 1]);
  }
}

/** Halvings that locate a point on an edge of some mm to about a hundredth of a mm. */
const HALVINGS = 10;

/** The point at which the line from a point inside a surface to a point outside leaves the surface. */
function leaving(tree: Bvh, inside: Vec3, outside: Vec3): Vec3 {
  let [within, beyond] = [inside, outside];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = lerp(within, beyond, 0.5);
    if (touches(tree, middle)) within = middle;
    else beyond = middle;
  }
  return within;
}
