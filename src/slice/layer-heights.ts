import { type Steps, runAtOnce } from "../core/steps.ts";

/** The thinnest and the thickest layer, mm. */
export interface AdaptiveBounds {
  readonly minMm: number;
  readonly maxMm: number;
}

/** The flatness of a body's slabs of equal height (see `Slabs`) between its bottom and top in the scene. */
export interface Slopes {
  readonly bottomMm: number;
  readonly topMm: number;
  readonly flatness: Float32Array;
}

/** Tolerance in layers: rounding of a height that is a whole number of layers must not add a layer. */
const LAYER_ROUNDING = 1e-6;

/** Thicknesses of adaptive layers differ by multiples of this, a step that lead screws can follow. */
const STEP_MM = 0.005;

/** Heights are rounded to the nanometre, so that sums of steps do not accumulate rounding errors. */
const PER_MM = 1e6;
const toNanometre = (heightMm: number): number => Math.round(heightMm * PER_MM) / PER_MM;

/** Number of layers of one thickness up to a height, rounded up. */
export const countLayers = (heightMm: number, thicknessMm: number): number =>
  Math.max(0, Math.ceil(heightMm / thicknessMm - LAYER_ROUNDING));

/**
 * The boundaries of layers, mm, from 0 upward: layer k reaches from entry k to entry k + 1. The last entry is at `topMm` or
 * less than a layer above it; the only entry is 0 where nothing is above the platform.
 */
export const layerBoundariesMm = (
  thickness: number | AdaptiveBounds,
  topMm: number,
  bodies: readonly Slopes[],
): Float64Array => runAtOnce(layerBoundarySteps(thickness, topMm, bodies));

/** Computes {@link layerBoundariesMm} in steps: a scene has up to 10,000 bodies. */
export function* layerBoundarySteps(
  thickness: number | AdaptiveBounds,
  topMm: number,
  bodies: readonly Slopes[],
): Steps<Float64Array> {
  if (typeof thickness !== "number") return yield* adaptiveBoundariesMm(thickness, topMm, bodies);
  return Float64Array.from({ length: countLayers(topMm, thickness) + 1 }, (_, k) => toNanometre(k * thickness));
}

/**
 * Layers with a bounded cusp height: on a facet with unit normal n, a layer of thickness h leaves a cusp of h·|n_z| (Dolenc
 * and Mäkelä, "Slicing procedures for layered manufacturing techniques", Computer-Aided Design 26 (2), 1994). The bound is
 * the cusp of the thinnest layer on the flattest slope. Horizontal faces leave no cusp.
 */
function* adaptiveBoundariesMm(bounds: AdaptiveBounds, topMm: number, bodies: readonly Slopes[]): Steps<Float64Array> {
  const { minMm, maxMm } = bounds;
  const allowed = yield* allowedThicknessesMm(bounds, topMm, bodies);
  const boundaries = [0];
  for (let z = 0; topMm - z > LAYER_ROUNDING * minMm;) {
    let thickestMm = maxMm;
    for (let cell = Math.floor(z / minMm + LAYER_ROUNDING); cell < allowed.length; cell++) {
      const toCellMm = cell * minMm - z;
      if (toCellMm >= thickestMm) break;
      // A layer may end where a flatter slope begins.
      thickestMm = Math.min(thickestMm, Math.max(allowed[cell], toCellMm));
    }
    const toTopMm = minMm + STEP_MM * Math.ceil((topMm - z - minMm) / STEP_MM - LAYER_ROUNDING);
    const steps = Math.floor((Math.min(thickestMm, toTopMm) - minMm) / STEP_MM + LAYER_ROUNDING);
    z = toNanometre(z + minMm + STEP_MM * Math.max(0, steps));
    boundaries.push(z);
  }
  return Float64Array.from(boundaries);
}

/** Bodies whose slopes are measured per step: each takes up to 0.1 ms. */
const BODIES_PER_STEP = 64;

/** The largest allowed thickness, mm, of a layer through each cell; cells have the thinnest layer's height. */
function* allowedThicknessesMm(
  { minMm, maxMm }: AdaptiveBounds,
  topMm: number,
  bodies: readonly Slopes[],
): Steps<Float64Array> {
  const allowed = new Float64Array(countLayers(topMm, minMm)).fill(maxMm);
  for (const [i, { bottomMm, topMm: bodyTopMm, flatness }] of bodies.entries()) {
    if (i > 0 && i % BODIES_PER_STEP === 0) yield;
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

/** The middle of each layer: the height at which it is sampled. */
export const midHeightsMm = (boundariesMm: Float64Array): Float64Array =>
  Float64Array.from(
    { length: Math.max(0, boundariesMm.length - 1) },
    (_, k) => (boundariesMm[k] + boundariesMm[k + 1]) / 2,
  );
