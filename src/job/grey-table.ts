import { crossing, normal } from "../core/normal-distribution.ts";
import { upperBound } from "../geometry/binary-search.ts";

/** What is known of a panel and its light. */
export interface PanelOptics {
  /** Exponent of grey / 255, or the doses of greys at equal steps from 0 to 255; a dose is a share of that of white. */
  readonly response: number | readonly number[];
  /** With black and white, at equal steps of grey. */
  readonly greyLevels: number;
  /** The darkest grey that lets useful light through. */
  readonly leastGrey: number;
  /** Standard deviations of the blur along both axes, in pixels; absent if not known. */
  readonly blurPx?: readonly [number, number] | undefined;
  /** Share of the dose of white that cures; {@link HALF} if absent. */
  readonly leastDose?: number | undefined;
}

/**
 * Share of the full dose that cures, after the working curve of resins (Jacobs, Rapid Prototyping & Manufacturing, 1992). A convention where it is not
 * measured: at a half, edges of white pixels are at their places.
 */
const HALF = 0.5;

/**
 * The grey for each coverage of a pixel, 0 to 255 of 255: the one whose dose is nearest to that which puts the edge of the cured resin where the
 * coverage says. Ascending from 0 to 255. Without a blur the wanted dose is the coverage.
 */
export function greyTable(optics: PanelOptics): Uint8Array {
  const { greys, doses } = greyPalette(optics);
  return Uint8Array.from(wantedDoses(optics), (dose) => greys[nearestDose(doses, dose)]);
}

/** The greys of a panel, and their doses as shares of that of white; both ascend. Plain data. */
export interface GreyPalette {
  readonly greys: Uint8Array;
  readonly doses: Float64Array;
}

export function greyPalette({ response, greyLevels, leastGrey }: PanelOptics): GreyPalette {
  const all = Array.from({ length: greyLevels }, (_, k) => Math.round((255 * k) / (greyLevels - 1)));
  const greys = Uint8Array.from(all.filter((grey) => grey === 0 || grey >= leastGrey));
  return { greys, doses: Float64Array.from(greys, (grey) => doseOf(response, grey)) };
}

/** The dose for each coverage, 0 to 255 of 255, that puts the edge of the cured resin where the coverage says. */
export function wantedDoses({ blurPx, leastDose = HALF }: Pick<PanelOptics, "blurPx" | "leastDose">): Float64Array {
  const curves = blurPx?.map((blur) => coveragesOfDoses(blur, leastDose)) ?? [];
  const wanted = (cover: number): number =>
    curves.length === 0 ? cover : curves.reduce((sum, curve) => sum + doseFor(curve, cover), 0) / curves.length;
  return Float64Array.from({ length: 256 }, (_, value) => rounded(wanted(value / 255)));
}

/** Engines differ in the last bits of powers and exponentials. */
const rounded = (dose: number): number => Math.round(dose * 2 ** 32) / 2 ** 32;

/** Dose of a grey, 0 to 255, as a share of that of white. */
export function doseOf(response: PanelOptics["response"], grey: number): number {
  if (typeof response === "number") return rounded((grey / 255) ** response);
  const at = (grey / 255) * (response.length - 1);
  const below = Math.min(Math.floor(at), response.length - 2);
  return rounded(response[below] + (at - below) * (response[below + 1] - response[below]));
}

/** Index of the dose that is nearest to a dose; the smaller one of two. The first of at least two is 0. */
export function nearestDose(ascending: Float64Array, dose: number): number {
  const above = Math.min(Math.max(1, upperBound(ascending, dose)), ascending.length - 1);
  return dose - ascending[above - 1] <= ascending[above] - dose ? above - 1 : above;
}

const DOSE_STEPS = 200;
/**
 * The coverages that a straight edge shows whose border pixels have the doses 0, 1/200 … 1: its distance from that of dose 0, in pixels. The dose
 * across the edge is that of white pixels before 0 and of one pixel of the dose, blurred by a Gauss function.
 */
function coveragesOfDoses(blurPx: number, leastDose: number): readonly number[] {
  const edges = Array.from({ length: DOSE_STEPS + 1 }, (_, k) => edgeOf(k / DOSE_STEPS, blurPx, leastDose));
  return edges.map((edge) => edge - edges[0]);
}

/** Where the dose across an edge falls to the least that cures. */
function edgeOf(dose: number, blurPx: number, leastDose: number): number {
  const excess = (at: number): number => {
    const white = normal(-at / blurPx);
    const border = dose * (normal(at / blurPx) - normal((at - 1) / blurPx));
    return white + border - leastDose;
  };
  return crossing(excess, -2, leastDose < HALF ? 3 + 8 * blurPx : 3);
}

/** The dose at which an edge shows a coverage, interpolated. */
function doseFor(coverages: readonly number[], cover: number): number {
  const above = Math.min(Math.max(1, upperBound(coverages, cover)), DOSE_STEPS);
  const [low, high] = [coverages[above - 1], coverages[above]];
  return Math.min(1, (above - 1 + (high > low ? (cover - low) / (high - low) : 1)) / DOSE_STEPS);
}
