import type { FeaturePage } from "../page-row.ts";

export const drillPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/drill/",
      group: "parts",
      tile: "Drain hole",
      title: "Drill",
      presets: { diameter_mm: 3.5, depth_mm: "AUTO" },
      basic: ["diameter_mm", "depth_mm"],
      conditions: { max_search_distance_mm: ({ depth_mm }) => depth_mm === undefined || depth_mm === "AUTO" },
      places: "many",
      preview: () => true,
    },
  ],
};
