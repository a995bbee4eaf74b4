import { Buffer } from "node:buffer";
import type { ModelReader } from "../model-formats.ts";
import { cadParts, notOfFormat } from "./cad-parts.ts";
import { readForKernel } from "./kernel.ts";

/** The header that `BRepTools` writes, after a line that names the class of older files. */
const HEADER = /^\s*(?:DBRep_DrawableShape\s*)?CASCADE Topology V\d/;
const HEADER_BYTES = 128;

/**
 * The text form of OpenCASCADE's shapes (`BRepTools::Write`), as FreeCAD writes them. One part for each solid and each shell outside
 * solids, without names. The format has no unit.
 */
export const brepReader: ModelReader = {
  async read(file, options, progress) {
    progress.report(0);
    const bytes = readForKernel(file);
    if (!HEADER.test(Buffer.from(bytes.subarray(0, HEADER_BYTES)).toString("latin1"))) throw notOfFormat(file, "Brep");
    const parts = await cadParts({ file, format: "Brep", bytes, unitMm: 1 }, options, progress);
    return { parts, hasSeparateFaces: true };
  },
};
