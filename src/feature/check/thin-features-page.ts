import { shortNumber } from "../../core/quantities.ts";
import { type Action, type FindingText, perModel } from "../page-row.ts";

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface ThinRegion {
  readonly volume_mm3: number;
  readonly bounding_box: { readonly min_corner: Corner; readonly max_corner: Corner };
}

interface ThinFeatures {
  readonly status: "ANALYZED" | keyof typeof NOT_ANALYZED;
  readonly thin_regions: readonly ThinRegion[];
}

const NOT_ANALYZED = {
  TOO_SMALL: "The whole part is thinner than the threshold",
  TOO_LARGE: "Too large for this threshold: choose a larger one",
  MESH_ERROR: "Not a closed mesh: repair it before its walls are measured",
};

export const thinFeaturesCheck: Action = {
  path: "/v1/scene/model/validate/thin-features/",
  group: "check",
  title: "Thin features",
  presets: { threshold_mm: 0.4 },
  basic: ["threshold_mm"],
  check: {
    findings: perModel(({ status, thin_regions }: ThinFeatures) => [
      status !== "ANALYZED" && { severity: "info", text: NOT_ANALYZED[status] },
      ...thin_regions.map(findingOf),
    ]),
  },
};

function findingOf({ volume_mm3, bounding_box: { min_corner: a, max_corner: b } }: ThinRegion): FindingText {
  const label = `Thin wall of ${shortNumber(volume_mm3, 1)} mm³`;
  const radiusMm = Math.max(0.5, Math.min(b.x - a.x, b.y - a.y, b.z - a.z) / 2);
  const point = [(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2] as const;
  return { severity: "warning", text: label, places: [{ point, radiusMm, label }] };
}
