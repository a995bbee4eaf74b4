import type { FeaturePage } from "../page-row.ts";

export const hollowPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/hollow/",
      group: "parts",
      tile: "Hollow",
      title: "Hollow",
      presets: { wall_thickness_mm: 2 },
      basic: ["wall_thickness_mm", "infill"],
      preview: () => true,
      isInside: true,
    },
  ],
  labels: { cell_size_mm: "Cells", clearance_mm: "Arches of sheets" },
  choices: { SCHWARZ_P: "Schwarz P", SCHWARZ_D: "Schwarz D" },
};
