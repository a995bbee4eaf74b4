import { dot, unit, type Vec3 } from "../../core/geometry.ts";
import { binCount, binOf } from "./normal-bins.ts";
import type { Part } from "./part.ts";

/** Facets that lie in one plane, or so nearly that they print as one. */
export interface Flat {
  /** Mean unit normal, out of the solid. */
  readonly normal: Vec3;
  /** The plane's distance from the coordinate origin along its normal. */
  readonly offsetMm: number;
  readonly areaMm2: number;
}

/** Bins of 1.4° and less: two faces of a part seldom differ by less. */
const BINS_PER_SIDE = 64;
/** Normals that are tried; a part of more has none that stands out. */
const MOST_NORMALS = 48;
/** A flat is at least this share of the surface. */
const LEAST_SHARE = 0.004;
/** Planes closer than this are one, as a share of the root of the surface area: 0.2 mm on a part of 100 mm. */
const APART_SHARE = 1e-3;
/**
 * Cosines of 2.5°, 0.75° and 0.1°. Scans have noise of degrees, parts from a drawing none: each round drops what is farther
 * off than its angle, unless that is most of the flat.
 */
const ROUNDS = [0.999048, 0.9999143, 0.99999848] as const;
/** Cosine of 4°: a bin reaches this far from its own mean. */
const WITHIN_SEED = 0.99756;
/** A flat with noise may lie in so many bins. */
const SPREAD_BINS = 10;

/** The flats of a part, the largest first. */
export function flatsOf(part: Part): Flat[] {
  const apartMm = APART_SHARE * Math.sqrt(part.areaMm2);
  const { normals, seedOf } = seedsOf(part);
  const planes = ROUNDS.reduce(
    (known, cosine) => gathered(part, seedOf, known, cosine, apartMm),
    planesOf(part, seedOf, normals, apartMm),
  );
  return planes
    .flat()
    .filter(({ areaMm2 }) => areaMm2 >= LEAST_SHARE * part.areaMm2)
    .sort((a, b) => b.areaMm2 - a.areaMm2);
}

interface Seeds {
  readonly normals: readonly Vec3[];
  /** The number of the normal that each facet has, about; 255 for none. */
  readonly seedOf: Uint8Array;
}

const NO_SEED = 255;

interface Bin {
  readonly bin: number;
  readonly normal: Vec3;
  readonly area: number;
}

/** Normals that much of the surface has, and which facets have them. */
function seedsOf({ normals, areas, areaMm2 }: Part): Seeds {
  const count = binCount(BINS_PER_SIDE);
  const sums = new Float64Array(4 * count);
  const bins = new Uint16Array(areas.length);
  for (let facet = 0; facet < areas.length; facet++) {
    const area = areas[facet];
    if (area === 0) continue;
    const bin = binOf(normals[3 * facet], normals[3 * facet + 1], normals[3 * facet + 2], BINS_PER_SIDE);
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
  const found: Vec3[] = [];
  for (const { normal, area } of filled.toSorted((a, b) => b.area - a.area)) {
    if (found.length === MOST_NORMALS || area < (LEAST_SHARE * areaMm2) / SPREAD_BINS) break;
    if (found.every((other) => dot(other, normal) < ROUNDS[0])) found.push(normal);
  }
  const seedOfBin = new Uint8Array(count).fill(NO_SEED);
  for (const { bin, normal } of filled) {
    let most = WITHIN_SEED;
    for (let seed = 0; seed < found.length; seed++) {
      const cosine = dot(found[seed], normal);
      if (cosine > most) {
        most = cosine;
        seedOfBin[bin] = seed;
      }
    }
  }
  return {
    normals: found,
    seedOf: Uint8Array.from(bins, (bin, facet) => (areas[facet] > 0 ? seedOfBin[bin] : NO_SEED)),
  };
}

interface Sum {
  x: number;
  y: number;
  z: number;
  /** Distance along the seed's normal, times area. */
  offset: number;
  area: number;
}

const flatOf = ({ x, y, z, offset, area }: Sum): Flat => ({
  normal: unit([x, y, z]),
  offsetMm: offset / area,
  areaMm2: area,
});

function addFacet(part: Part, facet: number, offsetMm: number, sum: Sum): void {
  const area = part.areas[facet];
  sum.x += area * part.normals[3 * facet];
  sum.y += area * part.normals[3 * facet + 1];
  sum.z += area * part.normals[3 * facet + 2];
  sum.offset += area * offsetMm;
  sum.area += area;
}

/** The planes of each normal: facets of about that normal, by their distance along it. */
function planesOf(part: Part, seedOf: Uint8Array, normals: readonly Vec3[], apartMm: number): Flat[][] {
  const steps = normals.map(() => new Map<number, Sum>());
  for (let facet = 0; facet < seedOf.length; facet++) {
    const seed = seedOf[facet];
    if (seed === NO_SEED) continue;
    const offsetMm = offsetOf(part, facet, normals[seed]);
    const step = Math.floor(offsetMm / apartMm);
    let sum = steps[seed].get(step);
    if (sum === undefined) steps[seed].set(step, (sum = { x: 0, y: 0, z: 0, offset: 0, area: 0 }));
    addFacet(part, facet, offsetMm, sum);
  }
  return steps.map((sums) => {
    const planes: Flat[] = [];
    for (const sum of [...sums.values()].sort((a, b) => b.area - a.area)) {
      if (sum.area < (LEAST_SHARE * part.areaMm2) / 2) break;
      const flat = flatOf(sum);
      if (planes.every(({ offsetMm }) => Math.abs(offsetMm - flat.offsetMm) > apartMm)) planes.push(flat);
    }
    return planes;
  });
}

/** The planes anew, of the facets that are near them in angle and place. */
function gathered(
  part: Part,
  seedOf: Uint8Array,
  planes: readonly (readonly Flat[])[],
  cosine: number,
  apartMm: number,
): Flat[][] {
  const { normals } = part;
  const sums = planes.map((flats) => flats.map((): Sum => ({ x: 0, y: 0, z: 0, offset: 0, area: 0 })));
  for (let facet = 0; facet < seedOf.length; facet++) {
    if (seedOf[facet] === NO_SEED) continue;
    const flats = planes[seedOf[facet]];
    for (let k = 0; k < flats.length; k++) {
      const { normal, offsetMm } = flats[k];
      const at = 3 * facet;
      if (normals[at] * normal[0] + normals[at + 1] * normal[1] + normals[at + 2] * normal[2] < cosine) continue;
      const here = offsetOf(part, facet, normal);
      if (Math.abs(here - offsetMm) <= apartMm) addFacet(part, facet, here, sums[seedOf[facet]][k]);
    }
  }
  return planes.map((flats, seed) =>
    flats.map((flat, k) => (sums[seed][k].area > flat.areaMm2 / 2 ? flatOf(sums[seed][k]) : flat)),
  );
}

function offsetOf({ vertices, triangles }: Part, facet: number, normal: Vec3): number {
  const a = 3 * triangles[3 * facet];
  const b = 3 * triangles[3 * facet + 1];
  const c = 3 * triangles[3 * facet + 2];
  const x = vertices[a] + vertices[b] + vertices[c];
  const y = vertices[a + 1] + vertices[b + 1] + vertices[c + 1];
  const z = vertices[a + 2] + vertices[b + 2] + vertices[c + 2];
  return (normal[0] * x + normal[1] * y + normal[2] * z) / 3;
}
