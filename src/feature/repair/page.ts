import type { FeaturePage } from "../page-row.ts";

export const repairPage: FeaturePage = {
  actions: [{ path: "/v1/scene/model/repair/", group: "parts", tile: "Repair", title: "Repair meshes" }],
};
