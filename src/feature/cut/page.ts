import type { FeaturePage } from "../page-row.ts";

export const cutPage: FeaturePage = {
  actions: [
    {
      path: "/v1/scene/model/cut/",
      group: "parts",
      tile: "Cut",
      title: "Cut",
      presets: { plane: { point: { x: 0, y: 0, z: 10 }, normal: { x: 0, y: 0, z: 1 } } },
      basic: ["plane", "keep", "keys"],
      conditions: { play_mm: ({ keys }) => keys === "AUTO" },
    },
  ],
  labels: { keep: "Keep", play_mm: "Play of keys", place_on_cut: "Lay cut faces down" },
  choices: { BOTH: "Both parts", ABOVE: "Part above", BELOW: "Part below" },
};
