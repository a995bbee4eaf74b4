import type { FeaturePage } from "../page-row.ts";

export const renderPage: FeaturePage = {
  choices: {
    ZOOM_ON_MODELS: "Models",
    FULL_BUILD_VOLUME: "Build volume",
    FULL_PLATFORM_WIDTH: "Platform width",
  },
};
