/** Runs in the page: returns controls that are smaller than 44 px, with their sizes. A label counts as a part of its control. */
export function smallTargets(): string[] {
  const least = 43.5;
  const controls = document.querySelectorAll<HTMLElement>(
    "button, summary, select, input, [role=option], [role=tab], .mark-eye, .mark-choose",
  );
  return [...controls]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .flatMap((control) => {
      const label = control.matches("[type=checkbox], [type=radio]") ? (control as HTMLInputElement).labels?.[0] : null;
      const boxes = [control, ...(label ? [label] : [])].map((one) => one.getBoundingClientRect());
      const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
      const height = Math.max(...boxes.map((box) => box.height));
      if (width === 0 || (width >= least && height >= least)) return [];
      const name = control.getAttribute("aria-label") ?? control.textContent.trim();
      return [`${control.tagName} “${name}” ${Math.round(width)} × ${Math.round(height)}`];
    });
}
