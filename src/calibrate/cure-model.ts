import { normal, normalQuantile } from "../core/normal-distribution.ts";
import { type PanelOptics, doseOf } from "../job/grey-table.ts";
import type { Measured, PlateFacts } from "./plate-shape.ts";

// How a resin cures under a panel: light fades by 1/e over the penetration depth, and the doses of all layers above a point add up, after the
// working curve of resins (Jacobs, Rapid Prototyping & Manufacturing, 1992). Doses are in units of the least one that cures.

/** What a plate is fitted by. */
export interface CureParameters {
  /** Logarithm of the dose of a white pixel at the film in a normal layer of the plate. */
  readonly logRatio: number;
  /** Logarithm of the penetration depth in mm. */
  readonly logPenetration: number;
  /** Exponent of grey / 255 of the panel. Without effect if the response is known. */
  readonly exponent: number;
  /** Standard deviation of the lateral blur in mm. */
  readonly blurMm: number;
  /** What is left of the dose of a layer when the next one is exposed: 1 if doses add up. */
  readonly memory: number;
  /** Printed length ÷ true length, along the axes of the printer. */
  readonly scaleX: number;
  readonly scaleY: number;
  readonly scaleZ: number;
  /** Height that a print has too much above the platform, mm. */
  readonly offsetMm: number;
}

/** What the doses of a plate follow from. */
export type CureFacts = Pick<PlateFacts, "layerMm" | "response">;

export const penetrationMm = ({ logPenetration }: CureParameters): number => Math.exp(logPenetration);

/** Share of the light that passes a layer. */
const passing = (parameters: CureParameters, { layerMm }: CureFacts): number =>
  Math.exp(-layerMm / penetrationMm(parameters));

/** Infinitely many layers above must not add up to an infinite dose. */
const MOST_KEPT = 0.98;

/** Share of the dose at the film of a layer that is left below it, with what the memory of resin loses. */
const kept = (parameters: CureParameters, facts: CureFacts): number =>
  Math.min(MOST_KEPT, passing(parameters, facts) * parameters.memory);

/** Logarithm of the dose of a grey as a share of that of white. */
export const logDose = (response: PanelOptics["response"] | undefined, grey: number, exponent: number): number =>
  response === undefined ? exponent * Math.log(grey / 255) : Math.log(doseOf(response, grey));

/** How far a face that looks down prints below its place, with so many layers above it. */
export function throughMm(parameters: CureParameters, facts: CureFacts, logShare: number, layers = Infinity): number {
  const left = kept(parameters, facts);
  const sum = layers === Infinity ? 1 / (1 - left) : (1 - left ** layers) / (1 - left);
  return penetrationMm(parameters) * (parameters.logRatio + logShare + Math.log(sum)) - facts.layerMm;
}

/** Shares of the full dose beyond which the place of an edge is no more told by the blur. */
const [LEAST_THRESHOLD, MOST_THRESHOLD] = [1e-6, 0.98];

/** How far an edge prints beyond its place, at the film side of a layer with many above it, where calipers touch. */
export function growthMm(parameters: CureParameters, facts: CureFacts, logShare: number): number {
  const threshold = (1 - kept(parameters, facts)) * Math.exp(-parameters.logRatio - logShare);
  const share = Math.min(MOST_THRESHOLD, Math.max(LEAST_THRESHOLD, threshold));
  return parameters.blurMm * normalQuantile(1 - share);
}

/** Logarithm of the share of the dose of white at which an edge prints this far beyond its place. */
export function logShareOfGrowth(parameters: CureParameters, facts: CureFacts, wantedMm: number): number {
  const threshold = 1 - normal(wantedMm / Math.max(1e-6, parameters.blurMm));
  return Math.log((1 - kept(parameters, facts)) / threshold) - parameters.logRatio;
}

/** Logarithm of the dose, below that of white, at which a layer no longer reaches the one before. */
export const logBond = (parameters: CureParameters, { layerMm }: CureFacts): number =>
  parameters.logRatio - layerMm / penetrationMm(parameters);

/** What a reading of a plate is predicted to be; for counts, the logarithm of the dose or grey from which parts are missing, below 0. */
export function predicted(of: Measured, parameters: CureParameters, facts: CureFacts): number {
  const { response } = facts;
  const { exponent, scaleX, scaleY, scaleZ, offsetMm } = parameters;
  /** In the logarithm of greys where doses are not known: thresholds are read there, and their errors must not be in the model. */
  const threshold = (logDoses: number): number => (response === undefined ? logDoses / exponent : logDoses);
  switch (of.kind) {
    case "skins":
      return -threshold(parameters.logRatio + Math.log(of.exposure));
    case "towers":
      return -threshold(logBond(parameters, facts));
    case "ledge":
      return (
        scaleZ * of.layers * facts.layerMm +
        throughMm(parameters, facts, logDose(response, of.grey, exponent), of.layers)
      );
    case "length":
      return (
        (of.axis === 0 ? scaleX : scaleY) * of.lengthMm +
        2 * of.side * growthMm(parameters, facts, logDose(response, of.grey, exponent))
      );
    case "diameter":
      return ((scaleX + scaleY) / 2) * of.diameterMm + 2 * of.side * growthMm(parameters, facts, 0);
    case "height":
      return scaleZ * of.layers * facts.layerMm + offsetMm;
    default:
      return Number.NaN;
  }
}
