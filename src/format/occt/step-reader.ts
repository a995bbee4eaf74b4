import type { ModelReader } from "../model-formats.ts";
import { cadParts } from "./cad-parts.ts";
import { readForKernel } from "./kernel.ts";
import { withReadableUnits } from "./step-units.ts";

/**
 * STEP AP203, AP214 and AP242 (ISO 10303), tessellated by OpenCASCADE. One part for each instance of a solid, named
 * after its product. Coordinates are in the file's length unit; a file without one, or with several, is in millimetres.
 */
export const stepReader: ModelReader = {
  async read(file, options, progress) {
    progress.report(0);
    const { bytes, unitMm = 1 } = withReadableUnits(readForKernel(file));
    return { parts: await cadParts({ file, format: "Step", bytes, unitMm }, options, progress), unitMm };
  },
};
