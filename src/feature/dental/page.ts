import type { Conditions, FeaturePage } from "../page-row.ts";

const isHollow: Conditions[string] = ({ hollow }) => hollow === true;

export const dentalPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/dental-hollow/",
      group: "parts",
      tile: "Dental base",
      title: "Make dental base",
      presets: { extrude_distance_mm: 3 },
      basic: ["extrude_distance_mm", "hollow"],
      conditions: {
        cutoff_below_gumline_mm: ({ cutoff_height_mm }) => cutoff_height_mm === undefined,
        shell_thickness_mm: isHollow,
        wall_thickness_mm: isHollow,
        drain_hole_radius_mm: isHollow,
        drain_hole_height_ratio: isHollow,
        drain_hole_suppression_distance_mm: isHollow,
        drain_hole_max_count: isHollow,
        enable_honeycomb_infill: isHollow,
      },
    },
  ],
};
