import type { FeaturePage } from "../page-row.ts";

export const stretchPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/stretch/",
      group: "parts",
      tile: "Stretch",
      title: "Stretch",
      presets: { factors: { x: 1, y: 1, z: 1 } },
      basic: ["factors"],
      note: "Changes the mesh itself, along the axes of the file; Scale keeps it.",
      preview: ({ factors }) => factors !== undefined,
    },
  ],
  labels: { factors: "Factors along the axes of the file" },
};
