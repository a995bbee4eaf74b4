import type { Surface } from "../../mesh/mesh.ts";
import { cutter, facetsAround } from "./cutter.ts";
import type { Frame } from "./frame.ts";

/** Where a hole is cut: along the axis of its frame, from one place to another. */
export interface Bore {
  readonly frame: Frame;
  readonly radiusMm: number;
  readonly fromMm: number;
  readonly toMm: number;
}

/** What a bore takes away. */
export const cutterOf = ({ frame, radiusMm, fromMm, toMm }: Bore): Surface =>
  cutter(frame, radiusMm, fromMm, toMm, facetsAround(radiusMm));
