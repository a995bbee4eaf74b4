import { nextHalfedge, previousHalfedge } from "../geometry/halfedge.ts";
import type { Progress } from "../core/progress.ts";
import { oppositeHalfedges } from "./edges.ts";
import { type Surface, vertexCount } from "./mesh.ts";

/** Marks a removed vertex, in place of its halfedge. */
const REMOVED = 0xffff_ffff;

/** Sweeps end after the first one that removes less than this fraction of the vertices, or after this number of sweeps. */
const MIN_REMOVED_SHARE = 0.0005;
const MAX_SWEEPS = 32;

/** State of a vertex that can be removed. */
export const ACTIVE = 0;
/** State of a vertex that cannot be removed before one of its neighbours is. */
export const DORMANT = 1;
/** State of a vertex that is kept, and that no other vertex is collapsed into. */
export const FIXED = 2;

const VERTICES_PER_REPORT = 2048;

/**
 * Simplifies a manifold by halfedge collapses: removes vertices that are, like all vertices collapsed into them before,
 * within about `toleranceMm` of the facets of their neighbours. Remaining vertices keep their positions and their order.
 * `initialStates` holds the state of each vertex; the surface is closed around those that are not {@link FIXED}. One
 * sweep removes no two neighbours, so that facets grow evenly. The surface stays a manifold: an edge is collapsed only if
 * its ends have exactly two common neighbours. Source of that condition: T. Dey, H. Edelsbrunner, S. Guha, D. Nekhayev,
 * "Topology preserving edge contraction" (1999).
 */
export function decimateCoplanar(
  surface: Surface,
  toleranceMm: number,
  initialStates: Uint8Array,
  progress: Progress,
): Surface {
  const states = initialStates.slice();
  const { vertices } = surface;
  const count = vertexCount(surface);
  const triangles = surface.triangles.slice();
  const opposites = oppositeHalfedges(triangles, count);
  /** A halfedge that starts at each vertex. */
  const outgoing = new Uint32Array(count);
  for (let at = 0; at < triangles.length; at++) outgoing[triangles[at]] = at;
  /** Greatest distance of the vertices collapsed into each vertex from the current surface. */
  const errors = new Float32Array(count);
  /** The last sweep that removed a neighbour of each vertex. */
  const changedIn = new Uint8Array(count);
  const fan = new VertexFan({ vertices, triangles, opposites, outgoing }, (vertex) => states[vertex] === FIXED);

  for (let sweep = 1; sweep <= MAX_SWEEPS; sweep++) {
    const part = progress.part(1 - 0.7 ** (sweep - 1), 1 - 0.7 ** sweep);
    let removed = 0;
    for (let vertex = 0; vertex < count; vertex++) {
      if (vertex % VERTICES_PER_REPORT === 0) part.report(vertex / count);
      if (states[vertex] !== ACTIVE || changedIn[vertex] === sweep) continue;
      states[vertex] = DORMANT;
      if (!fan.load(vertex)) continue;
      const into = fan.findCollapse(toleranceMm - errors[vertex]);
      if (into < 0) continue;
      const kept = fan.neighbours[into];
      errors[kept] = Math.max(errors[kept], errors[vertex] + fan.error);
      for (let i = 0; i < fan.size; i++) {
        const neighbour = fan.neighbours[i];
        changedIn[neighbour] = sweep;
        if (states[neighbour] === DORMANT) states[neighbour] = ACTIVE;
      }
      fan.collapseInto(into);
      outgoing[vertex] = REMOVED;
      removed++;
    }
    if (removed < MIN_REMOVED_SHARE * count) break;
  }
  return compacted(vertices, triangles, outgoing);
}

/** The remaining vertices and facets, in their order. */
function compacted(vertices: Surface["vertices"], triangles: Uint32Array, outgoing: Uint32Array): Surface {
  const positions = new Float64Array(vertices.length);
  const newIndex = new Uint32Array(outgoing.length);
  let kept = 0;
  for (let vertex = 0; vertex < outgoing.length; vertex++) {
    if (outgoing[vertex] === REMOVED) continue;
    for (let axis = 0; axis < 3; axis++) positions[3 * kept + axis] = vertices[3 * vertex + axis];
    newIndex[vertex] = kept++;
  }
  const remaining = new Uint32Array(triangles.length);
  let corners = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    if (triangles[at] === triangles[at + 1]) continue;
    for (let i = at; i < at + 3; i++) remaining[corners++] = newIndex[triangles[i]];
  }
  return { vertices: positions.slice(0, 3 * kept), triangles: remaining.slice(0, corners) };
}

/** Most facets around a vertex that can be removed. */
const MAX_FACETS = 24;
/** Facets rotate by at most 30°: the cosine of that. */
const MIN_COSINE = 0.866;
/** Least height of a facet on its longest side, relative to that side. */
const MIN_HEIGHT = 0.02;

/** A closed manifold that is being simplified. */
interface HalfedgeMesh {
  readonly vertices: Surface["vertices"];
  /** Three corners per facet; a removed facet has a repeated corner. */
  readonly triangles: Uint32Array;
  /** The halfedge opposite to each halfedge. */
  readonly opposites: Uint32Array;
  /** A halfedge that starts at each vertex, {@link REMOVED} for a removed one. */
  readonly outgoing: Uint32Array;
}

/** The facets around one vertex of a closed manifold, and the collapse of that vertex into a neighbour. */
class VertexFan {
  /** The vertices around the vertex, in order; facet i has neighbours i and i + 1. */
  readonly neighbours = new Uint32Array(MAX_FACETS);
  /** Number of facets. */
  size = 0;
  /** Distance of the vertex from the surface after the collapse that {@link findCollapse} has found. */
  error = 0;
  readonly #mesh: HalfedgeMesh;
  readonly #isFixed: (vertex: number) => boolean;
  /** The halfedges from the vertex to its neighbours. */
  readonly #halfedges = new Uint32Array(MAX_FACETS);
  /** Neighbours relative to the vertex, the first one repeated at the end. */
  readonly #offsets = new Float64Array(3 * MAX_FACETS + 3);
  /** Normals of the facets, twice as long as their areas. */
  readonly #normals = new Float64Array(3 * MAX_FACETS);
  /** Squared distances of the neighbours. */
  readonly #lengths = new Float64Array(MAX_FACETS);
  readonly #isTried = new Uint8Array(MAX_FACETS);

  constructor(mesh: HalfedgeMesh, isFixed: (vertex: number) => boolean) {
    this.#mesh = mesh;
    this.#isFixed = isFixed;
  }

  /** Loads the facets around a vertex; false if there are more than {@link MAX_FACETS}. */
  load(vertex: number): boolean {
    const { vertices, triangles, opposites, outgoing } = this.#mesh;
    const neighbours = this.neighbours;
    const halfedges = this.#halfedges;
    const offsets = this.#offsets;
    const lengths = this.#lengths;
    const x = vertices[3 * vertex];
    const y = vertices[3 * vertex + 1];
    const z = vertices[3 * vertex + 2];
    const begin = outgoing[vertex];
    let halfedge = begin;
    let size = 0;
    do {
      if (size === MAX_FACETS) return false;
      const neighbour = triangles[nextHalfedge(halfedge)];
      neighbours[size] = neighbour;
      halfedges[size] = halfedge;
      const dx = vertices[3 * neighbour] - x;
      const dy = vertices[3 * neighbour + 1] - y;
      const dz = vertices[3 * neighbour + 2] - z;
      offsets[3 * size] = dx;
      offsets[3 * size + 1] = dy;
      offsets[3 * size + 2] = dz;
      lengths[size++] = dx * dx + dy * dy + dz * dz;
      halfedge = opposites[previousHalfedge(halfedge)];
    } while (halfedge !== begin);
    for (let axis = 0; axis < 3; axis++) offsets[3 * size + axis] = offsets[axis];
    this.size = size;
    this.#setNormals();
    return true;
  }

  #setNormals(): void {
    const normals = this.#normals;
    const offsets = this.#offsets;
    for (let i = 0; i < 3 * this.size; i += 3) {
      normals[i] = offsets[i + 1] * offsets[i + 5] - offsets[i + 2] * offsets[i + 4];
      normals[i + 1] = offsets[i + 2] * offsets[i + 3] - offsets[i] * offsets[i + 5];
      normals[i + 2] = offsets[i] * offsets[i + 4] - offsets[i + 1] * offsets[i + 3];
    }
  }

  /**
   * The index of the nearest neighbour, except fixed ones, into which the vertex can be collapsed so that the vertex is
   * at most `maxError` from the new facets, and these rotate little and do not become slivers; −1 if there is none.
   */
  findCollapse(maxError: number): number {
    const size = this.size;
    const isTried = this.#isTried;
    const lengths = this.#lengths;
    for (let i = 0; i < size; i++) isTried[i] = this.#isFixed(this.neighbours[i]) ? 1 : 0;
    for (;;) {
      let into = -1;
      for (let i = 0; i < size; i++) {
        if (isTried[i] === 0 && (into < 0 || lengths[i] < lengths[into])) into = i;
      }
      if (into < 0) return -1;
      isTried[into] = 1;
      this.error = this.#errorInto(into, maxError);
      if (this.error <= maxError && this.#keepsManifold(into)) return into;
    }
  }

  /** The greatest distance of the vertex from the planes of its facets after a collapse; Infinity if it is not allowed. */
  #errorInto(into: number, maxError: number): number {
    const size = this.size;
    const offsets = this.#offsets;
    const normals = this.#normals;
    const x = offsets[3 * into];
    const y = offsets[3 * into + 1];
    const z = offsets[3 * into + 2];
    const before = into === 0 ? size - 1 : into - 1;
    let greatest = 0;
    for (let i = 0; i < size; i++) {
      if (i === into || i === before) continue;
      const at = 3 * i;
      const ax = offsets[at] - x;
      const ay = offsets[at + 1] - y;
      const az = offsets[at + 2] - z;
      const bx = offsets[at + 3] - x;
      const by = offsets[at + 4] - y;
      const bz = offsets[at + 5] - z;
      const nx = ay * bz - az * by;
      const ny = az * bx - ax * bz;
      const nz = ax * by - ay * bx;
      const square = nx * nx + ny * ny + nz * nz;
      const volume = normals[at] * x + normals[at + 1] * y + normals[at + 2] * z;
      if (volume * volume > maxError * maxError * square) return Infinity;
      const along = nx * normals[at] + ny * normals[at + 1] + nz * normals[at + 2];
      const oldSquare =
        normals[at] * normals[at] + normals[at + 1] * normals[at + 1] + normals[at + 2] * normals[at + 2];
      if (along <= 0 || along * along < MIN_COSINE * MIN_COSINE * square * oldSquare) return Infinity;
      const aa = ax * ax + ay * ay + az * az;
      const bb = bx * bx + by * by + bz * bz;
      const cx = bx - ax;
      const cy = by - ay;
      const cz = bz - az;
      const longest = Math.max(aa, bb, cx * cx + cy * cy + cz * cz);
      if (square < MIN_HEIGHT * MIN_HEIGHT * longest * longest) return Infinity;
      greatest = Math.max(greatest, (volume * volume) / square);
    }
    return Math.sqrt(greatest);
  }

  /** Whether the vertex and neighbour `into` have exactly two common neighbours, and the surface is no tetrahedron. */
  #keepsManifold(into: number): boolean {
    const { triangles, opposites } = this.#mesh;
    const { size, neighbours } = this;
    const begin = opposites[this.#halfedges[into]];
    let shared = 0;
    let count = 0;
    let halfedge = begin;
    do {
      const other = triangles[nextHalfedge(halfedge)];
      for (let i = 0; i < size; i++) if (neighbours[i] === other) shared++;
      count++;
      halfedge = opposites[previousHalfedge(halfedge)];
    } while (halfedge !== begin);
    return shared === 2 && size + count > 6;
  }

  /** Collapses the vertex into neighbour `into`: two facets get a repeated corner, the others move to it. */
  collapseInto(into: number): void {
    const { triangles, opposites, outgoing } = this.#mesh;
    const { size, neighbours } = this;
    const halfedges = this.#halfedges;
    const kept = neighbours[into];
    const before = halfedges[into === 0 ? size - 1 : into - 1];
    const after = halfedges[into + 1 === size ? 0 : into + 1];
    const edge = halfedges[into];
    const beyond = opposites[nextHalfedge(edge)];
    const beyondOpposite = opposites[previousHalfedge(opposites[edge])];
    const across = opposites[before];
    for (let i = 0; i < size; i++) triangles[halfedges[i]] = kept;
    // The two facets at the edge degenerate: the halfedges beyond their other edges become opposite.
    triangles[nextHalfedge(edge)] = kept;
    triangles[edge] = kept;
    triangles[previousHalfedge(edge)] = kept;
    const opposite = opposites[edge];
    triangles[opposite] = kept;
    triangles[nextHalfedge(opposite)] = kept;
    triangles[previousHalfedge(opposite)] = kept;
    opposites[beyond] = after;
    opposites[after] = beyond;
    opposites[beyondOpposite] = across;
    opposites[across] = beyondOpposite;
    outgoing[kept] = after;
    outgoing[neighbours[into + 1 === size ? 0 : into + 1]] = beyond;
    outgoing[neighbours[into === 0 ? size - 1 : into - 1]] = across;
  }
}
