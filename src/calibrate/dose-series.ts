import { type PanelOptics, doseOf, greyPalette } from "../job/grey-table.ts";

/** Doses of a series as shares of that of white, by the exponents −from to −to of e. */
interface DoseRange {
  readonly from: number;
  readonly to: number;
}

/** Which greys there are, and what is known of their doses. */
export interface SeriesPanel extends Pick<PanelOptics, "greyLevels" | "leastGrey"> {
  /** Unknown if absent. */
  readonly response?: PanelOptics["response"] | undefined;
}

/**
 * Rows of greys, each from bright to dark, for the pads of which those that get enough light cure. The exponents of the doses rise by one factor
 * from pad to pad, so that a threshold is found with the same relative error wherever it is; the rows divide the steps further. If
 * the response is not known, `unknown` are the exponents of grey / 255.
 */
export function doseRows(
  panel: SeriesPanel,
  { known, unknown }: { readonly known: DoseRange; readonly unknown: DoseRange },
  rows: number,
  pads: number,
): number[][] {
  const { response = 1 } = panel;
  const { from, to } = panel.response === undefined ? unknown : known;
  const { greys } = greyPalette({ ...panel, response });
  const factor = (to / from) ** (1 / (rows * pads - 1));
  const greyFor = (dose: number): number => nearestGrey(greys, response, dose);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: pads }, (__, pad) => greyFor(Math.exp(-from * factor ** (pad * rows + row)))),
  );
}

/** The grey, not black, whose dose is nearest in ratio. */
export function nearestGrey(greys: Uint8Array, response: PanelOptics["response"], dose: number): number {
  const distance = (grey: number): number => Math.abs(Math.log(doseOf(response, grey) / dose));
  return [...greys].filter((grey) => grey > 0).reduce((best, grey) => (distance(grey) < distance(best) ? grey : best));
}
