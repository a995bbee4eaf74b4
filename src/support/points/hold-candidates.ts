import { type FacetedSurface, faceImportance, facetedSurface } from "../../hold/face-importance.ts";
import { type Mat3, type Vec3, add, cross, dot, lerp, subtract } from "../../geometry/vector.ts";
import { NO_HALFEDGE, oppositeHalfedges } from "../../mesh/edges.ts";
import { type Surface, cornersOf, vertexAt, vertexCount } from "../../mesh/mesh.ts";
import { type SurfacePoint, unitNormal } from "./underside.ts";

/** A point of a surface that a tip may hold although the surface there needs no support. */
export interface HoldCandidate {
  readonly point: SurfacePoint;
  /** How little a mark at this point harms, from 0 to 1. */
  readonly quality: number;
}

/** Largest z of a normal at which a tip that leans by 45° can hold the face: the tip meets it at 14.5° or steeper. */
const MOST_UPWARD = 0.35;

/**
 * Quality by the z of the normal. Overhanging faces have marks in any case; people put supports on lower edges and corners, too;
 * upright faces are the visible ones. Bores, threads and teeth count up to three times less.
 */
const QUALITY = { overhang: 1, edge: 0.9, steep: 0.6, upright: 0.25, upward: 0.15 };
/** Largest z of the normal of each kind of face: 45°, 75° and 95° from straight down. */
const OVERHANG_Z = -Math.SQRT1_2;
const STEEP_Z = -0.26;
const UPRIGHT_Z = 0.09;

/** Distance between candidates on faces and along edges, mm, and their maximum number: on large parts they are farther apart. */
const PITCH_MM = 0.5;
const MAX_CANDIDATES = 16_000;
/** Cosine of 30°: an edge is sharp if the normals of its facets differ by a larger angle. */
const SHARP_COSINE = 0.866;
/** Largest z of the mean normal of an edge that a tip can hold. */
const EDGE_Z = -0.2;

/**
 * Candidates all over the faces and sharp edges of a surface that tips can reach from below, the lowest first. They are on a lattice
 * in scene space, so that they do not depend on how faces are divided into facets.
 */
export function holdCandidates(surface: Surface): HoldCandidate[] {
  const faceted = facetedSurface(new Float64Array(surface.vertices), surface.triangles, 1);
  const { marks } = faceImportance(faceted, UPRIGHT_AXES);
  const pitchMm = Math.max(PITCH_MM, Math.sqrt(reachableArea(faceted) / MAX_CANDIDATES));
  const found = [...edgePoints(faceted, pitchMm, marks), ...facePoints(faceted, pitchMm, marks)];
  return found.sort((a, b) => a.point.position[2] - b.point.position[2]);
}

const candidateAt = (position: Vec3, normal: Vec3, quality: number): HoldCandidate => ({
  point: { position, normal },
  quality,
});

const UPRIGHT_AXES: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const qualityOf = (z: number): number =>
  z <= OVERHANG_Z ? QUALITY.overhang : z <= STEEP_Z ? QUALITY.steep : z <= UPRIGHT_Z ? QUALITY.upright : QUALITY.upward;

const normalOf = ({ normals }: FacetedSurface, facet: number): Vec3 => [
  normals[3 * facet],
  normals[3 * facet + 1],
  normals[3 * facet + 2],
];

/** Cosine of the angle between the normals of two facets. */
const cosineBetween = ({ normals }: FacetedSurface, one: number, two: number): number =>
  normals[3 * one] * normals[3 * two] +
  normals[3 * one + 1] * normals[3 * two + 1] +
  normals[3 * one + 2] * normals[3 * two + 2];

const reachableArea = ({ areas, normals }: FacetedSurface): number =>
  areas.reduce((sum, area, facet) => (normals[3 * facet + 2] <= MOST_UPWARD ? sum + area : sum), 0);

/** Points of each facet that are on the lattice, as seen along the axis nearest to the normal of the facet. */
function facePoints(surface: FacetedSurface, pitchMm: number, marks: Float64Array): HoldCandidate[] {
  const { normals, areas } = surface;
  const points: HoldCandidate[] = [];
  for (let facet = 0; facet < areas.length; facet++) {
    if (normals[3 * facet + 2] > MOST_UPWARD || areas[facet] === 0) continue;
    const axis = widestAxis(normals, facet);
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    // Most facets of a fine mesh have no point, so nothing is allocated for them.
    const fromU = Math.ceil(leastCorner(surface, facet, u) / pitchMm - 0.5);
    const toU = Math.ceil(greatestCorner(surface, facet, u) / pitchMm - 0.5);
    if (fromU === toU) continue;
    const fromV = Math.ceil(leastCorner(surface, facet, v) / pitchMm - 0.5);
    const toV = Math.ceil(greatestCorner(surface, facet, v) / pitchMm - 0.5);
    if (fromV === toV) continue;
    const normal = normalOf(surface, facet);
    const corners = cornersOf(surface, facet);
    const [a] = corners;
    for (let i = fromU; i < toU; i++) {
      for (let j = fromV; j < toV; j++) {
        const [p, q] = [(i + 0.5) * pitchMm, (j + 0.5) * pitchMm];
        if (!isInside(corners, u, v, p, q)) continue;
        const position: [number, number, number] = [0, 0, 0];
        position[u] = p;
        position[v] = q;
        position[axis] = a[axis] - (normal[u] * (p - a[u]) + normal[v] * (q - a[v])) / normal[axis];
        points.push(candidateAt(position, normal, qualityOf(normal[2]) / marks[facet]));
      }
    }
  }
  return points;
}

/** The axis nearest to the normal of a facet. */
function widestAxis(normals: Float64Array, facet: number): number {
  const x = Math.abs(normals[3 * facet]);
  const y = Math.abs(normals[3 * facet + 1]);
  const z = Math.abs(normals[3 * facet + 2]);
  return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

const leastCorner = ({ vertices, triangles }: FacetedSurface, facet: number, axis: number): number =>
  Math.min(
    vertices[3 * triangles[3 * facet] + axis],
    vertices[3 * triangles[3 * facet + 1] + axis],
    vertices[3 * triangles[3 * facet + 2] + axis],
  );

const greatestCorner = ({ vertices, triangles }: FacetedSurface, facet: number, axis: number): number =>
  Math.max(
    vertices[3 * triangles[3 * facet] + axis],
    vertices[3 * triangles[3 * facet + 1] + axis],
    vertices[3 * triangles[3 * facet + 2] + axis],
  );

/** Whether a point is inside of a triangle seen along an axis. A point on an edge of two triangles is in one of them. */
function isInside(corners: readonly Vec3[], u: number, v: number, p: number, q: number): boolean {
  let crossings = 0;
  for (let i = 0; i < 3; i++) {
    const one = corners[i];
    const other = corners[(i + 1) % 3];
    if (one[v] <= q === other[v] <= q) continue;
    const [low, high] = one[v] < other[v] ? [one, other] : [other, one];
    if (low[u] + ((q - low[v]) / (high[v] - low[v])) * (high[u] - low[u]) > p) crossings++;
  }
  return crossings === 1;
}

/** Points along the convex sharp edges that face down. */
function edgePoints(surface: FacetedSurface, pitchMm: number, marks: Float64Array): HoldCandidate[] {
  const points: HoldCandidate[] = [];
  const { triangles } = surface;
  const opposite = oppositeHalfedges(triangles, vertexCount(surface));
  for (let at = 0; at < triangles.length; at++) {
    if (opposite[at] === NO_HALFEDGE || opposite[at] > at) continue;
    // Most edges of a fine mesh are not sharp, so nothing is allocated for them.
    const facet = Math.floor(at / 3);
    const facetBeyond = Math.floor(opposite[at] / 3);
    if (cosineBetween(surface, facet, facetBeyond) > SHARP_COSINE) continue;
    const [from, to] = [triangles[at], triangles[at % 3 === 2 ? at - 2 : at + 1]];
    const [one, two] = [normalOf(surface, facet), normalOf(surface, facetBeyond)];
    const [start, end] = [vertexAt(surface, from), vertexAt(surface, to)];
    // Seen along the edge of the first facet, the second one turns away from it where the edge is convex.
    if (dot(cross(one, two), subtract(end, start)) <= 0) continue;
    const normal = unitNormal(add(one, two));
    if (normal[2] > EDGE_Z) continue;
    const edge = subtract(end, start);
    const quality = QUALITY.edge / Math.max(marks[facet], marks[facetBeyond]);
    const pieces = Math.max(1, Math.round(Math.sqrt(dot(edge, edge)) / pitchMm));
    for (let i = 0; i < pieces; i++) {
      points.push(candidateAt(lerp(start, end, (i + 0.5) / pieces), normal, quality));
    }
  }
  return points;
}
