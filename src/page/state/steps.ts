import { computed } from "@preact/signals";
import type { Group } from "../../feature/page-row.ts";
import { STEPS } from "../action/steps.ts";
import type { PageStep, StepName } from "../../ui/work-replies.ts";
import { openStep } from "./follow-address.ts";
import { overlappingIds } from "./overlaps.ts";
import { family, isPreparing, steps } from "./project.ts";

/** Value of the address if the user has closed all steps. */
const NONE = "none";

/** The open step; undefined: none. The first one, until the user has chosen. */
export const shownStep = computed((): Group | undefined =>
  STEPS[family.value].find((step) => step === (openStep.value ?? "parts")),
);

/** Opens a step and closes the others, or closes it. */
export const toggleStep = (step: Group): void => void (openStep.value = shownStep.value === step ? NONE : step);

/** What the server calls the steps. */
const NAMES: Readonly<Record<Group, StepName>> = {
  parts: "PARTS",
  orient: "ORIENT",
  support: "SUPPORT",
  layout: "LAYOUT",
  pack: "PACK",
  cage: "CAGE",
  check: "CHECK",
};

/** Whether a preparation runs that moves parts apart at its end: present overlaps are then no findings. */
export const isPlacing = computed(
  () =>
    isPreparing.value &&
    steps.value.some(({ step, state }) => PLACING.has(step) && (state === "RUNNING" || state === "WAITING")),
);
const PLACING: ReadonlySet<StepName> = new Set(["LAYOUT", "PACK"]);

/**
 * The state of a step of the shown scene. Overlaps are looked for after each change, so that they are told before the next check.
 */
export function stepState(step: Group): Pick<PageStep, "state" | "text"> {
  const known = steps.value.find((one) => one.step === NAMES[step]) ?? { state: "TODO", text: "" };
  const overlapping = overlappingIds.value.length;
  // Parts that overlap come from their files, or from the last step that placed them.
  const placesParts = step === "parts" || step === "layout" || step === "pack";
  const isOther = known.state === "RUNNING" || isPlacing.value || /not closed/.test(known.text);
  if (placesParts && overlapping > 0 && !isOther) return { state: "ERROR", text: `${overlapping} overlap` };
  return known;
}
