import type { FeaturePage } from "../page-row.ts";

export const layoutPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/auto-layout/",
      group: "layout",
      title: "Lay out",
      family: "resin",
      basic: ["model_spacing_mm"],
    },
    { path: "/v1/scene/model/fill-build-platform/", group: "layout", title: "Fill platform", family: "resin" },
  ],
  labels: { overflow: "If not all fit" },
  choices: { FAIL: "Change nothing", BESIDE: "Put the others beside" },
};
