import type { Progress } from "../core/progress.ts";
import { type Pose, rotateVector, rotationMatrix } from "../geometry/pose.ts";
import { type Vec3, add, distance, lerp, triangleCentroid } from "../geometry/vector.ts";
import { visitNearbyTriangles } from "../mesh/bvh/placed-bvh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import {
  type MeshTree,
  type PlacedMeshTree,
  insidePoints,
  placeMeshTree,
  visitOverlaps,
} from "../mesh/bvh/interfere.ts";
import { type FindingPlace, newPlaceFinder } from "./finding-place.ts";
import { crossingPoints, nearestPoints, triangleAt } from "./triangle-contacts.ts";

/** Two models that interfere. */
export interface InterferingPair {
  /** The bodies of each: the model and its supports. */
  readonly one: readonly PlacedMesh[];
  readonly other: readonly PlacedMesh[];
  /** The trees of their meshes, by hash. */
  readonly trees: ReadonlyMap<string, MeshTree>;
  readonly offsetMm: number;
}

/** Contacts nearer to each other than this are one place. */
const CELL_MM = 0.5;
/** Maximum number of contacts: in surfaces that coincide, more would not change the picture. */
const MAX_CONTACTS = 200_000;

/**
 * The places where two models overlap: along the lines in which their surfaces intersect, where the surfaces coincide, or, if one
 * model is inside the other, on the inner one. Each point is in both models, within 2 µm. For models that are only nearer than the
 * offset: the middle between them.
 */
export function interferencePlaces(
  { one, other, trees, offsetMm }: InterferingPair,
  progress: Progress,
): FindingPlace[] {
  const finder = newPlaceFinder(CELL_MM);
  const pairs = one.flatMap((a) => other.map((b) => [a, b] as const));
  pairs.forEach(([a, b], i) => {
    const part = progress.part(i / pairs.length, (i + 1) / pairs.length);
    part.report(0);
    // The request has a tree for each mesh.
    const [solidA, solidB] = [a, b].map((body) => placeMeshTree(body, trees.get(body.mesh.hash)!, a.pose));
    const toScene = fromFrameOf(a.pose);
    const found = [overlapPoints, containedPoints, (...solids: Solids) => nearPoints(...solids, offsetMm)]
      .values()
      .map((pointsOf) => pointsOf(solidA, solidB, part))
      .find((points) => points.length > 0);
    for (const point of found ?? []) finder.add(...toScene(point));
  });
  return finder.parts().map((place) => ({ ...place, size: 0 }));
}

type Solids = readonly [a: PlacedMeshTree, b: PlacedMeshTree, progress: Progress];

/** Converts the coordinates in which `placeMeshTree` places bodies to scene coordinates. */
function fromFrameOf({ orientation, position }: Pose): (point: Vec3) => Vec3 {
  const rotation = rotationMatrix(orientation);
  return (point) => add(position, rotateVector(rotation, point));
}

/**
 * Points along the lines in which surfaces intersect; if there are none, points just inside the middles of facets that coincide with
 * the other solid.
 */
function overlapPoints(...[a, b, progress]: Solids): Vec3[] {
  const points: Vec3[] = [];
  const behind: Vec3[] = [];
  visitOverlaps(a, b, progress, {
    crossing(p, i, q, j) {
      points.push(...crossingPoints(triangleAt(p, i), triangleAt(q, j), CELL_MM / 2));
      return points.length < MAX_CONTACTS;
    },
    inside: (point) => behind.push(point) < MAX_CONTACTS,
  });
  return points.length > 0 ? points : behind;
}

const containedPoints = (...[a, b]: Solids): Vec3[] => [...insidePoints(a, b), ...insidePoints(b, a)];

function nearPoints(...[a, b, progress, limitMm]: [...Solids, limitMm: number]): Vec3[] {
  const points: Vec3[] = [];
  visitNearbyTriangles(a, b, limitMm, progress, (_slotA, _slotB, p, i, q, j) => {
    const corners = triangleAt(p, i);
    for (const start of [...corners, triangleCentroid(...corners)]) {
      const [onP, onQ] = nearestPoints(start, [p, i], [q, j]);
      if (distance(onP, onQ) < limitMm) points.push(lerp(onP, onQ, 0.5));
    }
    return points.length < MAX_CONTACTS;
  });
  return points;
}
