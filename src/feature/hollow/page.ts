import type { FeaturePage } from "../page-row.ts";

export const hollowPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/hollow/",
      group: "shape",
      title: "Hollow",
      presets: { wall_thickness_mm: 2 },
      basic: ["wall_thickness_mm"],
    },
  ],
};
