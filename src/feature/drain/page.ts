import type { FeaturePage } from "../page-row.ts";

export const drainPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/auto-drain/",
      group: "parts",
      tile: "Drain cavities",
      title: "Drain cavities",
      family: "resin",
      presets: { vent_diameter_mm: 2, drain_diameter_mm: 3.5 },
      basic: ["vent_diameter_mm", "drain_diameter_mm", "plugs"],
      preview: ({ dry_run }) => dry_run !== true,
    },
  ],
  labels: {
    vent_diameter_mm: "Vents",
    drain_diameter_mm: "Drains",
    max_pool_ml: "Most resin left",
    plugs: "Plugs",
    before_supports: "Supports will lift it",
  },
};
