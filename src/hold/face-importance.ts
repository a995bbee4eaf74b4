import { ensureCapacity } from "../core/typed-arrays.ts";
import type { Mat3 } from "../geometry/vector.ts";
import { setFacetNormal } from "../mesh/mesh.ts";

/** A surface with the unit normal and the area of each facet; zero for a facet of area 0. */
export interface FacetedSurface {
  /** x, y, z of each vertex, mm. Facets that meet share their vertices. */
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  readonly normals: Float64Array;
  readonly areas: Float64Array;
  readonly areaMm2: number;
}

/** A surface with its normals; `outward` is −1 where its facets face inward. */
export function facetedSurface(vertices: Float64Array, triangles: Uint32Array, outward: 1 | -1): FacetedSurface {
  const normals = new Float64Array(triangles.length);
  const areas = new Float64Array(triangles.length / 3);
  const normal = new Float64Array(3);
  let areaMm2 = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    setFacetNormal(normal, vertices, triangles, at / 3);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    const twice = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(twice > 0)) continue;
    normals[at] = (outward * nx) / twice;
    normals[at + 1] = (outward * ny) / twice;
    normals[at + 2] = (outward * nz) / twice;
    areas[at / 3] = twice / 2;
    areaMm2 += twice / 2;
  }
  return { vertices, triangles, normals, areas, areaMm2 };
}

/** How supports affect the facets of a part. */
export interface FaceImportance {
  /**
   * Cost of a mark on each facet, from 1 on a plain face to {@link MOST_IMPORTANT}. Bores, threads, teeth, engravings, rims and
   * slender limbs cost more than plain faces.
   */
  readonly weights: Float64Array;
  /** The same cost by concave faces alone: bores, threads, teeth, seats. Edges, where people set supports, count as plain. */
  readonly marks: Float64Array;
  /**
   * x, y, z of the normal that decides whether a facet overhangs. In fine relief it is the mean normal of the relief: the flanks of
   * the thread of an upright screw are too narrow to need support.
   */
  readonly normals: Float64Array;
}

export const MOST_IMPORTANT = 3;

/** Cells along the part over which curvature is averaged; larger than the pitch of a thread, smaller than a limb. */
const CELLS = 16;
/** Largest cell, mm: an overhang of half of this needs no support. */
const MAX_CELL_MM = 3;
/** Maximum number of cells along a part; bounds memory and time. */
const MAX_CELLS = 64;

/**
 * Weight of curvature: 1 is added to the importance of a convex face of this radius, as a share of the square root of
 * the surface area. Working value: the limbs of a figure count about twice as much as its base.
 */
const CONVEX_RADIUS_SHARE = 1 / 40;
/** Weight of a concave face relative to a convex face of the same radius: a concave face fits another part, and is hard to sand. */
const CONCAVE_FACTOR = 3;

/** Angles by which the surface turns both ways within a cell where relief begins and where it is complete, radians. */
const RELIEF_RAD = [0.6, 1.2] as const;
/** Least length of the mean of the unit normals of relief; the mean is shorter in cells that contain a whole limb or wall. */
const RELIEF_COHERENCE = 0.45;

/** Sums per cell: area, convex and concave turn, x, y, z of the area-weighted normal. */
const SUMS = 6;

/**
 * Finds the facets that should stay clean by the curvature of the surface, averaged over cells along `axes`. The
 * curvature at a vertex is the gradient of area of M. Meyer et al., "Discrete Differential-Geometry Operators for
 * Triangulated 2-Manifolds" (2003).
 */
export function faceImportance(surface: FacetedSurface, axes: Mat3): FaceImportance {
  const { areas, areaMm2 } = surface;
  const turns = facetTurns(surface);
  const { cellOf, sums, cellMm } = cellSums(surface, axes, turns);
  const perRadius = Math.sqrt(areaMm2) * CONVEX_RADIUS_SHARE;
  const weights = new Float64Array(areas.length).fill(1);
  const marks = new Float64Array(areas.length).fill(1);
  const normals = surface.normals.slice();
  const [begins, complete] = RELIEF_RAD;
  for (let facet = 0; facet < areas.length; facet++) {
    if (areas[facet] === 0) continue;
    const at = SUMS * cellOf[facet];
    const area = sums[at];
    const convex = sums[at + 1] / area;
    const concave = sums[at + 2] / area;
    weights[facet] = Math.min(MOST_IMPORTANT, 1 + perRadius * (convex + CONCAVE_FACTOR * concave));
    marks[facet] = Math.min(MOST_IMPORTANT, 1 + perRadius * CONCAVE_FACTOR * concave);
    const relief = (Math.min(convex, concave) * cellMm - begins) / (complete - begins);
    if (relief <= 0) continue;
    const [x, y, z] = [sums[at + 3] / area, sums[at + 4] / area, sums[at + 5] / area];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length < RELIEF_COHERENCE) continue;
    const share = Math.min(1, relief) / length;
    setBlended(normals, 3 * facet, x * share, y * share, z * share, 1 - Math.min(1, relief));
  }
  return { weights, marks, normals };
}

/** Sets a unit normal to `own` times itself plus a vector, normalised. */
function setBlended(normals: Float64Array, at: number, x: number, y: number, z: number, own: number): void {
  const nx = own * normals[at] + x;
  const ny = own * normals[at + 1] + y;
  const nz = own * normals[at + 2] + z;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > 0)) return;
  normals[at] = nx / length;
  normals[at + 1] = ny / length;
  normals[at + 2] = nz / length;
}

/** Sums of the principal curvatures at the corners of each facet, 1/mm: of its convex corners and of its concave corners. */
interface Turns {
  readonly convex: Float64Array;
  readonly concave: Float64Array;
}

/**
 * The curvature of a vertex is the gradient of the area of its facets, divided among them by area: sums over a face do not depend on
 * its facets.
 */
function facetTurns({ vertices, triangles, normals, areas }: FacetedSurface): Turns {
  const gradients = new Float64Array(vertices.length);
  const corners = new Float64Array(vertices.length);
  const areasOf = new Float64Array(vertices.length / 3);
  for (let facet = 0; facet < areas.length; facet++) {
    const area = areas[facet];
    const nx = normals[3 * facet];
    const ny = normals[3 * facet + 1];
    const nz = normals[3 * facet + 2];
    for (let k = 0; k < 3; k++) {
      const at = 3 * triangles[3 * facet + k];
      const from = 3 * triangles[3 * facet + ((k + 1) % 3)];
      const to = 3 * triangles[3 * facet + ((k + 2) % 3)];
      const x = vertices[to] - vertices[from];
      const y = vertices[to + 1] - vertices[from + 1];
      const z = vertices[to + 2] - vertices[from + 2];
      gradients[at] += (ny * z - nz * y) / 2;
      gradients[at + 1] += (nz * x - nx * z) / 2;
      gradients[at + 2] += (nx * y - ny * x) / 2;
      corners[at] += area * nx;
      corners[at + 1] += area * ny;
      corners[at + 2] += area * nz;
      areasOf[at / 3] += area;
    }
  }
  const densities = areasOf.map((area, vertex) => {
    const at = 3 * vertex;
    const x = gradients[at];
    const y = gradients[at + 1];
    const z = gradients[at + 2];
    const outward = x * corners[at] + y * corners[at + 1] + z * corners[at + 2];
    return area > 0 ? (Math.sign(outward) * Math.sqrt(x * x + y * y + z * z)) / area : 0;
  });
  const convex = new Float64Array(areas.length);
  const concave = new Float64Array(areas.length);
  for (let at = 0; at < triangles.length; at++) {
    const turn = densities[triangles[at]];
    if (turn > 0) convex[(at / 3) | 0] += turn;
    else concave[(at / 3) | 0] -= turn;
  }
  return { convex, concave };
}

interface CellSums {
  /** Index of the cell of each facet. */
  readonly cellOf: Uint32Array;
  readonly sums: Float64Array;
  readonly cellMm: number;
}

/** The centres of facets along the rows of `axes`, and their bounding cube. */
interface FacetCentres {
  readonly centres: Float64Array;
  readonly least: readonly number[];
  readonly longestMm: number;
}

function facetCentres(
  { vertices, triangles, areas }: FacetedSurface,
  [ax, ay, az, bx, by, bz, cx, cy, cz]: Mat3,
): FacetCentres {
  const centres = new Float64Array(3 * areas.length);
  const least = [Infinity, Infinity, Infinity];
  let longestMm = 0;
  for (let facet = 0; facet < areas.length; facet++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let k = 0; k < 3; k++) {
      const at = 3 * triangles[3 * facet + k];
      x += vertices[at] / 3;
      y += vertices[at + 1] / 3;
      z += vertices[at + 2] / 3;
    }
    const at = 3 * facet;
    centres[at] = ax * x + ay * y + az * z;
    centres[at + 1] = bx * x + by * y + bz * z;
    centres[at + 2] = cx * x + cy * y + cz * z;
    for (let i = 0; i < 3; i++) if (centres[at + i] < least[i]) least[i] = centres[at + i];
  }
  for (let at = 0; at < centres.length; at++) longestMm = Math.max(longestMm, centres[at] - least[at % 3]);
  return { centres, least, longestMm };
}

function cellSums(surface: FacetedSurface, axes: Mat3, { convex, concave }: Turns): CellSums {
  const { normals, areas } = surface;
  const { centres, least, longestMm } = facetCentres(surface, axes);
  const cellMm = Math.max(Math.min(MAX_CELL_MM, longestMm / CELLS), longestMm / MAX_CELLS) || 1;
  const side = Math.floor(longestMm / cellMm) + 1;
  const indices = new Int32Array(side ** 3);
  const cellOf = new Uint32Array(areas.length);
  let sums = new Float64Array(SUMS * 1024);
  let count = 0;
  for (let facet = 0; facet < areas.length; facet++) {
    const from = 3 * facet;
    const x = Math.floor((centres[from] - least[0]) / cellMm);
    const y = Math.floor((centres[from + 1] - least[1]) / cellMm);
    const z = Math.floor((centres[from + 2] - least[2]) / cellMm);
    const key = (x * side + y) * side + z;
    if (indices[key] === 0) {
      indices[key] = ++count;
      sums = ensureCapacity(sums, SUMS * count);
    }
    cellOf[facet] = indices[key] - 1;
    const at = SUMS * cellOf[facet];
    const area = areas[facet];
    sums[at] += area;
    sums[at + 1] += area * convex[facet];
    sums[at + 2] += area * concave[facet];
    for (let i = 0; i < 3; i++) sums[at + 3 + i] += area * normals[from + i];
  }
  return { cellOf, sums, cellMm };
}
