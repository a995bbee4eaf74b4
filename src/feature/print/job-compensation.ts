import * as v from "valibot";
import { field } from "../../api/field.ts";
import { layerFactors } from "../../catalog/shrink-factors.ts";
import type { Setting } from "../../catalog/setting.ts";
import { shortNumber } from "../../core/quantities.ts";
import { edgeGrowthOf } from "../slice/edge-growth.ts";
import { overCureDepthMm } from "../slice/over-cure-of-setting.ts";

/**
 * How the layers of a job differ from those of the parts, such as `enlarged by 1.006, 1.006, 1.01; edges moved by -0.0021 mm; the first 15 layers by up to
 * -0.015 mm; over-cure 0.264 mm`; undefined if they do not.
 */
export function compensationName(setting: Setting): string | undefined {
  const names = [enlargementName(setting), edgesName(setting), overCureName(setting)].filter(
    (name) => name !== undefined,
  );
  return names.length > 0 ? names.join("; ") : undefined;
}

function enlargementName(setting: Setting): string | undefined {
  const factors = layerFactors(setting);
  if (factors.every((factor) => factor === 1)) return undefined;
  return `enlarged by ${factors.map((factor) => shortNumber(factor, 4)).join(", ")}`;
}

function edgesName(setting: Setting): string | undefined {
  const growth = edgeGrowthOf(setting);
  if (growth === undefined) return undefined;
  const { normalMm, moreMm } = growth;
  const mm = (growthMm: number): string => `${shortNumber(0 - growthMm, 4)} mm`;
  const normal = `edges moved by ${mm(normalMm)}`;
  if (moreMm.length === 0) return normal;
  return `${normal}; the first ${moreMm.length} layers by up to ${mm(normalMm + Math.max(...moreMm))}`;
}

function overCureName(setting: Setting): string | undefined {
  const depthMm = overCureDepthMm(setting);
  return depthMm === undefined ? undefined : `over-cure ${shortNumber(depthMm, 3)} mm`;
}

/** Field of the replies of requests that write jobs. */
export const compensationReply = field(
  v.optional(v.string()),
  "How the layers of the job differ from those of the parts, by the figures of the resin: the factors by which they are enlarged against shrinkage, how far edges are moved outwards, in normal layers and in those of longer exposures, and how far light shines through faces that look down.",
);
