import type { OverlayLine } from "./overlay.ts";
import type { Pixel } from "./orbit.ts";

/** A tool that acts on the place under the pointer. Drags still turn the view. */
export interface PlaceTool {
  /** The pointer is here; undefined if it has left the picture, or the tool is no longer used. */
  hover(at: Pixel | undefined): void;
  /** Returns whether there was something to act on. */
  click(at: Pixel): boolean;
  /** What lights up, over the picture. */
  lines(): readonly OverlayLine[];
}
