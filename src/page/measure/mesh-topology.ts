import { nextHalfedge } from "../../geometry/halfedge.ts";
import { type Vec3, triangleNormal } from "../../geometry/vector.ts";
import { packedCorners } from "../view/brushed-facets.ts";
import { type PackedMesh, packedVertexAt } from "../view/packed-mesh.ts";
import { PER_SLICE, type Slices } from "./slices.ts";

/**
 * Which facets of a mesh share vertices. Halfedge 3 f + i is the side of facet f that begins at its corner i. What is across a side is
 * found among the facets at its end, so that a mesh of a million facets needs no table of its edges.
 */
export interface MeshTopology extends PackedMesh {
  /** The halfedges that begin at vertex v are `halfedges[from[v]]` to `halfedges[from[v + 1] - 1]`. */
  readonly from: Uint32Array;
  readonly halfedges: Uint32Array;
  /** Places that differ by less are the same: coordinates have single precision, mesh units. */
  readonly rounding: number;
}

/** Four units in the last place of single precision, relative to the largest coordinate. */
const ROUNDING = 2 ** -21;

export function* newTopology(mesh: PackedMesh): Slices<MeshTopology> {
  const { positions, triangles, box } = mesh;
  const from = new Uint32Array(positions.length / 3 + 1);
  for (const [i, vertex] of triangles.entries()) {
    from[vertex + 1]!++;
    if (i % PER_SLICE === 0) yield;
  }
  for (let v = 1; v < from.length; v++) from[v]! += from[v - 1]!;
  const next = from.slice();
  const halfedges = new Uint32Array(triangles.length);
  for (const [i, vertex] of triangles.entries()) {
    halfedges[next[vertex]!++] = i;
    if (i % PER_SLICE === 0) yield;
  }
  const largest = Math.max(...box.min.map(Math.abs), ...box.max.map(Math.abs));
  return { ...mesh, from, halfedges, rounding: ROUNDING * largest };
}

export const startOf = ({ triangles }: MeshTopology, side: number): number => triangles[side]!;

export const endOf = ({ triangles }: MeshTopology, side: number): number => triangles[nextHalfedge(side)]!;

export const pointAt = ({ positions }: MeshTopology, vertex: number): Vec3 => packedVertexAt(positions, vertex);

/** The halfedges that begin at a vertex. */
export const sidesAt = ({ from, halfedges }: MeshTopology, vertex: number): Uint32Array =>
  halfedges.subarray(from[vertex]!, from[vertex + 1]!);

/** The opposite halfedge; -1 where the edge does not join exactly two facets in opposite directions. */
export function across(topology: MeshTopology, side: number): number {
  const { triangles, from, halfedges } = topology;
  const [a, b] = [startOf(topology, side), endOf(topology, side)];
  let found = -1;
  for (let i = from[b]!; i < from[b + 1]!; i++) {
    const other = halfedges[i]!;
    if (triangles[nextHalfedge(other)] !== a) continue;
    if (found >= 0) return -1;
    found = other;
  }
  for (let i = from[a]!; i < from[a + 1]!; i++) {
    const other = halfedges[i]!;
    if (other !== side && triangles[nextHalfedge(other)] === b) return -1;
  }
  return found;
}

/** Outward normal of a facet; its length is twice the area. */
export const facetNormal = (mesh: PackedMesh, facet: number): Vec3 => triangleNormal(...packedCorners(mesh, facet));
