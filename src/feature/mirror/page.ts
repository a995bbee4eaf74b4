import type { FeaturePage } from "../page-row.ts";

export const mirrorPage: FeaturePage = {
  actions: [
    { path: "/v1/scene/model/mirror/", group: "shape", title: "Mirror", presets: { axis: "X" }, basic: ["axis"] },
  ],
  labels: { axis: "Across", about: "Plane at" },
};
