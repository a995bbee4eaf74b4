import type { Group } from "../../feature/page-row.ts";
import type { PageScene } from "../../ui/replies.ts";

/** The steps of a job with each family of printers, without the print, in their usual order. */
export const STEPS: Readonly<Record<PageScene["volume"]["family"], readonly Group[]>> = {
  resin: ["parts", "orient", "support", "layout", "check"],
  powder: ["parts", "pack", "cage", "check"],
};

export const STEP_TITLES: Readonly<Record<Group, string>> = {
  parts: "Parts",
  orient: "Orient",
  support: "Support",
  layout: "Lay out",
  pack: "Pack",
  cage: "Cage",
  check: "Check",
};
