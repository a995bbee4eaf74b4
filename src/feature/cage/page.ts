import type { FeaturePage } from "../page-row.ts";

export const cagePage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/cage/",
      group: "cage",
      title: "Make cage",
      family: "powder",
      basic: ["packing_type", "bar_spacing_mm"],
    },
  ],
  labels: {
    enable_round_edges: "Round edges",
    enable_square_bars: "Square bars",
    generate_mesh_label: "Raised label",
  },
  choices: {
    PACK_NORMAL: "Same as Pack",
    PACK_VOLUME: "Least volume",
    PACK_HEIGHT: "Least height",
    PACK_NONE: "Leave in place",
  },
};
