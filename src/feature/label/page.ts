import type { FeaturePage } from "../page-row.ts";

export const labelPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/label/",
      group: "parts",
      tile: "Label",
      title: "Label",
      presets: { font_size_mm: 6, depth_mm: 0.5 },
      basic: ["label", "font_size_mm", "depth_mm", "application_mode"],
      places: "one",
      preview: () => true,
    },
  ],
  labels: { label: "Text", application_mode: "Text is" },
  choices: { EMBOSS: "Raised", ENGRAVE: "Sunk" },
};
