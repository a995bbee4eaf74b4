import type { FeaturePage } from "../page-row.ts";

export const printPage: FeaturePage = {
  labels: {
    print_now: "Start immediately",
    supports_without_grey: "Supports without grey",
    anti_aliasing: "Anti-aliasing",
  },
};
