import type { Group } from "../../feature/page-row.ts";
import type { PageModel, PageScene } from "../../ui/replies.ts";
import { counted } from "../../core/quantities.ts";

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

/** How far a step is, and what it says about itself. */
export interface StepState {
  readonly state: "TODO" | "DONE" | "WARNING" | "ERROR" | "RUNNING";
  readonly text: string;
}

const todo = (text: string): StepState => ({ state: "TODO", text });
const done = (text: string): StepState => ({ state: "DONE", text });
const error = (text: string): StepState => ({ state: "ERROR", text });

/** The states of the steps of a scene, as far as its models show them. */
export function stepStates({ models, cages }: Pick<PageScene, "models" | "cages">): Readonly<Record<Group, StepState>> {
  const parts = models.filter(({ kind }) => kind === "part");
  const outside = parts.filter(({ in_bounds }) => !in_bounds).length;
  const isOutside = outside > 0 ? error(`${outside.toLocaleString("en")} outside`) : undefined;
  const isEmpty = parts.length === 0;
  return {
    parts: isEmpty ? todo("Drop a part") : done(counted(parts.length, "part")),
    orient: isEmpty ? todo("") : parts.every(isUnturned) ? todo("As in the files") : done("Turned"),
    support: supportState(parts),
    layout: isOutside ?? (isEmpty ? todo("") : done("On the plate")),
    pack: isOutside ?? (isEmpty ? todo("") : done("In the chamber")),
    cage: cages.length === 0 ? todo("None") : done(counted(cages.length, "cage")),
    check: todo(isEmpty ? "" : "Not checked yet"),
  };
}

/** Rounding of matrices on the wire. */
const SLACK = 1e-6;

/** Whether a model stands as in its file, apart from its scale. */
const isUnturned = ({ matrix }: PageModel): boolean =>
  [1, 2, 4, 6, 8, 9].every((i) => Math.abs(matrix[i] ?? 0) < SLACK) && (matrix[0] ?? 0) > 0 && (matrix[5] ?? 0) > 0;

function supportState(parts: readonly PageModel[]): StepState {
  const supported = parts.filter(({ supports }) => supports !== null);
  if (supported.length === 0) return todo(parts.length === 0 ? "" : "None yet");
  if (supported.length < parts.length) return todo(`${supported.length} of ${parts.length}`);
  return done(
    counted(
      supported.reduce((sum, { support_points }) => sum + support_points, 0),
      "point",
    ),
  );
}
