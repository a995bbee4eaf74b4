import type { FeaturePage } from "../page-row.ts";

export const calibratePage: FeaturePage = {
  labels: {
    resin_code: "Code of the resin",
    resin_name: "Name of the resin",
    reading_error_mm: "Error of lengths that were read",
    tolerance_mm: "Bars may be too thin by",
  },
};
