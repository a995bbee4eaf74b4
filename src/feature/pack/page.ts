import type { FeaturePage } from "../page-row.ts";

export const packPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/auto-pack/",
      group: "pack",
      title: "Pack",
      family: "powder",
      basic: ["model_spacing_mm"],
    },
    { path: "/v1/scene/model/fill-build-chamber/", group: "pack", title: "Fill chamber", family: "powder" },
  ],
  choices: { BALANCED: "Low, with little warping", HEIGHT: "As low as possible" },
};
