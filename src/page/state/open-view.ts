import { SceneView } from "../view/scene-view.ts";
import type { View, ViewEvents } from "../view/view.ts";
import { notify } from "./notices.ts";

/** Opens the 3D view. Undefined if this browser cannot draw it; the rest of the page works without it. */
export function openView(container: HTMLElement, events: ViewEvents): View | undefined {
  try {
    return new SceneView(container, events);
  } catch (thrown) {
    notify({
      severity: "warning",
      text: "This browser cannot draw the parts: it has no WebGL 2. Everything else works.",
      details: [String(thrown)],
    });
    return undefined;
  }
}
