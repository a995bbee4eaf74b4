import type { Floor } from "./floor.ts";
import type { LayoutPart, PlacedPart } from "./part.ts";

export interface MovablePart {
  readonly part: LayoutPart;
  /** Whether it may be rotated about z. */
  readonly turns: boolean;
}

export interface LayoutRequest {
  readonly floor: Floor;
  /** Least distance between parts. It does not apply to the border of the floor. */
  readonly spacingMm: number;
  readonly parts: readonly MovablePart[];
  /** Parts that are not moved. */
  readonly obstacles: readonly PlacedPart[];
  /** Places dental arches parallel to the front edge, nested into one another. */
  readonly dental: boolean;
}
