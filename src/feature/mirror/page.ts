import type { FeaturePage } from "../page-row.ts";

export const mirrorPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/mirror/",
      group: "parts",
      tile: "Mirror",
      title: "Mirror",
      presets: { axis: "X" },
      basic: ["axis"],
    },
  ],
  labels: { axis: "Across", about: "Plane at" },
};
