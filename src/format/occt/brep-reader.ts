import { Buffer } from "node:buffer";
import type { ModelReader } from "../model-reader.ts";
import { type UnusedShapes, scanBrepText } from "./brep-grammar.ts";
import { cadModel, notOfFormat } from "./cad-parts.ts";
import { readForKernel } from "./kernel.ts";

/**
 * Reads the text form of OpenCASCADE's shapes (`BRepTools::Write`), as FreeCAD writes it. One part for each solid and each shell
 * outside solids, without names. The format has no unit.
 */
export const brepReader: ModelReader = {
  async read(file, options, progress) {
    progress.report(0);
    const bytes = upToZero(readForKernel(file));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const unused = scanBrepText(text);
    if (!unused) throw notOfFormat(file, "Brep");
    const check = { damage: damageOf(unused), lossesIn: () => ({ losses: [], warnings: [] }) };
    const brep = { file, format: "Brep", bytes, unitMm: 1, check } as const;
    const { deviationMm, ...model } = await cadModel(brep, options, progress);
    return { ...model, separateFaces: { deviationMm } };
  },
};

function damageOf({ solids, shells, faces }: UnusedShapes): string | undefined {
  const unused = Object.entries({ solid: solids, shell: shells, face: faces }).flatMap(([what, count]) =>
    count === 0 ? [] : `${count} ${what}${count === 1 ? "" : "s"}`,
  );
  if (unused.length === 0) return undefined;
  return `The BREP file is damaged: it contains ${unused.join(", ")} that no other shape uses. Take another copy of it, or save it again.`;
}

/** Some systems leave zeros after the text. The kernel would read through them slowly. */
function upToZero(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
