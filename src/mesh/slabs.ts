/**
 * A turned mesh cut level into slabs of equal height, counted upward from its lowest point, at scale 1. What can be told
 * of its layers without slicing it.
 */
export interface Slabs {
  /** Volume of each; together |volume| of a closed mesh. Some may be below 0 where a mesh is open or partly inside out. */
  readonly volumesMm3: Float32Array;
  /**
   * ∫ √(1 − n_z²) dA over the facets within each, where n is the facet's unit normal: mean length of the outline times
   * height, by the coarea formula (Federer, "Geometric Measure Theory", 3.2.11, of the function z on the surface).
   */
  readonly wallAreasMm2: Float32Array;
  /** The largest |n_z| of the facets that pass through each and are not level: 0 for upright walls, near 1 for flat slopes. */
  readonly flatness: Float32Array;
}

/** A body by its slabs, which lie between its bottom and its top. World heights; slabs at scale 1. */
export interface SlabbedBody {
  readonly slabs: Slabs;
  readonly bottomMm: number;
  readonly topMm: number;
  readonly scale: number;
  /** How many there are of it. */
  readonly count: number;
}

/** The corners of a mesh after its turn, mm. */
export interface TurnedPoints {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly zs: Float64Array;
}

/** A fifth of a millimetre of a part of 100 mm: 6 KiB for each outline. */
const MOST_SLABS = 512;
const FEWEST_SLABS = 32;
/** Facets times slabs that they pass through: some 50 ms of work. Only meshes of many tall facets reach it. */
const MOST_PASSES = 8_000_000;
/** A facet that rises less is level but for rounding, mm: no layer is that thin. */
const LEVEL_RISE_MM = 1e-3;

/** Cuts a turned mesh, whose heights go from `minZ` to `maxZ`, into slabs. */
export function slabsOf({ xs, ys, zs }: TurnedPoints, triangles: Uint32Array, minZ: number, maxZ: number): Slabs {
  const count = slabCount(zs, triangles, maxZ - minZ);
  const slabMm = (maxZ - minZ) / count;
  const perMm = slabMm > 0 ? 1 / slabMm : 0;
  const walls = new Float64Array(count);
  const flatness = new Float32Array(count);
  // Of the cross-section: how much it grows within each slab, and the integral of that growth over the slab's height.
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
      const flat = Math.abs(nz) / Math.sqrt(nx * nx + ny * ny + nz * nz);
      for (let k = first; k < high && k < count; k++) if (flat > flatness[k]) flatness[k] = flat;
    }
    if (first === last) {
      walls[first] += wall;
      growths[first] += growth;
      moments[first] += growth * (first + 1 - mean);
      continue;
    }
    const mid = 3 * mean - low - high;
    // The share of the facet below a height, and that share's integral over the heights below.
    let below = 0;
    let integral = 0;
    for (let k = first; k <= last; k++) {
      const z = k + 1;
      const [lastBelow, lastIntegral] = [below, integral];
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
  return { volumesMm3: volumesOf(growths, moments, slabMm), wallAreasMm2: Float32Array.from(walls), flatness };
}

/** As many slabs as there may be, fewer where facets are so many and so tall that each passes through most of them. */
function slabCount(zs: Float64Array, triangles: Uint32Array, heightMm: number): number {
  let risesMm = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const a = zs[triangles[at]];
    const b = zs[triangles[at + 1]];
    const c = zs[triangles[at + 2]];
    risesMm += Math.max(a, b, c) - Math.min(a, b, c);
  }
  const affordable = Math.floor((MOST_PASSES * heightMm) / risesMm);
  return affordable >= FEWEST_SLABS ? Math.min(MOST_SLABS, affordable) : FEWEST_SLABS;
}

/** Volumes from the growth of the cross-section. Where a mesh is open, half of what is missing is put at each end. */
function volumesOf(growths: Float64Array, moments: Float64Array, slabMm: number): Float32Array {
  let area = -growths.reduce((sum, growth) => sum + growth, 0) / 2;
  const volumes = growths.map((growth, k) => {
    const volume = (area + moments[k]) * slabMm;
    area += growth;
    return volume;
  });
  const sign = volumes.reduce((sum, volume) => sum + volume, 0) < 0 ? -1 : 1;
  return Float32Array.from(volumes, (volume) => sign * volume);
}
