import type { Progress } from "../core/progress.ts";
import {
  type CureFacts,
  type CureParameters,
  growthMm,
  logBond,
  logShareOfGrowth,
  penetrationMm,
  throughMm,
} from "./cure-model.ts";
import { type FitRequest, type FittedPlate, errorOf, fitPlate } from "./fit-plate.ts";

/** The figures of a resin, in their order. */
export const FIGURES = [
  "exposure_s",
  "exposure_ratio",
  "penetration_mm",
  "blur_mm",
  "edge_growth_mm",
  "print_through_mm",
  "scale_x",
  "scale_y",
  "scale_z",
  "response_exponent",
  "dose_memory",
] as const;

export type FigureName = (typeof FIGURES)[number];

/** A figure that follows from a plate. */
export interface Figure {
  readonly name: FigureName;
  readonly value: number;
  /** Standard deviation. */
  readonly error: number;
  /** Whether the readings tell it: its error is small enough to be of use. */
  readonly isDetermined: boolean;
  /** What would tell it; only of figures that are not determined. */
  readonly needs?: string;
}

export interface ResinOfPlate extends Pick<FittedPlate, "doubtful" | "saturated"> {
  readonly figures: readonly Figure[];
}

export interface ResinRequest extends FitRequest {
  /** Exposure of white pixels in the normal layers of the plate. */
  readonly exposureS: number;
  /** By how much thin bars may be too thin at the exposure that is recommended. */
  readonly toleranceMm: number;
}

/** Dose with which a layer should reach the one before, in units of the least one: some for patches and days with less light. Working value. */
const BOND_MARGIN = 1.3;

/** Greatest standard deviations with which figures are of use, relative for those of factors. Working values. */
const USEFUL: Readonly<Record<FigureName, number>> = {
  exposure_s: 0.05,
  exposure_ratio: 0.1,
  penetration_mm: 0.15,
  blur_mm: 0.003,
  edge_growth_mm: 0.01,
  print_through_mm: 0.03,
  scale_x: 0.001,
  scale_y: 0.001,
  scale_z: 0.001,
  response_exponent: 0.2,
  dose_memory: 0.1,
};
const RELATIVE: ReadonlySet<FigureName> = new Set(["exposure_s", "exposure_ratio", "penetration_mm"]);

/** The least values that figures can have: smaller ones are within the error of none. */
const LEAST: Partial<Record<FigureName, number>> = { blur_mm: 0.001, print_through_mm: 0 };
/** Figures that are those of the recommended exposure. */
const OF_EXPOSURE: ReadonlySet<FigureName> = new Set(["exposure_ratio", "edge_growth_mm", "print_through_mm"]);

const NEEDS: Readonly<Record<FigureName, string>> = {
  exposure_s: "the numbers of towers",
  exposure_ratio: "the numbers of towers and of thin pads",
  penetration_mm: "the numbers of thin pads and the thicknesses of the bridges",
  blur_mm: "the distances over and between posts, also of those in grey",
  edge_growth_mm: "the distances over and between posts",
  print_through_mm: "the thicknesses of the thick bridges",
  scale_x: "the distances of the posts along x",
  scale_y: "the distances of the posts along y",
  scale_z: "all heights with a micrometer, and give its error: the plate is too low for calipers",
  response_exponent: "the numbers of thin pads of all rows",
  dose_memory: "the thicknesses of all bridges",
};

/**
 * Logarithm of the recommended exposure in those of the plate: the smallest with which layers reach the ones before by a margin, and thin bars are
 * not too thin.
 */
function logExposure(parameters: CureParameters, facts: CureFacts, toleranceMm: number): number {
  const bond = Math.log(BOND_MARGIN) - logBond(parameters, facts);
  return Math.max(bond, logShareOfGrowth(parameters, facts, -toleranceMm / 2));
}

/** The figures of the resin of a plate, for the recommended exposure. */
export function resinOfPlate(request: ResinRequest, progress: Progress): ResinOfPlate {
  const { facts, exposureS, toleranceMm } = request;
  const fitted = fitPlate(request, progress);
  const share = (at: CureParameters): number => logExposure(at, facts, toleranceMm);
  const values: Readonly<Record<FigureName, (at: CureParameters) => number>> = {
    exposure_s: (at) => exposureS * Math.exp(share(at)),
    exposure_ratio: (at) => Math.exp(at.logRatio + share(at)),
    penetration_mm: penetrationMm,
    blur_mm: ({ blurMm }) => blurMm,
    edge_growth_mm: (at) => growthMm(at, facts, share(at)),
    print_through_mm: (at) => throughMm(at, facts, share(at)),
    scale_x: ({ scaleX }) => scaleX,
    scale_y: ({ scaleY }) => scaleY,
    scale_z: ({ scaleZ }) => scaleZ,
    response_exponent: ({ exponent }) => exponent,
    dose_memory: ({ memory }) => memory,
  };
  const isUseful = (name: FigureName, value: number, error: number): boolean =>
    error <= USEFUL[name] * (RELATIVE.has(name) ? value : 1) && value >= (LEAST[name] ?? -Infinity);
  const known = FIGURES.filter((name) => name !== "response_exponent" || facts.response === undefined);
  const computed = known.map((name) => {
    const value = values[name](fitted.parameters);
    const error = errorOf(values[name], fitted);
    return { name, value, error, isDetermined: isUseful(name, value, error) };
  });
  const told = new Set(computed.filter(({ isDetermined }) => isDetermined).map(({ name }) => name));
  const figures = computed.map((figure): Figure => {
    const { name } = figure;
    const hasExposure = told.has("exposure_s") || !OF_EXPOSURE.has(name);
    // Without thick bridges it would be computed, not measured.
    const isMeasured = told.has("dose_memory") || name !== "print_through_mm";
    const isDetermined = figure.isDetermined && hasExposure && isMeasured;
    return { ...figure, isDetermined, ...(!isDetermined && { needs: NEEDS[figure.name] }) };
  });
  return { figures, doubtful: fitted.doubtful, saturated: fitted.saturated };
}
