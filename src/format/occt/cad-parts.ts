import { Buffer } from "node:buffer";
import type { OcctMesh } from "occt-import-js";
import type { ApiError } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { CancelledError, type Progress } from "../../core/progress.ts";
import type { FilePart, ReadOptions } from "../model-formats.ts";
import { requirePartCount } from "../model-size.ts";
import { EndlessError, MemoryBoundError } from "../wasm-library.ts";
import { type OcctFormat, tessellate } from "./kernel.ts";

/** Share of the progress when the kernel is done; the kernel itself reports none. */
const KERNEL_SHARE = 0.9;

/** A file as a text of OpenCASCADE. */
export interface CadText {
  /** Where it comes from, for messages. */
  readonly file: string;
  readonly format: OcctFormat;
  readonly bytes: Uint8Array;
  /** Millimetres per unit of the file, as OpenCASCADE reads it. */
  readonly unitMm: number;
  /** The shapes of an assembly may all lie in other files. */
  readonly mayBeEmpty?: boolean;
}

/** A part with the number of its faces. */
export interface CadPart extends FilePart {
  readonly faces: number;
}

const WAY_OUT: Readonly<Record<OcctFormat, string>> = {
  Step: "export the model again as STEP AP214 or AP242, or as STL",
  Iges: "export the model as STEP AP214 or AP242, or as STL",
  Brep: "save it again in the text form of OpenCASCADE, or export it as STEP or STL",
};

/** OPERATION_FAILED for a file that is not of its format. */
export const notOfFormat = (file: string, format: OcctFormat): ApiError =>
  fileError("read", file, `it is no ${format.toUpperCase()} file, or it is damaged; ${WAY_OUT[format]}`);

/** OPERATION_FAILED for a file on which the kernel goes on and on: fine angles multiply the triangles of small radii. */
export function tooFine(file: string, format: OcctFormat, options: ReadOptions, endless: EndlessError): ApiError {
  const { angleToleranceDeg, chordalToleranceMm } = options;
  const given = `a coarser angle_tolerance_deg than ${angleToleranceDeg} or chordal_tolerance_um than ${Number((1000 * chordalToleranceMm).toPrecision(6))}`;
  const why = `the CAD kernel failed on it (${endless.message} at usual tolerances)`;
  return fileError("read", file, `${why}; import it with ${given}, or ${WAY_OUT[format]}`);
}

/**
 * The parts of a file in its unit: one for each instance of a solid and each shell outside solids, with its name. Throws
 * OPERATION_FAILED for a file without any, and for a part that the kernel loses.
 */
export async function cadParts(text: CadText, options: ReadOptions, progress: Progress): Promise<CadPart[]> {
  const { file, format, bytes, unitMm, mayBeEmpty = false } = text;
  if (hasInfiniteNumber(bytes)) {
    throw fileError("read", file, `it is damaged: it holds a number without bounds; ${WAY_OUT[format]}`);
  }
  const coarser = `import it with a coarser chordal_tolerance_um, or ${WAY_OUT[format]}`;
  const made = await tessellate(format, bytes, options, unitMm, progress).catch((thrown: unknown) => {
    if (thrown instanceof CancelledError) throw thrown;
    if (thrown instanceof EndlessError) throw tooFine(file, format, options, thrown);
    if (thrown instanceof MemoryBoundError) {
      throw fileError(
        "read",
        file,
        `the CAD kernel failed on it (${thrown.message}); split it into smaller files, or export it as STL`,
      );
    }
    // Exceptions of the kernel itself (C++) have no text.
    const why = thrown instanceof Error ? ` (${thrown.message})` : "";
    throw fileError("read", file, `the CAD kernel failed on it${why}; ${coarser}`);
  });
  progress.report(KERNEL_SHARE);
  if (!made) throw notOfFormat(file, format);
  const { meshes } = made;
  // The faces of an IGES file become parts once they are joined.
  if (format !== "Iges") requirePartCount(meshes.length);
  if (meshes.length === 0 && !mayBeEmpty)
    throw fileError("read", file, `it holds no solid or surface; ${WAY_OUT[format]}`);
  const lost = meshes.find(({ index }) => index.array.length === 0);
  if (lost) throw fileError("read", file, `the CAD kernel made no triangles of its part "${lost.name}"; ${coarser}`);
  return meshes.map((mesh, index) => toPart(mesh, index, unitMm));
}

/** Texts are searched in blocks of so many bytes, which overlap by more than a number of any use has. */
const BLOCK_BYTES = 2 ** 20;
const OVERLAP_BYTES = 512;
/** A real with an exponent of three digits or more, and digits of which double precision (to 1.8e308) has no number. */
const GREAT_NUMBER = /\.\d*[ED]\+?(\d{3,})|\d{309}/gi;
const MAX_EXPONENT = 308;

/** Whether a text holds a number that double precision has not: the kernel computes with its infinity for ever. */
function hasInfiniteNumber(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; at += BLOCK_BYTES) {
    const block = buffer.toString("latin1", at, at + BLOCK_BYTES + OVERLAP_BYTES);
    for (const [, exponent] of block.matchAll(GREAT_NUMBER)) {
      if (exponent === undefined || Number(exponent) > MAX_EXPONENT) return true;
    }
  }
  return false;
}

const toPart = (
  { name, attributes, index: corners, brep_faces: faces }: OcctMesh,
  index: number,
  unitMm: number,
): CadPart => ({
  index,
  faces: faces.length,
  ...(name !== "" && { name }),
  surface: {
    vertices: Float64Array.from(attributes.position.array, (millimetres) => millimetres / unitMm),
    triangles: Uint32Array.from(corners.array),
  },
});
