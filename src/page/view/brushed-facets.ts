import { type SurfaceCapsule, LEAST_COSINE, capsulesBetween, coversPlace } from "../../geometry/surface-capsule.ts";
import { type Vec3, dot, triangleNormal, unitOrZero } from "../../geometry/vector.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { FACETS_OF_BLOCK, facetBlocks } from "./facet-blocks.ts";
import { type PackedMesh, packedVertexAt } from "./packed-mesh.ts";

// Brushed areas of a mesh, in its coordinates.

/** The pieces of a brushed shape; none of a face. */
export function capsulesOf(shape: AreaShape): SurfaceCapsule[] {
  if (shape.kind === "FACE") return [];
  if (shape.kind === "BALL") return capsulesBetween([{ point: shape.centre, normal: shape.normal }], shape.radius);
  const ends = shape.points.flatMap((point, i) => {
    const normal = shape.normals[i];
    return normal ? [{ point, normal }] : [];
  });
  return capsulesBetween(ends, shape.radius);
}

/** Corners of a facet. */
export const packedCorners = ({ positions, triangles }: PackedMesh, facet: number): [a: Vec3, b: Vec3, c: Vec3] => [
  packedVertexAt(positions, triangles[3 * facet]!),
  packedVertexAt(positions, triangles[3 * facet + 1]!),
  packedVertexAt(positions, triangles[3 * facet + 2]!),
];

/** Outward unit normal of a facet; zero if it has no area. */
export const packedNormal = (mesh: PackedMesh, facet: number): Vec3 =>
  unitOrZero(triangleNormal(...packedCorners(mesh, facet)));

/**
 * The facets that may have places in a capsule: those whose box meets its box, and whose normal is within 90° of that of one of its ends.
 * `coversPlace` decides about their places.
 */
function facetsNear(mesh: PackedMesh, capsule: SurfaceCapsule): number[] {
  const { positions, triangles } = mesh;
  const blocks = facetBlocks(triangles, positions);
  const { min, max } = capsuleBox(capsule);
  const near: number[] = [];
  for (let block = 0; 6 * block < blocks.length; block++) {
    if (!areBoxesTouching(packedVertexAt(blocks, 2 * block), packedVertexAt(blocks, 2 * block + 1), min, max)) continue;
    const end = Math.min(triangles.length / 3, FACETS_OF_BLOCK * (block + 1));
    for (let facet = FACETS_OF_BLOCK * block; facet < end; facet++) {
      if (isFacetTouching(positions, triangles, 3 * facet, min, max) && facesAlike(mesh, facet, capsule))
        near.push(facet);
    }
  }
  return near;
}

/** The facets of a capsule: those that it covers wholly, and those of which it may cover a part. */
export interface BrushedFacets {
  readonly whole: readonly number[];
  readonly rim: readonly number[];
}

interface KnownBrush extends BrushedFacets {
  readonly mesh: PackedMesh;
  readonly capsule: SurfaceCapsule;
}

/** By the place at the end of a capsule, which is the same object while the stroke is drawn, and after it. */
const known = new WeakMap<Vec3, KnownBrush>();

export function brushedFacets(mesh: PackedMesh, capsule: SurfaceCapsule): BrushedFacets {
  const { from, to, radiusMm } = capsule;
  const old = known.get(to.point);
  if (old?.mesh === mesh && old.capsule.from.point === from.point && old.capsule.radiusMm === radiusMm) return old;
  const [whole, rim]: [number[], number[]] = [[], []];
  for (const facet of facetsNear(mesh, capsule)) {
    const corners = packedCorners(mesh, facet);
    const normal = unitOrZero(triangleNormal(...corners));
    // A capsule is convex: with the corners of a facet it has all of it, if the facet faces both ends.
    const facesBoth = dot(normal, from.normal) > LEAST_COSINE && dot(normal, to.normal) > LEAST_COSINE;
    const isWhole = facesBoth && corners.every((corner) => coversPlace(capsule, corner, normal));
    (isWhole ? whole : rim).push(facet);
  }
  const found = { mesh, capsule, whole, rim };
  known.set(to.point, found);
  return found;
}

function capsuleBox({ from, to, radiusMm }: SurfaceCapsule): { readonly min: Vec3; readonly max: Vec3 } {
  const [a, b] = [from.point, to.point];
  const [low, high] = [
    (axis: 0 | 1 | 2): number => Math.min(a[axis], b[axis]) - radiusMm,
    (axis: 0 | 1 | 2): number => Math.max(a[axis], b[axis]) + radiusMm,
  ];
  return { min: [low(0), low(1), low(2)], max: [high(0), high(1), high(2)] };
}

const areBoxesTouching = (aMin: Vec3, aMax: Vec3, bMin: Vec3, bMax: Vec3): boolean =>
  aMin[0] <= bMax[0] &&
  aMax[0] >= bMin[0] &&
  aMin[1] <= bMax[1] &&
  aMax[1] >= bMin[1] &&
  aMin[2] <= bMax[2] &&
  aMax[2] >= bMin[2];

/** Whether the box of the facet at `t` touches a box. Does not allocate, since it runs for each facet of a block. */
function isFacetTouching(positions: Float32Array, triangles: Uint32Array, t: number, min: Vec3, max: Vec3): boolean {
  const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
  for (let axis = 0; axis < 3; axis++) {
    const [p, q, r] = [positions[a + axis]!, positions[b + axis]!, positions[c + axis]!];
    if (Math.min(p, q, r) > max[axis]! || Math.max(p, q, r) < min[axis]!) return false;
  }
  return true;
}

function facesAlike(mesh: PackedMesh, facet: number, { from, to }: SurfaceCapsule): boolean {
  const normal = packedNormal(mesh, facet);
  return dot(normal, from.normal) > LEAST_COSINE || dot(normal, to.normal) > LEAST_COSINE;
}
