import { memoize } from "../../core/memoize.ts";
import { nextHalfedge } from "../../geometry/halfedge.ts";
import { type Vec3, add, dot, times } from "../../geometry/vector.ts";
import { floodFace } from "../../mesh/flood-face.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { packedNormal } from "./brushed-facets.ts";
import type { PackedMesh } from "./packed-mesh.ts";
import { firstHit } from "./surface-hits.ts";

/** A face of a mesh: its facets, in the order in which they are reached. */
export interface MeshFace {
  readonly facets: readonly number[];
  has(facet: number): boolean;
}

const NONE = 0xffff_ffff;

/** For each halfedge of a mesh the opposite one, if exactly two meet at the edge; else {@link NONE}. Facets with a repeated corner have no edges. */
const oppositesOf = memoize(({ positions, triangles }: PackedMesh): Uint32Array => {
  const from = (h: number): number => triangles[h]!;
  const to = (h: number): number => triangles[nextHalfedge(h)]!;
  const hasEdges = (h: number): boolean => {
    const t = h - (h % 3);
    return from(t) !== from(t + 1) && from(t + 1) !== from(t + 2) && from(t + 2) !== from(t);
  };
  // Halfedges by the smaller of their vertices, which few have in common.
  const starts = new Uint32Array(positions.length / 3 + 2);
  for (let h = 0; h < triangles.length; h++) if (hasEdges(h)) starts[Math.min(from(h), to(h)) + 2]!++;
  for (let v = 2; v < starts.length; v++) starts[v]! += starts[v - 1]!;
  const sorted = new Uint32Array(triangles.length);
  for (let h = 0; h < triangles.length; h++) if (hasEdges(h)) sorted[starts[Math.min(from(h), to(h)) + 1]!++] = h;
  const opposite = new Uint32Array(triangles.length).fill(NONE);
  for (let v = 0; v + 2 < starts.length; v++) {
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const far = Math.max(from(sorted[i]!), to(sorted[i]!));
      let [count, other] = [0, NONE];
      for (let k = starts[v]!; k < starts[v + 1]!; k++) {
        if (Math.max(from(sorted[k]!), to(sorted[k]!)) !== far) continue;
        count++;
        if (k !== i) other = sorted[k]!;
      }
      if (count === 2) opposite[sorted[i]!] = other;
    }
  }
  return opposite;
});

/** Faces of each mesh for one angle: those that were asked for last, newest first. */
const recentFaces = new WeakMap<PackedMesh, { readonly angleDeg: number; readonly faces: readonly MeshFace[] }>();
/** A pointer that goes to and fro finds its faces again; each takes up to the size of the mesh. */
const MOST_RECENT = 8;

/** The face around a facet. Faces that contain a facet are equal, so that a known one is not looked for again. */
export function faceAround(mesh: PackedMesh, facet: number, angleDeg: number): MeshFace {
  const recent = recentFaces.get(mesh);
  const faces = recent?.angleDeg === angleDeg ? recent.faces : [];
  const known = faces.find((face) => face.has(facet));
  if (known) return known;
  const surface = { vertices: mesh.positions, triangles: mesh.triangles };
  const facets = floodFace(surface, oppositesOf(mesh), facet, angleDeg);
  const members = new Set(facets);
  const face: MeshFace = { facets, has: (one) => members.has(one) };
  recentFaces.set(mesh, { angleDeg, faces: [face, ...faces].slice(0, MOST_RECENT) });
  return face;
}

/** How far outside the surface the facet of a face is looked for: so it is one that faces there. */
const OUTSET_MM = 1e-3;
/** The places of files are rounded to nanometres, and a ray may pass between two facets: it is tried beside as well. */
const ASIDE_MM = 1e-4;

/** The face of an area; undefined if the mesh has no facet there that faces its normal. */
export function faceOf(mesh: PackedMesh, shape: Extract<AreaShape, { kind: "FACE" }>): MeshFace | undefined {
  const { point, normal, angleDeg } = shape;
  const asides: readonly Vec3[] = [
    [0, 0, 0],
    [ASIDE_MM, ASIDE_MM / 2, ASIDE_MM / 3],
    [-ASIDE_MM / 2, -ASIDE_MM / 3, ASIDE_MM],
  ];
  for (const aside of asides) {
    const origin = add(add(point, times(normal, OUTSET_MM)), aside);
    const hit = firstHit(mesh, { origin, direction: times(normal, -1) }, { from: 0, to: 2 * OUTSET_MM });
    if (hit && dot(packedNormal(mesh, hit.facet), normal) > 0) return faceAround(mesh, hit.facet, angleDeg);
  }
  return undefined;
}
