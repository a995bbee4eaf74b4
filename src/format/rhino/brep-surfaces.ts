import type { Progress } from "../../core/progress.ts";
import type { NamedSurface, ReadOptions } from "../model-reader.ts";
import { surfacesOfStep } from "../occt/step-surfaces.ts";
import { type NamedBrep, stepTexts } from "./brep-step.ts";

/**
 * Triangles of Breps in millimetres, by name, tessellated by OpenCASCADE from STEP. Breps on which it fails are missing, without an
 * effect on the others. `file` is their source, for messages. Throws `MemoryError`.
 */
export async function surfacesOfBreps(
  breps: readonly NamedBrep[],
  file: string,
  options: ReadOptions,
  toleranceMm: number,
  progress: Progress,
): Promise<NamedSurface[]> {
  const surfaces: NamedSurface[] = [];
  for (const { breps: some, text } of stepTexts(breps, toleranceMm)) {
    const made = await surfacesOfBrepStep(new TextEncoder().encode(text), file, options, progress);
    if (made) surfaces.push(...made);
    else if (some.length > 1) {
      const middle = some.length >> 1;
      for (const half of [some.slice(0, middle), some.slice(middle)]) {
        surfaces.push(...(await surfacesOfBreps(half, file, options, toleranceMm, progress)));
      }
    }
  }
  return surfaces;
}

/** The triangles of the Breps in a STEP file of `stepTexts`; undefined if OpenCASCADE fails on one of them. */
export const surfacesOfBrepStep = (
  step: Uint8Array,
  file: string,
  options: ReadOptions,
  progress: Progress,
): Promise<NamedSurface[] | undefined> => surfacesOfStep(step, 1, file, { ...options, unitMm: undefined }, progress);
