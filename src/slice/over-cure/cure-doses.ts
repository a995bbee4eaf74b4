import { operationFailed } from "../../core/api-error.ts";
import type { Steps } from "../../core/steps.ts";

/** How resin cures, after the working curve (P. F. Jacobs, "Rapid Prototyping & Manufacturing", 1992). */
export interface ResinCure {
  /** Depth over which light fades to 1/e. */
  readonly penetrationMm: number;
  /** Dose of a white pixel at the film in a normal layer ÷ the least dose that cures. */
  readonly exposureRatio: number;
}

/** The cure of the layers of a job. Plain data. */
export interface LayerCure extends ResinCure {
  /** Exposure of each layer ÷ that of a normal one. */
  readonly exposures: Float64Array;
}

/**
 * Doses of a layer over faces that look down, as shares of that of white. A column of resin is lit from its upper end down until the doses of
 * its layers sum to the least one that cures at its lower face; the layers below stay dark, and one in between is lit in part.
 */
export interface LayerDoses {
  /** From so many layers on, this one included, columns have the full dose. */
  readonly depth: number;
  /** Entry i, from 0 to `depth`: the dose that cures down to a face i layers deep, this layer included. */
  readonly reach: Float64Array;
  /** Entry i: how many penetration depths thick the lowest of i layers is. */
  readonly steps: Float64Array;
  /** Entry a: what a layers above this one, all white, contribute to that dose. The last entry is for any larger number. */
  readonly above: Float64Array;
}

/** Depths over which more layers above contribute: e⁻⁴ of their doses is left out, 2 % of a penetration depth. */
const PENETRATIONS_AHEAD = 4;
/** The uppermost layers of each column keep their light, so that thin floors do not vanish. */
const LAYERS_KEPT = 2;
/** All layers that a layer depends on. Figures that need more are wrong, or layers are far thinner than the light is deep. */
export const MOST_LAYERS = 256;

/** How far thick bodies of normal layers cure beyond their lower faces, where the doses of all layers add up; 0 if they do not. */
export function printThroughMm({ penetrationMm, exposureRatio }: ResinCure, thicknessMm: number): number {
  const fading = Math.exp(-thicknessMm / penetrationMm);
  return Math.max(0, penetrationMm * Math.log((exposureRatio * fading) / (1 - fading)));
}

/** The exposure ratio of a resin whose thick bodies cure `printThroughMm` beyond their lower faces. */
export function ratioOfPrintThrough(printThroughMm: number, penetrationMm: number, thicknessMm: number): number {
  const fading = Math.exp(-thicknessMm / penetrationMm);
  return (Math.exp(printThroughMm / penetrationMm) * (1 - fading)) / fading;
}

/** The doses of layer k of the layers between these boundaries. */
export function layerDoses(
  { penetrationMm, exposureRatio, exposures }: LayerCure,
  boundariesMm: Float64Array,
  k: number,
): LayerDoses {
  const filmMm = boundariesMm[k + 1];
  const fadingTo = (heightMm: number): number => rounded(Math.exp(-Math.abs(heightMm - filmMm) / penetrationMm));
  const isAhead = (layer: number): boolean =>
    layer <= k + LAYERS_KEPT || boundariesMm[layer] - filmMm < PENETRATIONS_AHEAD * penetrationMm;
  const above = [0];
  let [layer, last] = [k + 1, 0];
  for (; layer < exposures.length && isAhead(layer); layer++) {
    last = (exposures[layer] / exposures[k]) * fadingTo(boundariesMm[layer + 1]);
    above.push(above[layer - k - 1] + last);
  }
  if (layer < exposures.length) {
    const fading = rounded(Math.exp(-(boundariesMm[layer] - boundariesMm[layer - 1]) / penetrationMm));
    above[above.length - 1] += (last * fading) / (1 - fading);
  }
  const reach = [0];
  for (let i = 1; i <= k + 1 && reach[i - 1] - above[above.length - 1] < 1; i++) {
    reach.push(1 / (fadingTo(boundariesMm[k - i + 1]) * exposureRatio * exposures[k]));
    requireFew(i + above.length);
  }
  return {
    depth: reach.length - 1,
    reach: Float64Array.from(reach),
    steps: Float64Array.from(reach, (_, i) => (boundariesMm[k - i + 2] - boundariesMm[k - i + 1]) / penetrationMm),
    above: keptAtFilm(above),
  };
}

/** Layers that each layer depends on: from entry k of `firsts` to before entry k of `ends`. Both ascend. */
export interface CureReach {
  readonly firsts: Uint32Array;
  readonly ends: Uint32Array;
}

const LAYERS_PER_STEP = 64;

/** The reach of all layers, in steps: they are up to 10,000. */
export function* cureReach(cure: LayerCure, boundariesMm: Float64Array): Steps<CureReach> {
  const layers = cure.exposures.length;
  const reach = { firsts: new Uint32Array(layers), ends: new Uint32Array(layers) };
  for (let k = 0; k < layers; k++) {
    if (k % LAYERS_PER_STEP === 0) yield;
    const { depth, above } = layerDoses(cure, boundariesMm, k);
    reach.firsts[k] = Math.max(0, k - depth);
    reach.ends[k] = Math.max(k + above.length, reach.ends[k - 1] ?? 0);
  }
  // What a layer above needs from further below is kept for it.
  for (let k = layers - 1; k > 0; k--) reach.firsts[k - 1] = Math.min(reach.firsts[k - 1], reach.firsts[k]);
  return reach;
}

/** Engines differ in the last bits of exponentials. */
const rounded = (value: number): number => Math.round(value * 2 ** 48) / 2 ** 48;

/** All doses are full where few layers are above. */
const keptAtFilm = (above: readonly number[]): Float64Array =>
  Float64Array.from(above, (sum, count) => (count < LAYERS_KEPT ? -1 : sum));

function requireFew(layers: number): void {
  if (layers <= MOST_LAYERS) return;
  throw operationFailed(
    `By the figures of the resin, light cures through more than ${MOST_LAYERS} layers. Check its penetration_mm, exposure_ratio and print_through_mm, or set its compensation.over_cure to false.`,
  );
}
