import * as v from "valibot";
import { field } from "../../api/field.ts";
import { layerFactors } from "../../catalog/shrink-factors.ts";
import type { Setting } from "../../catalog/setting.ts";
import { shortNumber } from "../../core/quantities.ts";
import { edgeGrowthOf } from "../slice/edge-growth.ts";

/**
 * How the layers of a job differ from those of the parts, such as `enlarged by 1.006, 1.006, 1.01; edges moved by -0.0021 mm; the first 15 layers by up to
 * -0.015 mm`; undefined if they do not.
 */
export function compensationName(setting: Setting): string | undefined {
  const facts = [...enlargement(setting), ...edges(setting)];
  return facts.length === 0 ? undefined : facts.join("; ");
}

function enlargement(setting: Setting): string[] {
  const factors = layerFactors(setting);
  if (factors.every((factor) => factor === 1)) return [];
  return [`enlarged by ${factors.map((factor) => shortNumber(factor, 4)).join(", ")}`];
}

function edges(setting: Setting): string[] {
  const growth = edgeGrowthOf(setting);
  if (growth === undefined) return [];
  const mm = (growthMm: number): string => `${shortNumber(0 - growthMm, 4)} mm`;
  const { normalMm, moreMm } = growth;
  const first =
    moreMm.length === 0 ? [] : [`the first ${moreMm.length} layers by up to ${mm(normalMm + Math.max(...moreMm))}`];
  return [`edges moved by ${mm(normalMm)}`, ...first];
}

/** Field of the replies of requests that write jobs. */
export const compensationReply = field(
  v.optional(v.string()),
  "How the layers of the job differ from those of the parts, by the figures of the resin: the factors by which they are enlarged against shrinkage, and how far edges are moved outwards, in normal layers and in those of longer exposures.",
);
