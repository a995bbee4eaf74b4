import { type Progress, STEPS_PER_REPORT } from "../../core/progress.ts";
import { boxCentre } from "../../geometry/box.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { type Pose, rotateVector, rotationMatrix, transpose } from "../../geometry/pose.ts";
import { type Mat3, type Vec3, exactLength, mapMat3, subtract, times } from "../../geometry/vector.ts";
import { type Mesh, isDegenerateFacet, vertexCount } from "../mesh.ts";
import type { PlacedMesh } from "../placed-mesh.ts";
import { type Bvh, buildSharedBvh } from "./bvh.ts";
import { type PlacedBvh, placeTriangle, toBvhSpace, visitNearbyTriangles } from "./placed-bvh.ts";
import { squaredTriangleDistance } from "./segment-distance.ts";
import { trianglesIntersect } from "./triangles-intersect.ts";
import { areTrianglesNearer } from "./triangles-nearer.ts";
import { windingNumber } from "./winding-number.ts";

/** The hierarchy of a mesh in the coordinates of the model, in shared memory. */
export interface MeshTree {
  readonly tree: Bvh;
  /** For each vertex-connected part of the mesh, one facet with area, as its slot in the tree. */
  readonly partFacets: Uint32Array;
}

export function meshTree(mesh: Mesh, progress: Progress): MeshTree {
  const tree = buildSharedBvh(mesh, progress);
  progress.report(1);
  return { tree, partFacets: partFacetsOf(mesh, tree.facets, progress) };
}

function partFacetsOf(mesh: Mesh, facets: Uint32Array, progress: Progress): Uint32Array {
  const { triangles } = mesh;
  const sets = newDisjointSets(vertexCount(mesh));
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * STEPS_PER_REPORT) === 0) progress.report(1);
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const isKnown = new Uint8Array(vertexCount(mesh));
  const found: number[] = [];
  for (const [slot, facet] of facets.entries()) {
    if (slot % STEPS_PER_REPORT === 0) progress.report(1);
    const part = sets.find(triangles[3 * facet]);
    if (isKnown[part] === 1 || isDegenerateFacet(mesh, facet)) continue;
    isKnown[part] = 1;
    found.push(slot);
  }
  return Uint32Array.from(found);
}

/** The hierarchy of a placed mesh. */
export interface PlacedMeshTree extends PlacedBvh {
  readonly partFacets: Uint32Array;
  /** −1 for a mesh that is inside out, which counts as the inverted solid. */
  readonly facing: 1 | -1;
}

/**
 * Largest depth to which models may enter each other and still only touch: well above the rounding of coordinates to single precision
 * (0.1 µm at 300 mm), and the tolerance of in_bounds.
 */
export const TOUCH_TOLERANCE_MM = 1e-3;

/**
 * Places a mesh in the coordinates of another mesh's pose (`from`): single precision is finest near that mesh, and its boxes are not
 * rotated. Matrices are rounded: engines differ in the last bits of sines.
 */
export function placeMeshTree({ mesh, pose }: PlacedMesh, { tree, partFacets }: MeshTree, from: Pose): PlacedMeshTree {
  const back = transpose(roundedRotation(from));
  const [a, b, c, d, e, f, g, h, i] = roundedRotation(pose);
  const [x, y, z] = (
    [
      [a, d, g],
      [b, e, h],
      [c, f, i],
    ] as const
  ).map((column) => rotateVector(back, column));
  const rotation: Mat3 = [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
  const toCentre = rotateVector(rotation, times(boxCentre(mesh.box), pose.scale));
  const offset = subtract(rotateVector(back, subtract(pose.position, from.position)), toCentre);
  return { tree, partFacets, rotation, scale: pose.scale, offset, facing: mesh.volumeMm3 < 0 ? -1 : 1 };
}

const roundedRotation = ({ orientation }: Pose): Mat3 => mapMat3(rotationMatrix(orientation), Math.fround);

/**
 * Whether two solids overlap, one contains the other, or they are nearer to each other than `offsetMm`. Overlap and nearness must
 * exceed {@link TOUCH_TOLERANCE_MM}: solids that touch, or are exactly at the offset, do not interfere. A surface with gaps has no
 * certain inside, but its facets count.
 */
export function interfere(a: PlacedMeshTree, b: PlacedMeshTree, offsetMm: number, progress: Progress): boolean {
  if (insidePoints(a, b).next().value || insidePoints(b, a).next().value) return true;
  const limitMm = offsetMm - TOUCH_TOLERANCE_MM;
  return limitMm > 0 ? areNearer(a, b, limitMm, progress) : doSurfacesOverlap(a, b, progress);
}

/** Number of facets that are sampled before all facets are tested: the samples detect most solids that overlap. */
const SAMPLES = 32;

/** Points of a solid that are inside the other one, just behind sampled facets and behind one facet of each of its parts. */
export function* insidePoints(solid: PlacedMeshTree, other: PlacedMeshTree): Generator<Vec3> {
  const { length } = solid.tree.facets;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const point = insideBehind(solid, Math.floor((length * sample) / SAMPLES), other);
    if (point) yield point;
  }
  for (const slot of solid.partFacets) {
    const point = insideBehind(solid, slot, other);
    if (point) yield point;
  }
}

const corners = new Float32Array(9);

/** The point just behind the centre of a facet, if it is inside the other solid; undefined for a facet without area. */
function insideBehind(solid: PlacedMeshTree, slot: number, other: PlacedMeshTree): Vec3 | undefined {
  placeTriangle(solid, slot, corners, 0);
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners;
  const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
  const normal: Vec3 = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const size = exactLength(normal);
  if (size === 0) return undefined;
  const behind = times(normal, (-solid.facing * TOUCH_TOLERANCE_MM) / size);
  const point: Vec3 = [ax + (ux + vx) / 3 + behind[0], ay + (uy + vy) / 3 + behind[1], az + (uz + vz) / 3 + behind[2]];
  return windingNumber(other.tree, toBvhSpace(other, point)) === 0 ? undefined : point;
}

function areNearer(a: PlacedMeshTree, b: PlacedMeshTree, limitMm: number, progress: Progress): boolean {
  const limit = limitMm * limitMm;
  let isFound = false;
  visitNearbyTriangles(a, b, limitMm, progress, (_slotA, _slotB, p, i, q, j) => {
    isFound = areTrianglesNearer(p, i, q, j, limit);
    return !isFound;
  });
  return isFound;
}

function doSurfacesOverlap(a: PlacedMeshTree, b: PlacedMeshTree, progress: Progress): boolean {
  let isFound = false;
  const found = (): boolean => {
    isFound = true;
    return false;
  };
  visitOverlaps(a, b, progress, { crossing: found, inside: found });
  return isFound;
}

/** Receives the places where surfaces overlap. Each function returns whether to continue. */
export interface InterferenceVisitor {
  /** Two facets that intersect, as their corners from `i` of `p` and from `j` of `q`. */
  crossing(p: Float32Array, i: number, q: Float32Array, j: number): boolean;
  /** A point of one solid that is inside the other. */
  inside(point: Vec3): boolean;
}

/**
 * Visits facets that intersect deeper than the tolerance, and points behind facets that touch the other solid and are inside it. The
 * points detect surfaces that coincide and face the same way, or that intersect only along edges. Facets that touch nothing are on the
 * same side as their connected facets.
 */
export function visitOverlaps(
  a: PlacedMeshTree,
  b: PlacedMeshTree,
  progress: Progress,
  visitor: InterferenceVisitor,
): void {
  const limit = TOUCH_TOLERANCE_MM * TOUCH_TOLERANCE_MM;
  const seenA = new Set<number>();
  const seenB = new Set<number>();
  const insideAnew = (
    solid: PlacedMeshTree,
    slot: number,
    seen: Set<number>,
    other: PlacedMeshTree,
  ): Vec3 | undefined => {
    if (seen.has(slot)) return undefined;
    seen.add(slot);
    return insideBehind(solid, slot, other);
  };
  visitNearbyTriangles(a, b, TOUCH_TOLERANCE_MM, progress, (slotA, slotB, p, i, q, j) => {
    if (penetrationDepth(p, i, q, j) > TOUCH_TOLERANCE_MM && trianglesIntersect(p, i, q, j)) {
      return visitor.crossing(p, i, q, j);
    }
    if ((seenA.has(slotA) && seenB.has(slotB)) || squaredTriangleDistance(p, i, q, j, limit) >= limit) return true;
    const point = insideAnew(a, slotA, seenA, b) ?? insideAnew(b, slotB, seenB, a);
    return point === undefined || visitor.inside(point);
  });
}

/**
 * An upper bound of how far two intersecting triangles must be moved apart, mm: along the normal of either. Not positive if
 * one is on one side of the plane of the other, or has no area. Unrolled, because it runs for every pair of nearby triangles.
 */
function penetrationDepth(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const depth = depthThrough(a, i, b, j);
  return depth > 0 ? Math.min(depth, depthThrough(b, j, a, i)) : depth;
}

/** How far the second triangle extends beyond the plane of the first, on the side with the smaller extent. */
function depthThrough(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const ux = a[i + 3] - a[i];
  const uy = a[i + 4] - a[i + 1];
  const uz = a[i + 5] - a[i + 2];
  const vx = a[i + 6] - a[i];
  const vy = a[i + 7] - a[i + 1];
  const vz = a[i + 8] - a[i + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (size === 0) return 0;
  let above = -Infinity;
  let below = -Infinity;
  for (let corner = j; corner < j + 9; corner += 3) {
    const height = nx * (b[corner] - a[i]) + ny * (b[corner + 1] - a[i + 1]) + nz * (b[corner + 2] - a[i + 2]);
    if (height > above) above = height;
    if (-height > below) below = -height;
  }
  return Math.min(above, below) / size;
}
