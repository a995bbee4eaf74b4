import { signal } from "@preact/signals";

const KEY = "printwright.tool-captions";

/** Whether the tool bar shows names and keys beside the icons where the window is wide enough; this browser remembers it. */
export const areCaptionsShown = signal(localStorage.getItem(KEY) !== "false");

export function toggleCaptions(): void {
  areCaptionsShown.value = !areCaptionsShown.value;
  localStorage.setItem(KEY, String(areCaptionsShown.value));
}
