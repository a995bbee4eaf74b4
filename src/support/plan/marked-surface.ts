import { lazy } from "../../core/memoize.ts";
import { noProgress } from "../../core/progress.ts";
import { rotateVector, rotationMatrix, toSceneSpace } from "../../geometry/pose.ts";
import { type SurfaceCapsule, capsulesBetween } from "../../geometry/surface-capsule.ts";
import { add, dot, times } from "../../geometry/vector.ts";
import { type Bvh, buildBvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";
import { oppositeHalfedges } from "../../mesh/edges.ts";
import { floodFace } from "../../mesh/flood-face.ts";
import { type Surface, facetNormal, vertexCount } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { type SurfacePoint, unitNormal } from "../points/underside.ts";
import { CapsuleGrid } from "./capsule-grid.ts";
import type { AreaShape, SupportArea } from "./support-area.ts";

/** The areas of a surface in scene coordinates. */
export interface MarkedSurface {
  /** Whether nothing may touch the surface at a point. */
  isBarred(point: SurfacePoint): boolean;
  /** Whether touchpoints are half as far apart at a point. */
  isDense(point: SurfacePoint): boolean;
}

/** Points this near to the facets of a face are on them, mm: surfaces have single precision. */
const ON_FACE_MM = 1e-3;

/**
 * The areas of a model on its surface, which is where `placed` puts it. `tree` gives the tree of the surface, which only faces need. Undefined if
 * there are no areas.
 */
export function markSurface(
  surface: Surface,
  areas: readonly SupportArea[] | undefined,
  placed: PlacedMesh,
  tree: () => Bvh = lazy(() => buildBvh(surface, noProgress)),
): MarkedSurface | undefined {
  if (!areas || areas.length === 0) return undefined;
  const marksOf = (mode: SupportArea["mode"]): ((point: SurfacePoint) => boolean) => {
    const shapes = areas.filter((area) => area.mode === mode).map(({ shape }) => shape);
    const capsules = new CapsuleGrid(shapes.flatMap((shape) => capsulesOf(shape, placed)));
    const isOnFace = faceTest(surface, shapes, placed, tree);
    return (point) => capsules.covers(point) || isOnFace(point);
  };
  return { isBarred: marksOf("NEVER"), isDense: marksOf("ALWAYS") };
}

function capsulesOf(shape: AreaShape, placed: PlacedMesh): SurfaceCapsule[] {
  if (shape.kind === "FACE") return [];
  const { scale, orientation } = placed.pose;
  const rotation = rotationMatrix(orientation);
  const [points, normals] = shape.kind === "BALL" ? [[shape.centre], [shape.normal]] : [shape.points, shape.normals];
  const ends = points.map((point, i) => ({
    point: toSceneSpace(placed, point),
    normal: rotateVector(rotation, normals[i]),
  }));
  return capsulesBetween(ends, shape.radius * scale);
}

/** Whether a point is on one of the faces among the shapes. */
function faceTest(
  surface: Surface,
  shapes: readonly AreaShape[],
  placed: PlacedMesh,
  tree: () => Bvh,
): (point: SurfacePoint) => boolean {
  const facets = new Set<number>();
  const opposite = lazy(() => oppositeHalfedges(surface.triangles, vertexCount(surface)));
  for (const shape of shapes) {
    if (shape.kind !== "FACE") continue;
    const seed = seedOf(surface, shape, placed, tree());
    if (seed === undefined) continue;
    for (const facet of floodFace(surface, opposite(), seed, shape.angleDeg)) facets.add(facet);
  }
  if (facets.size === 0) return () => false;
  const face: Surface = {
    vertices: surface.vertices,
    triangles: Uint32Array.from(
      [...facets].flatMap((facet) => [0, 1, 2].map((corner) => surface.triangles[3 * facet + corner])),
    ),
  };
  const faceTree = buildBvh(face, noProgress);
  return ({ position, normal }) => {
    const nearest = closestPoint(faceTree, position, ON_FACE_MM);
    return nearest !== undefined && dot(facetNormal(face, nearest.facet), normal) > 0;
  };
}

/** How far outside the surface a face is looked for, mm: so the nearest facet is one that faces there. */
const OUTSET_MM = 1e-3;

/** The facet at the point of a face; undefined if the nearest one faces away from its normal. */
function seedOf(
  surface: Surface,
  { point, normal }: Extract<AreaShape, { kind: "FACE" }>,
  placed: PlacedMesh,
  tree: Bvh,
): number | undefined {
  const towards = rotateVector(rotationMatrix(placed.pose.orientation), normal);
  const outside = add(toSceneSpace(placed, point), times(towards, OUTSET_MM));
  const { facet } = closestPoint(tree, outside, Infinity)!;
  return dot(unitNormal(facetNormal(surface, facet)), towards) > 0 ? facet : undefined;
}
