import type { FeaturePage } from "../page-row.ts";

export const modelsPage: FeaturePage = {
  choices: {
    LOCKED_XY_FLIP_ENABLED: "Move, spin, flip",
    LOCKED_XY_ROTATION_FREE_TRANSLATION: "Move and spin",
    LOCKED_ROTATION_FREE_TRANSLATION: "Move only",
    FULLY_LOCKED: "Stay in place",
  },
};
