import { operationFailed } from "../../core/fault.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { singleStepMm } from "../../mesh/single-step.ts";

/** Of the depth, and of the font size: coordinates farther apart leave letters uneven, and thin strokes without width. */
const MOST_OF_DEPTH = 1 / 20;
const MOST_OF_FONT = 1 / 200;

/**
 * Throws OPERATION_FAILED for a mesh so far from its origin that letters of a size and depth cannot be told in it: vertices
 * are single precision.
 */
export function requireFineCoordinates({ box }: Mesh, fontSizeMm: number, depthMm: number): void {
  const stepMm = singleStepMm(box);
  if (stepMm <= Math.min(MOST_OF_DEPTH * depthMm, MOST_OF_FONT * fontSizeMm)) return;
  throw operationFailed(
    `its mesh lies so far from the origin of its file that coordinates there are ${stepMm.toPrecision(2)} mm apart, which is ` +
      "too coarse for the letters: export it nearer to its origin and import it again.",
  );
}
