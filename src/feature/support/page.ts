import type { FeaturePage } from "../page-row.ts";

export const supportPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/auto-support/",
      group: "support",
      title: "Generate supports",
      family: "resin",
      basic: ["density", "touchpoint_size_mm", "raft_type"],
    },
    {
      path: "/v1/scene/model/regenerate-supports/",
      group: "support",
      title: "Rebuild supports",
      family: "resin",
    },
  ],
  labels: {
    internal_supports_enabled: "Supports on the model",
    breakaway_structure_enabled: "Breakaway necks",
    raft_label_enabled: "Name on the raft",
  },
  choices: { MINI_RAFTS_ON_BP: "Mini rafts on platform" },
};
