import { STEPS } from "../action/steps.ts";
import { openStep } from "../state/follow-address.ts";
import { family } from "../state/project.ts";
import { shownStep } from "../state/steps.ts";

/** The regions of the page in the order of F6, each with the element that gets the focus. */
const REGIONS: readonly (readonly [region: string, first: string])[] = [
  [".top-bar", "[role=tab][aria-selected=true]"],
  ["aside.left", "[role=listbox]"],
  ["main", "canvas, button"],
  ["aside.right", "button:not(:disabled), summary"],
  [".notices", "button"],
];

/** Moves the focus to the next region of the page that has something to focus, or to the one before. */
export function focusRegion(by: 1 | -1): void {
  const focused = document.activeElement;
  const present = REGIONS.findIndex(([region]) => focused?.closest(region));
  for (let i = 1; i <= REGIONS.length; i++) {
    const [region = "", first = ""] = REGIONS[(present + by * i + 2 * REGIONS.length) % REGIONS.length] ?? [];
    const all = document.querySelector(region)?.querySelectorAll<HTMLElement>(first) ?? [];
    const target = [...all].find((one) => one.checkVisibility());
    if (!target) continue;
    target.focus();
    return;
  }
}

/** Opens the next step of the work, or the one before. */
export function openNextStep(by: 1 | -1): void {
  const steps = STEPS[family.value];
  const present = shownStep.value === undefined ? -1 : steps.indexOf(shownStep.value);
  const next = steps[present < 0 && by < 0 ? steps.length - 1 : present + by];
  if (next !== undefined) openStep.value = next;
}
