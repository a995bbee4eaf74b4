import type { FeaturePage } from "../page-row.ts";

export const orientPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/auto-orient/",
      group: "orient",
      title: "Auto-orient",
      conditions: { tilt: ({ mode }) => mode === "DENTAL" },
    },
  ],
};
