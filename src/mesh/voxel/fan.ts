import { nextInFacet, previousInFacet } from "../edges.ts";
import type { Surface } from "../mesh.ts";

/** The facets around a vertex of a closed manifold, and what becomes of them when it goes. */
export interface Fan {
  /** Looks at the facets around a vertex; false where they are too many to be worked on. */
  readonly open: (vertex: number) => boolean;
  readonly size: () => number;
  /** The vertices around it in their order; facet i has neighbours i and i + 1. */
  readonly neighbours: Uint32Array;
  /**
   * The number of the nearest neighbour, fixed ones apart, that the vertex can go into so that the facets come no farther than `most` from where it
   * was, turn little and do not become slivers; −1 where there is none.
   */
  readonly flattest: (most: number) => number;
  /** How far the vertex will be from the surface. */
  readonly error: () => number;
  /** Makes the vertex one with neighbour `into`: two facets get a repeated corner, the others move to it. */
  readonly closeInto: (into: number) => void;
}

const MOST_FACETS = 24;
/** Facets turn by no more than an angle of this cosine, 30°. */
const LEAST_COSINE = 0.866;
/** Facets are at least as high on their longest side, in its lengths. */
const LEAST_HEIGHT = 0.02;

export function newFan(
  vertices: Surface["vertices"],
  triangles: Uint32Array,
  twins: Uint32Array,
  leaving: Uint32Array,
  isFixed: (vertex: number) => boolean,
): Fan {
  const neighbours = new Uint32Array(MOST_FACETS);
  const halfEdges = new Uint32Array(MOST_FACETS);
  /** Places of the neighbours from the vertex, once more the first at the end, and normals of the facets, twice their areas long. */
  const places = new Float64Array(3 * MOST_FACETS + 3);
  const normals = new Float64Array(3 * MOST_FACETS);
  const lengths = new Float64Array(MOST_FACETS);
  const isTried = new Uint8Array(MOST_FACETS);
  let size = 0;
  let error = 0;

  const open = (vertex: number): boolean => {
    const x = vertices[3 * vertex];
    const y = vertices[3 * vertex + 1];
    const z = vertices[3 * vertex + 2];
    const begin = leaving[vertex];
    let halfEdge = begin;
    size = 0;
    do {
      if (size === MOST_FACETS) return false;
      const neighbour = triangles[nextInFacet(halfEdge)];
      neighbours[size] = neighbour;
      halfEdges[size] = halfEdge;
      const dx = vertices[3 * neighbour] - x;
      const dy = vertices[3 * neighbour + 1] - y;
      const dz = vertices[3 * neighbour + 2] - z;
      places[3 * size] = dx;
      places[3 * size + 1] = dy;
      places[3 * size + 2] = dz;
      lengths[size++] = dx * dx + dy * dy + dz * dz;
      halfEdge = twins[previousInFacet(halfEdge)];
    } while (halfEdge !== begin);
    for (let axis = 0; axis < 3; axis++) places[3 * size + axis] = places[axis];
    for (let i = 0; i < 3 * size; i += 3) {
      normals[i] = places[i + 1] * places[i + 5] - places[i + 2] * places[i + 4];
      normals[i + 1] = places[i + 2] * places[i + 3] - places[i] * places[i + 5];
      normals[i + 2] = places[i] * places[i + 4] - places[i + 1] * places[i + 3];
    }
    return true;
  };

  /** The greatest distance of the vertex from the planes of its facets once it went into a neighbour; Infinity if it must not. */
  const errorInto = (into: number, most: number): number => {
    const x = places[3 * into];
    const y = places[3 * into + 1];
    const z = places[3 * into + 2];
    const before = into === 0 ? size - 1 : into - 1;
    let greatest = 0;
    for (let i = 0; i < size; i++) {
      if (i === into || i === before) continue;
      const at = 3 * i;
      const ax = places[at] - x;
      const ay = places[at + 1] - y;
      const az = places[at + 2] - z;
      const bx = places[at + 3] - x;
      const by = places[at + 4] - y;
      const bz = places[at + 5] - z;
      const nx = ay * bz - az * by;
      const ny = az * bx - ax * bz;
      const nz = ax * by - ay * bx;
      const square = nx * nx + ny * ny + nz * nz;
      const volume = normals[at] * x + normals[at + 1] * y + normals[at + 2] * z;
      if (volume * volume > most * most * square) return Infinity;
      const along = nx * normals[at] + ny * normals[at + 1] + nz * normals[at + 2];
      const before2 = normals[at] * normals[at] + normals[at + 1] * normals[at + 1] + normals[at + 2] * normals[at + 2];
      if (along <= 0 || along * along < LEAST_COSINE * LEAST_COSINE * square * before2) return Infinity;
      const aa = ax * ax + ay * ay + az * az;
      const bb = bx * bx + by * by + bz * bz;
      const cx = bx - ax;
      const cy = by - ay;
      const cz = bz - az;
      const longest = Math.max(aa, bb, cx * cx + cy * cy + cz * cz);
      if (square < LEAST_HEIGHT * LEAST_HEIGHT * longest * longest) return Infinity;
      greatest = Math.max(greatest, (volume * volume) / square);
    }
    return Math.sqrt(greatest);
  };

  /** Whether no vertex but the two beside it is a neighbour of the vertex and of neighbour `into` as well, and it is no tetrahedron. */
  const canJoin = (into: number): boolean => {
    const begin = twins[halfEdges[into]];
    let shared = 0;
    let count = 0;
    let halfEdge = begin;
    do {
      const other = triangles[nextInFacet(halfEdge)];
      for (let i = 0; i < size; i++) if (neighbours[i] === other) shared++;
      count++;
      halfEdge = twins[previousInFacet(halfEdge)];
    } while (halfEdge !== begin);
    return shared === 2 && size + count > 6;
  };

  const flattest = (most: number): number => {
    for (let i = 0; i < size; i++) isTried[i] = isFixed(neighbours[i]) ? 1 : 0;
    for (;;) {
      let into = -1;
      for (let i = 0; i < size; i++) {
        if (isTried[i] === 0 && (into < 0 || lengths[i] < lengths[into])) into = i;
      }
      if (into < 0) return -1;
      isTried[into] = 1;
      error = errorInto(into, most);
      if (error <= most && canJoin(into)) return into;
    }
  };

  const closeInto = (into: number): void => {
    const kept = neighbours[into];
    const before = halfEdges[into === 0 ? size - 1 : into - 1];
    const after = halfEdges[into + 1 === size ? 0 : into + 1];
    const edge = halfEdges[into];
    const beyond = twins[nextInFacet(edge)];
    const beside = twins[previousInFacet(twins[edge])];
    const across = twins[before];
    for (let i = 0; i < size; i++) triangles[halfEdges[i]] = kept;
    // The facets at the edge go: what lay beyond their other two edges meets.
    triangles[nextInFacet(edge)] = kept;
    triangles[edge] = kept;
    triangles[previousInFacet(edge)] = kept;
    const opposite = twins[edge];
    triangles[opposite] = kept;
    triangles[nextInFacet(opposite)] = kept;
    triangles[previousInFacet(opposite)] = kept;
    twins[beyond] = after;
    twins[after] = beyond;
    twins[beside] = across;
    twins[across] = beside;
    leaving[kept] = after;
    leaving[neighbours[into + 1 === size ? 0 : into + 1]] = beyond;
    leaving[neighbours[into === 0 ? size - 1 : into - 1]] = across;
  };

  return { open, size: () => size, neighbours, flattest, error: () => error, closeInto };
}
