import { type Vec3, dot, unit } from "../geometry/vector.ts";
import type { PartSurface } from "./part-surface.ts";

/** Facets in one plane, or so nearly in one plane that they print as one face. */
export interface PlanarFace {
  /** Mean unit normal, out of the solid. */
  readonly normal: Vec3;
  /** Distance of the plane from the coordinate origin along its normal. */
  readonly offsetMm: number;
  readonly areaMm2: number;
}

/** Bins of at most 1.4°: normals of different faces of a part seldom differ by less. */
const BINS_PER_SIDE = 64;
/** Largest number of normals that are considered; in parts with more of them none is important. */
const MAX_NORMALS = 48;
/** A planar face has at least this share of the surface. */
const MIN_FACE_SHARE = 0.004;
/** Planes at a smaller distance are one, as a share of the square root of the surface area: 0.2 mm on a part of 100 mm. */
const PLANE_DISTANCE_SHARE = 1e-3;
/**
 * Cosines of 2.5°, 0.75° and 0.1°. Scans have noise of some degrees, designed parts none: each round drops the facets
 * whose normals differ by more than its angle, unless these are most of the face.
 */
const REFIT_COSINES = [0.999048, 0.9999143, 0.99999848] as const;
/** Cosine of 4°: largest angle between the mean normal of a bin and the seed normal to which it belongs. */
const SEED_COSINE = 0.99756;
/** The normals of a noisy face may be spread over this many bins. */
const MAX_BINS_PER_FACE = 10;

/** The planar faces of a part by area, the largest first. */
export function planarFaces(surface: PartSurface): PlanarFace[] {
  const apartMm = PLANE_DISTANCE_SHARE * Math.sqrt(surface.areaMm2);
  const { normals, seedOf } = seedNormals(surface);
  const planes = REFIT_COSINES.reduce(
    (previous, cosine) => refitFaces(surface, seedOf, previous, cosine, apartMm),
    initialFaces(surface, seedOf, normals, apartMm),
  );
  return planes
    .flat()
    .filter(({ areaMm2 }) => areaMm2 >= MIN_FACE_SHARE * surface.areaMm2)
    .sort((a, b) => b.areaMm2 - a.areaMm2);
}

interface Seeds {
  readonly normals: readonly Vec3[];
  /** For each facet: the index of the seed normal near its own; 255 for none. */
  readonly seedOf: Uint8Array;
}

const NO_SEED = 255;

interface Bin {
  readonly bin: number;
  readonly normal: Vec3;
  readonly area: number;
}

/** The most frequent normals by area, and which facets have them. */
function seedNormals({ normals, areas, areaMm2 }: PartSurface): Seeds {
  const count = normalBinCount(BINS_PER_SIDE);
  const sums = new Float64Array(4 * count);
  const bins = new Uint16Array(areas.length);
  for (let facet = 0; facet < areas.length; facet++) {
    const area = areas[facet];
    if (area === 0) continue;
    const bin = normalBin(normals[3 * facet], normals[3 * facet + 1], normals[3 * facet + 2], BINS_PER_SIDE);
    bins[facet] = bin;
    sums[4 * bin] += area * normals[3 * facet];
    sums[4 * bin + 1] += area * normals[3 * facet + 1];
    sums[4 * bin + 2] += area * normals[3 * facet + 2];
    sums[4 * bin + 3] += area;
  }
  const filled: Bin[] = [];
  for (let bin = 0; bin < count; bin++) {
    const at = 4 * bin;
    const area = sums[at + 3];
    if (area > 0) filled.push({ bin, normal: unit([sums[at], sums[at + 1], sums[at + 2]]), area });
  }
  const seeds: Vec3[] = [];
  for (const { normal, area } of filled.toSorted((a, b) => b.area - a.area)) {
    if (seeds.length === MAX_NORMALS || area < (MIN_FACE_SHARE * areaMm2) / MAX_BINS_PER_FACE) break;
    if (seeds.every((other) => dot(other, normal) < REFIT_COSINES[0])) seeds.push(normal);
  }
  const seedOfBin = new Uint8Array(count).fill(NO_SEED);
  for (const { bin, normal } of filled) {
    let most = SEED_COSINE;
    for (let seed = 0; seed < seeds.length; seed++) {
      const cosine = dot(seeds[seed], normal);
      if (cosine > most) {
        most = cosine;
        seedOfBin[bin] = seed;
      }
    }
  }
  // Not Uint8Array.from, which takes ten times as long.
  const seedOf = new Uint8Array(areas.length);
  for (let facet = 0; facet < areas.length; facet++)
    seedOf[facet] = areas[facet] > 0 ? seedOfBin[bins[facet]] : NO_SEED;
  return { normals: seeds, seedOf };
}

interface FaceSum {
  x: number;
  y: number;
  z: number;
  /** Sum of distance along the seed normal times area. */
  offset: number;
  area: number;
}

const planarFace = ({ x, y, z, offset, area }: FaceSum): PlanarFace => ({
  normal: unit([x, y, z]),
  offsetMm: offset / area,
  areaMm2: area,
});

function addFacet(surface: PartSurface, facet: number, offsetMm: number, sum: FaceSum): void {
  const area = surface.areas[facet];
  sum.x += area * surface.normals[3 * facet];
  sum.y += area * surface.normals[3 * facet + 1];
  sum.z += area * surface.normals[3 * facet + 2];
  sum.offset += area * offsetMm;
  sum.area += area;
}

/** The faces of each seed normal: its facets grouped by their distance along the normal. */
function initialFaces(
  surface: PartSurface,
  seedOf: Uint8Array,
  normals: readonly Vec3[],
  apartMm: number,
): PlanarFace[][] {
  const steps = normals.map(() => new Map<number, FaceSum>());
  for (let facet = 0; facet < seedOf.length; facet++) {
    const seed = seedOf[facet];
    if (seed === NO_SEED) continue;
    const offsetMm = offsetAlong(surface, facet, normals[seed]);
    const step = Math.floor(offsetMm / apartMm);
    let sum = steps[seed].get(step);
    if (sum === undefined) steps[seed].set(step, (sum = { x: 0, y: 0, z: 0, offset: 0, area: 0 }));
    addFacet(surface, facet, offsetMm, sum);
  }
  return steps.map((sums) => {
    const planes: PlanarFace[] = [];
    for (const sum of [...sums.values()].sort((a, b) => b.area - a.area)) {
      if (sum.area < (MIN_FACE_SHARE * surface.areaMm2) / 2) break;
      const face = planarFace(sum);
      if (planes.every(({ offsetMm }) => Math.abs(offsetMm - face.offsetMm) > apartMm)) planes.push(face);
    }
    return planes;
  });
}

/** The faces recomputed from the facets that are within the angle and distance of their planes. */
function refitFaces(
  surface: PartSurface,
  seedOf: Uint8Array,
  planes: readonly (readonly PlanarFace[])[],
  cosine: number,
  apartMm: number,
): PlanarFace[][] {
  const { normals } = surface;
  const sums = planes.map((faces) => faces.map((): FaceSum => ({ x: 0, y: 0, z: 0, offset: 0, area: 0 })));
  for (let facet = 0; facet < seedOf.length; facet++) {
    if (seedOf[facet] === NO_SEED) continue;
    const faces = planes[seedOf[facet]];
    for (let k = 0; k < faces.length; k++) {
      const { normal, offsetMm } = faces[k];
      const at = 3 * facet;
      if (normals[at] * normal[0] + normals[at + 1] * normal[1] + normals[at + 2] * normal[2] < cosine) continue;
      const offset = offsetAlong(surface, facet, normal);
      if (Math.abs(offset - offsetMm) <= apartMm) addFacet(surface, facet, offset, sums[seedOf[facet]][k]);
    }
  }
  return planes.map((faces, seed) =>
    faces.map((face, k) => (sums[seed][k].area > face.areaMm2 / 2 ? planarFace(sums[seed][k]) : face)),
  );
}

function offsetAlong({ vertices, triangles }: PartSurface, facet: number, normal: Vec3): number {
  const a = 3 * triangles[3 * facet];
  const b = 3 * triangles[3 * facet + 1];
  const c = 3 * triangles[3 * facet + 2];
  const x = vertices[a] + vertices[b] + vertices[c];
  const y = vertices[a + 1] + vertices[b + 1] + vertices[c + 1];
  const z = vertices[a + 2] + vertices[b + 2] + vertices[c + 2];
  return (normal[0] * x + normal[1] * y + normal[2] * z) / 3;
}

/** Number of bins of a cube map of directions: a grid on each side of a cube, with `perSide` bins along its edges. */
export const normalBinCount = (perSide: number): number => 6 * perSide * perSide;

/** The bin of a unit normal. */
export function normalBin(x: number, y: number, z: number, perSide: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  if (ax >= ay && ax >= az) return cubeFaceBin(x < 0 ? 1 : 0, y / ax, z / ax, perSide);
  if (ay >= az) return cubeFaceBin(y < 0 ? 3 : 2, x / ay, z / ay, perSide);
  return cubeFaceBin(z < 0 ? 5 : 4, x / az, y / az, perSide);
}

function cubeFaceBin(side: number, u: number, v: number, perSide: number): number {
  const column = Math.min(perSide - 1, (((u + 1) / 2) * perSide) | 0);
  const row = Math.min(perSide - 1, (((v + 1) / 2) * perSide) | 0);
  return (side * perSide + row) * perSide + column;
}
