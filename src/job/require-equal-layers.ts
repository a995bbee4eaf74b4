import { operationFailed } from "../core/api-error.ts";
import type { JobFacts } from "./job.ts";

/**
 * Throws OPERATION_FAILED for layers of different thickness, for formats whose printers take exposures and motions from the head of the
 * file: the exposures of adaptive layers differ, and it is not known whether printers follow the heights of layers.
 */
export function requireEqualLayers({ layerThicknessMm, printer }: JobFacts): void {
  if (layerThicknessMm !== "ADAPTIVE") return;
  throw operationFailed(
    `The ${printer.label} exposes all layers above the first ones alike, as the head of its files says, so it cannot print ADAPTIVE ` +
      "layers: choose a layer thickness in millimetres.",
  );
}
