/** The thinnest and the thickest layer, mm. */
export interface AdaptiveBounds {
  readonly minMm: number;
  readonly maxMm: number;
}

/** A body's slopes between its bottom and its top, by equal steps of height (`Slabs.flatness`). World heights. */
export interface Slopes {
  readonly bottomMm: number;
  readonly topMm: number;
  readonly flatness: Float32Array;
}

/** Rounding of a height that is a whole number of layers must not cost a layer more. Share of a layer. */
const LAYER_ROUNDING = 1e-6;

/** Adaptive layers differ by whole steps of this, so that a machine's lead screw can follow them. */
const STEP_MM = 0.005;

/** Heights are kept to the nanometre: sums of steps shall not gather rounding. */
const PER_MM = 1e6;
const toNanometre = (heightMm: number): number => Math.round(heightMm * PER_MM) / PER_MM;

/** Layers of one thickness from the platform up to a height, rounded up. */
export const countLayers = (heightMm: number, thicknessMm: number): number =>
  Math.max(0, Math.ceil(heightMm / thicknessMm - LAYER_ROUNDING));

/**
 * The heights between which layers lie, mm, from 0 upward: layer k from the k-th to the next. They reach `topMm`, the
 * last at or less than a layer above it; only 0 where nothing stands above the platform.
 */
export function layerBoundariesMm(
  thickness: number | AdaptiveBounds,
  topMm: number,
  bodies: readonly Slopes[],
): Float64Array {
  if (typeof thickness !== "number") return adaptiveBoundariesMm(thickness, topMm, bodies);
  return Float64Array.from({ length: countLayers(topMm, thickness) + 1 }, (_, k) => toNanometre(k * thickness));
}

/**
 * Layers whose cusp stays within bounds: on a facet of normal n, a layer of thickness h leaves a step that stands out by
 * h·|n_z| (Dolenc and Mäkelä, "Slicing procedures for layered manufacturing techniques", Computer-Aided Design 26 (2),
 * 1994). It may stand out as far as the thinnest layer does on the flattest slope. Level faces leave no cusp.
 */
function adaptiveBoundariesMm(bounds: AdaptiveBounds, topMm: number, bodies: readonly Slopes[]): Float64Array {
  const { minMm, maxMm } = bounds;
  const allowed = allowedMm(bounds, topMm, bodies);
  const boundaries = [0];
  for (let z = 0; topMm - z > LAYER_ROUNDING * minMm;) {
    let most = maxMm;
    for (let cell = Math.floor(z / minMm + LAYER_ROUNDING); cell < allowed.length; cell++) {
      const reach = cell * minMm - z;
      if (reach >= most) break;
      // A layer may end where a flatter slope begins.
      most = Math.min(most, Math.max(allowed[cell], reach));
    }
    const needed = minMm + STEP_MM * Math.ceil((topMm - z - minMm) / STEP_MM - LAYER_ROUNDING);
    const steps = Math.floor((Math.min(most, needed) - minMm) / STEP_MM + LAYER_ROUNDING);
    z = toNanometre(z + minMm + STEP_MM * Math.max(0, steps));
    boundaries.push(z);
  }
  return Float64Array.from(boundaries);
}

/** How thick a layer through each cell may be, mm, where cells of the thinnest layer's height lie on the platform. */
function allowedMm({ minMm, maxMm }: AdaptiveBounds, topMm: number, bodies: readonly Slopes[]): Float64Array {
  const allowed = new Float64Array(countLayers(topMm, minMm)).fill(maxMm);
  for (const { bottomMm, topMm: bodyTopMm, flatness } of bodies) {
    const slabMm = (bodyTopMm - bottomMm) / flatness.length;
    for (let slab = 0; slab < flatness.length; slab++) {
      const limit = Math.max(minMm, minMm / flatness[slab]);
      if (limit >= maxMm) continue;
      const from = Math.max(0, Math.floor((bottomMm + slab * slabMm) / minMm + LAYER_ROUNDING));
      const to = Math.min(allowed.length, Math.ceil((bottomMm + (slab + 1) * slabMm) / minMm - LAYER_ROUNDING));
      for (let cell = from; cell < to; cell++) if (limit < allowed[cell]) allowed[cell] = limit;
    }
  }
  return allowed;
}
