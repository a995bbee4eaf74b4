import type { Drag } from "./gestures.ts";
import type { Pixel } from "./orbit.ts";
import type { Overlay } from "./overlay.ts";

/** Returns the selection after a click: with Shift or Ctrl the clicked model is added or removed, otherwise it alone is selected. */
export function clickedSelection(
  selected: ReadonlySet<string>,
  clicked: string | undefined,
  extendsSelection: boolean,
): string[] {
  if (clicked === undefined) return extendsSelection ? [...selected] : [];
  if (!extendsSelection) return [clicked];
  const others = [...selected].filter((id) => id !== clicked);
  return selected.has(clicked) ? others : [...others, clicked];
}

/** A drag that draws a rectangle between two opposite corners. */
export function rectangleDrag(overlay: Overlay, from: Pixel, done: (corners: readonly [Pixel, Pixel]) => void): Drag {
  let to = from;
  return {
    move(at) {
      to = at;
      const points = [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }, from];
      overlay.show([{ points, style: "rectangle" }]);
    },
    end() {
      overlay.show([]);
      done([from, to]);
    },
    cancel: () => overlay.show([]),
  };
}
