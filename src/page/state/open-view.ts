import * as viewModule from "../view/view.ts";
import type { View, ViewEvents } from "../view/view.ts";

/** The view, where this browser can show it. */
export function openView(container: HTMLElement, events: ViewEvents): View | undefined {
  const { newView } = viewModule as { newView?: (container: HTMLElement, events: ViewEvents) => View };
  return newView?.(container, events);
}
