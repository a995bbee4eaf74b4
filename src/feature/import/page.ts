import type { FeaturePage } from "../page-row.ts";

export const importPage: FeaturePage = {
  labels: { split_multi_model_file: "Split into its parts", repair_behavior: "Meshes with defects" },
  choices: {
    ERROR: "Ask",
    REPAIR: "Repair",
    IGNORE: "Import as they are",
    DETECTED: "As in the file",
  },
};
