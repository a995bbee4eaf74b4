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
    const target = document.querySelector(region)?.querySelector<HTMLElement>(first);
    if (!target) continue;
    target.focus();
    return;
  }
}

/** Opens the next step of the work, or the one before, and closes the open one. */
export function openNextStep(by: 1 | -1): void {
  const steps = [
    ...document.querySelectorAll<HTMLElement>("aside.right :is(summary, li > button[aria-expanded])"),
  ].filter((step) => step.parentElement?.parentElement?.closest("details, li") === null);
  const isOpen = (step: HTMLElement): boolean =>
    step.getAttribute("aria-expanded") === "true" || (step.parentElement as HTMLDetailsElement).open;
  const present = steps.findIndex(isOpen);
  const next = steps[present < 0 ? (by > 0 ? 0 : steps.length - 1) : present + by];
  if (!next) return;
  next.click();
  next.focus();
}
