import { type Box, boxCentre } from "../geometry/box.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import type { Mat3 } from "../geometry/vector.ts";
import type { Mesh } from "./mesh.ts";

/**
 * The measures of a rotated mesh that the scene needs: its bounding box and the convex hull of its projection on the
 * platform for placement, its slabs for layers and print time. All at scale 1, positions relative to the model's origin.
 * It depends only on the mesh and its orientation, so it stays valid when the model is moved or scaled.
 */
export interface Outline {
  readonly box: Box;
  /** x, y of the hull's corners, counter-clockwise. */
  readonly hullXy: Float64Array;
  /** Between the bottom and the top of `box`. */
  readonly slabs: Slabs;
}

/**
 * The outline of a mesh rotated by `rotation` about the centre of its bounding box. The box has exactly the coordinates
 * of vertices in the arithmetic of {@link rotateVector}.
 */
export function outlineOf(mesh: Mesh, rotation: Mat3): Outline {
  const { vertices } = mesh;
  const [ox, oy, oz] = boxCentre(mesh.box);
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = rotation;
  const xs = new Float64Array(vertices.length / 3);
  const ys = new Float64Array(vertices.length / 3);
  const zs = new Float64Array(vertices.length / 3);
  let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
  let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xs.length; i++) {
    const px = vertices[3 * i] - ox;
    const py = vertices[3 * i + 1] - oy;
    const pz = vertices[3 * i + 2] - oz;
    const x = m0 * px + m1 * py + m2 * pz;
    const y = m3 * px + m4 * py + m5 * pz;
    const z = m6 * px + m7 * py + m8 * pz;
    xs[i] = x;
    ys[i] = y;
    zs[i] = z;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  return {
    box: { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] },
    hullXy: convexHull(xs, ys),
    slabs: slabsOf({ xs, ys, zs }, mesh.triangles, minZ, maxZ),
  };
}

/**
 * Measures of the horizontal slabs of equal height that a rotated mesh is cut into, from the lowest up, at scale 1. They
 * give estimates for layers without slicing.
 */
export interface Slabs {
  /** Volume of each slab; the sum is |volume| of a closed mesh. May be negative in an open or partly inverted mesh. */
  readonly volumesMm3: Float32Array;
  /**
   * ∫ √(1 − n_z²) dA over the facets within each slab, where n is the facet's unit normal: the mean length of the outline
   * times the height, by the coarea formula (Federer, "Geometric Measure Theory", 3.2.11, for the function z).
   */
  readonly wallAreasMm2: Float32Array;
  /** The largest |n_z| of the facets in each slab that are not level: 0 for vertical walls, near 1 for flat slopes. */
  readonly flatness: Float32Array;
}

/** A body in the scene by its slabs. Heights in the scene; slabs at scale 1. */
export interface SlabbedBody {
  readonly slabs: Slabs;
  readonly bottomMm: number;
  readonly topMm: number;
  readonly scale: number;
  /** Number of equal bodies. */
  readonly count: number;
  /** Solid share of the volume of the slabs: less than 1 for a mesh that encloses some volume twice. */
  readonly solidShare: number;
}

/** Vertices of a rotated mesh, mm. */
interface RotatedVertices {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly zs: Float64Array;
}

/** 0.2 mm per slab of a part of 100 mm; 6 KiB per outline. */
const MAX_SLABS = 512;
const MIN_SLABS = 32;
/** Limit of facets times the slabs that each passes through: about 50 ms. Only meshes of many tall facets reach it. */
const MAX_PASSES = 8_000_000;
/** A facet of a smaller height counts as level, because no layer is that thin, mm. */
const LEVEL_RISE_MM = 1e-3;

/** The slabs of a rotated mesh between the heights `minZ` and `maxZ`. */
export function slabsOf({ xs, ys, zs }: RotatedVertices, triangles: Uint32Array, minZ: number, maxZ: number): Slabs {
  const count = slabCount(zs, triangles, maxZ - minZ);
  const slabMm = (maxZ - minZ) / count;
  const perMm = slabMm > 0 ? 1 / slabMm : 0;
  const walls = new Float64Array(count);
  const flatness = new Float32Array(count);
  // The growth of the cross-section's area within each slab, and the integral of that growth over the slab's height.
  const growths = new Float64Array(count);
  const moments = new Float64Array(count);
  for (let at = 0; at < triangles.length; at += 3) {
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    const ux = xs[b] - xs[a];
    const uy = ys[b] - ys[a];
    const uz = zs[b] - zs[a];
    const vx = xs[c] - xs[a];
    const vy = ys[c] - ys[a];
    const vz = zs[c] - zs[a];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const wall = Math.sqrt(nx * nx + ny * ny) / 2;
    const growth = -nz / 2;
    const p = (zs[a] - minZ) * perMm;
    const q = (zs[b] - minZ) * perMm;
    const r = (zs[c] - minZ) * perMm;
    const low = Math.min(p, q, r);
    const high = Math.max(p, q, r);
    const mean = (p + q + r) / 3;
    const first = Math.min(count - 1, Math.floor(low));
    const last = Math.min(count - 1, Math.floor(high));
    if ((high - low) * slabMm > LEVEL_RISE_MM) {
      raise(flatness, first, Math.min(high, count), Math.abs(nz) / Math.sqrt(nx * nx + ny * ny + nz * nz));
    }
    if (first === last) {
      walls[first] += wall;
      growths[first] += growth;
      moments[first] += growth * (first + 1 - mean);
      continue;
    }
    addAcrossSlabs(
      { walls, growths, moments },
      { wall, growth, low, mid: 3 * mean - low - high, high, mean },
      first,
      last,
    );
  }
  return { volumesMm3: slabVolumes(growths, moments, slabMm), wallAreasMm2: Float32Array.from(walls), flatness };
}

/** Raises the values from index `from` to below `end` to at least `value`. */
function raise(values: Float32Array, from: number, end: number, value: number): void {
  for (let k = from; k < end; k++) if (value > values[k]) values[k] = value;
}

/** Sums by slab: areas of walls, and the growth of the cross-section within each slab with its integral over the height. */
interface SlabSums {
  readonly walls: Float64Array;
  readonly growths: Float64Array;
  readonly moments: Float64Array;
}

/** A facet that several slabs cut; heights in slabs. */
interface TallFacet {
  readonly wall: number;
  readonly growth: number;
  readonly low: number;
  readonly mid: number;
  readonly high: number;
  readonly mean: number;
}

function addAcrossSlabs(
  { walls, growths, moments }: SlabSums,
  { wall, growth, low, mid, high, mean }: TallFacet,
  first: number,
  last: number,
): void {
  // The fraction of the facet's area below a height, and the integral of that fraction over the heights below.
  let below = 0;
  let integral = 0;
  for (let k = first; k <= last; k++) {
    const z = k + 1;
    const lastBelow = below;
    const lastIntegral = integral;
    if (z >= high) {
      below = 1;
      integral = z - mean;
    } else if (z <= mid) {
      below = ((z - low) * (z - low)) / ((mid - low) * (high - low));
      integral = (below * (z - low)) / 3;
    } else {
      const above = ((high - z) * (high - z)) / ((high - mid) * (high - low));
      below = 1 - above;
      integral = z - mean + (above * (high - z)) / 3;
    }
    walls[k] += wall * (below - lastBelow);
    growths[k] += growth * (below - lastBelow);
    moments[k] += growth * (integral - lastIntegral - lastBelow);
  }
}

/** The number of slabs: the maximum, or fewer for a mesh with many facets that each pass through most slabs. */
function slabCount(zs: Float64Array, triangles: Uint32Array, heightMm: number): number {
  let risesMm = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const a = zs[triangles[at]];
    const b = zs[triangles[at + 1]];
    const c = zs[triangles[at + 2]];
    risesMm += Math.max(a, b, c) - Math.min(a, b, c);
  }
  const affordable = Math.floor((MAX_PASSES * heightMm) / risesMm);
  return affordable >= MIN_SLABS ? Math.min(MAX_SLABS, affordable) : MIN_SLABS;
}

/** Volumes from the growth of the cross-section. The missing area of an open mesh is divided equally between both ends. */
function slabVolumes(growths: Float64Array, moments: Float64Array, slabMm: number): Float32Array {
  let area = -growths.reduce((sum, growth) => sum + growth, 0) / 2;
  const volumes = growths.map((growth, k) => {
    const volume = (area + moments[k]) * slabMm;
    area += growth;
    return volume;
  });
  const sign = volumes.reduce((sum, volume) => sum + volume, 0) < 0 ? -1 : 1;
  return Float32Array.from(volumes, (volume) => sign * volume);
}
