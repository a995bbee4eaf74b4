import type { FeaturePage } from "../page-row.ts";

export const ventPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/vent/",
      group: "parts",
      tile: "Vent cups",
      title: "Vent cups",
      family: "resin",
      presets: { diameter_mm: 2.5 },
      basic: ["diameter_mm"],
      preview: ({ dry_run }) => dry_run !== true,
    },
  ],
  labels: { max_length_mm: "Longest hole", dry_run: "Only count" },
};
