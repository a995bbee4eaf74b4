import { signal } from "@preact/signals";
import type { WindowPoint } from "../widget/context-menu.tsx";

/** Where the menu of the selected parts is open; undefined: it is closed. */
export const partMenuAt = signal<WindowPoint | undefined>(undefined);

/** Opens the menu at the element that has the focus, for keyboard users. */
export function openPartMenu(): void {
  const focused = document.activeElement ?? document.body;
  const marked = focused.getAttribute("aria-activedescendant");
  const { left, top, width, height } = ((marked && document.getElementById(marked)) || focused).getBoundingClientRect();
  partMenuAt.value = { x: left + Math.min(width / 2, 160), y: top + height / 2 };
}
