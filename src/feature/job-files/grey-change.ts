import type { PrinterType } from "../../catalog/setting.ts";
import { coveragesOfGreys } from "../../job/fit/coverages-of-greys.ts";
import type { LayerGreys } from "../../job/layer-greys.ts";
import { jobGreys } from "../print/job-greys.ts";

/** How the greys of one machine become those of another. Plain data. */
export interface GreyChange {
  /** The coverages of the greys of the job; absent if they are the coverages. */
  readonly coverages?: Uint8Array | undefined;
  /** The greys of coverages on the other machine; absent if they are the coverages. */
  readonly greys?: LayerGreys | undefined;
}

/**
 * The change of greys between two machines, of which only those of the catalog are known; undefined if there is none. A file does not say
 * whether its greys are those of the figures that are known of its machine: they are taken to be.
 */
export function greyChange(from: PrinterType | undefined, to: PrinterType | undefined): GreyChange | undefined {
  if (from?.label === to?.label) return undefined;
  const [own, other] = [from && jobGreys(from), to && jobGreys(to)];
  return own || other ? { coverages: own && coveragesOfGreys(own.table), greys: other } : undefined;
}

/** A sentence that says what became of the greys. */
export function greyWarning({ coverages, greys }: GreyChange): string {
  const taken = coverages ? "greys by the optics of its machine" : "coverages of pixels";
  const given = greys ? "get the greys of the optics of the other machine" : "become coverages of pixels";
  return `The values of the job are taken as ${taken}, and ${given}. Slice the models again if they are not.`;
}
