import { Buffer } from "node:buffer";
import type { ModelReader } from "../model-reader.ts";
import { isBrepText } from "./brep-grammar.ts";
import { cadModel, notOfFormat } from "./cad-parts.ts";
import { readForKernel } from "./kernel.ts";

/**
 * The text form of OpenCASCADE's shapes (`BRepTools::Write`), as FreeCAD writes them. One part for each solid and each shell outside
 * solids, without names. The format has no unit.
 */
export const brepReader: ModelReader = {
  async read(file, options, progress) {
    progress.report(0);
    const bytes = upToZero(readForKernel(file));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    if (!isBrepText(text)) throw notOfFormat(file, "Brep");
    const { deviationMm, ...model } = await cadModel({ file, format: "Brep", bytes, unitMm: 1 }, options, progress);
    return { ...model, separateFaces: { deviationMm } };
  },
};

/** Some systems leave zeros behind a text, through which the kernel takes its time. */
function upToZero(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
