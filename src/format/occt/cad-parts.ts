import { Buffer } from "node:buffer";
import type { OcctMesh } from "occt-import-js";
import { ApiError, excerpt, operationFailed } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { CancelledError, type Progress } from "../../core/progress.ts";
import type { FilePart, ReadOptions } from "../model-reader.ts";
import { lossError } from "../losses.ts";
import { requirePartCount } from "../model-size.ts";
import { countSentence, namesInMessage } from "../message-names.ts";
import { EndlessError, MemoryBoundError } from "../../wasm/library.ts";
import { type Meshes, type OcctFormat, hasAllFaces, mostKernelBytes, tessellate } from "./kernel.ts";
import { numberBeyondLimits } from "./cad-numbers.ts";
import { coarserWhenShort, tolerancesText } from "./coarser-when-short.ts";
import { EndlessShapesError, TooFineShapesError } from "./kernel-rounds.ts";
import { tessellateRest } from "./tessellate-rest.ts";
import { type SizedOptions, toleranceForSize } from "./tolerance-for-size.ts";
import { type CadPart, joinTouching } from "./touching-faces.ts";
import { withoutRepeats } from "./without-repeats.ts";

/** Boxes of neighbouring faces touch within the tolerance of exporters. */
const REACH_MM = 0.01;
/** Fraction of the progress at which the kernel is done; the kernel itself reports none. */
const KERNEL_SHARE = 0.9;

/** The text of a file in a format that OpenCASCADE reads. */
export interface CadText {
  /** Its path, for messages. */
  readonly file: string;
  readonly format: OcctFormat;
  readonly bytes: Uint8Array;
  /** Millimetres per unit of the file, as OpenCASCADE reads it. */
  readonly unitMm: number;
  /** All shapes of an assembly may be in other files. */
  readonly mayBeEmpty?: boolean;
  /** Result of the check before the kernel. */
  readonly check?: CadCheck;
}

/** The result of checking a file before the kernel reads it: the kernel ignores most damage without a message. */
export interface CadCheck {
  /** One sentence that says what is wrong with the text and which parts are concerned. */
  readonly damage: string | undefined;
  /** Content that the file places and that the kernel's meshes lack. */
  readonly lossesIn: (meshes: readonly OcctMesh[]) => CadLosses;
}

export interface CadLosses {
  readonly losses: readonly string[];
  readonly warnings: readonly string[];
}

const WAY_OUT: Readonly<Record<OcctFormat, string>> = {
  Step: "export the model again as STEP AP214 or AP242, or as STL",
  Iges: "export the model as STEP AP214 or AP242, or as STL",
  Brep: "save it again in the text form of OpenCASCADE, or export it as STEP or STL",
};

/** OPERATION_FAILED for a file that does not have its format. */
export const notOfFormat = (file: string, format: OcctFormat): ApiError =>
  fileError("read", file, `it is no ${format.toUpperCase()} file, or it is damaged; ${WAY_OUT[format]}`);

/** OPERATION_FAILED for a file on which the kernel exceeds its limit of work: fine angles multiply the triangles of small radii. */
export function tooFine(file: string, format: OcctFormat, options: ReadOptions, endless: EndlessError): ApiError {
  if (endless instanceof EndlessShapesError) {
    const why = `the CAD kernel failed on it (${endless.message}, at coarse tolerances, too)`;
    return fileError("read", file, `${why}: a number or a reference in it is damaged; ${WAY_OUT[format]}`);
  }
  const why = `the CAD kernel failed on it (${endless.message} at usual tolerances)`;
  if (endless instanceof TooFineShapesError) {
    return fileError(
      "read",
      file,
      `${why}; import it with ${tolerancesText(endless.coarser(options))}, or ${WAY_OUT[format]}`,
    );
  }
  return fileError("read", file, `${why}; import it with ${coarserThan(options)}, or ${WAY_OUT[format]}`);
}

/** OPERATION_FAILED for a file whose shapes or triangles exceed the kernel's memory. */
function tooLarge(file: string, options: ReadOptions, { message }: MemoryBoundError): ApiError {
  const wayOut = `import it with ${coarserThan(options)}, split it into smaller files, or export it as STL`;
  return fileError("read", file, `the CAD kernel failed on it (${message}); ${wayOut}`);
}

const coarserThan = ({ angleToleranceDeg, chordalToleranceMm }: ReadOptions): string =>
  `a coarser angle_tolerance_deg than ${angleToleranceDeg} or chordal_tolerance_um than ${Number((1000 * chordalToleranceMm).toPrecision(6))}`;

/** The content of a file. */
export interface CadModel {
  readonly parts: readonly FilePart[];
  /** Maximum distance of the triangles from the surfaces, mm. */
  readonly deviationMm: number;
  /** Number of faces of a file without solids. */
  readonly looseFaces?: number;
  readonly losses: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Reads the parts of a file, in its unit: one for each instance of a solid and each shell outside solids, with its name. Faces of a
 * file without solids, and faces of IGES files, become one part where their boxes touch. Throws OPERATION_FAILED for a file without
 * any part, and for a damaged one if the options want all of it.
 */
export async function cadModel(text: CadText, options: ReadOptions, progress: Progress): Promise<CadModel> {
  const damage = text.check?.damage;
  if (damage === undefined) return tessellatedModel(text, options, progress);
  if (options.mustBeWhole) throw lossError(text.file, [damage]);
  try {
    const model = await tessellatedModel(text, options, progress);
    return { ...model, losses: [damage, ...model.losses] };
  } catch (thrown) {
    const isFailure = thrown instanceof ApiError && thrown.code === "OPERATION_FAILED";
    throw isFailure ? operationFailed(`${thrown.message} ${damage}`) : thrown;
  }
}

async function tessellatedModel(text: CadText, options: ReadOptions, progress: Progress): Promise<CadModel> {
  const { file, format, bytes, unitMm, mayBeEmpty = false, check } = text;
  const beyond = numberBeyondLimits(bytes, format, unitMm);
  if (beyond) throw fileError("read", file, `it is damaged: it holds ${beyond}; ${WAY_OUT[format]}`);
  const sized = toleranceForSize(bytes, format, options, unitMm);
  const { meshes, shortage, taken } = await meshesOf(text, sized, progress);
  progress.report(KERNEL_SHARE);
  if (meshes.length === 0 && !mayBeEmpty)
    throw fileError("read", file, `it holds no solid or surface; ${WAY_OUT[format]}`);
  const lost = meshes.filter(({ index }) => index.array.length === 0);
  const found = meshes.filter(({ index }) => index.array.length > 0);
  const areLoose = !holdsSolid(format, bytes);
  const isLooseFace = ({ brep_faces: faces }: OcctMesh): boolean => areLoose && faces.length === 1;
  if (lost.length > 0 && (found.length === 0 || (shortage && !check?.damage))) {
    const what = lost[0].name === "" ? "a part of it" : `its part ${JSON.stringify(excerpt(lost[0].name))}`;
    const why = shortage ? ` (${shortage.message})` : "";
    throw fileError("read", file, `the CAD kernel made no triangles of ${what}${why}; ${coarser(format)}`);
  }
  if (shortage && !found.every(hasAllFaces)) throw tooLarge(file, taken.options, shortage);
  const faces = meshes.reduce((sum, { brep_faces: own }) => sum + own.length, 0);
  // Many programs write the faces of a model as surfaces that nothing joins.
  const pieces = found.map((mesh, index) => toPart(mesh, index, unitMm));
  const parts = areLoose || format === "Iges" ? joinTouching(pieces, REACH_MM / unitMm) : pieces;
  requirePartCount(parts.length);
  const placed = check?.lossesIn(meshes) ?? { losses: [], warnings: [] };
  return {
    parts,
    deviationMm: taken.options.chordalToleranceMm,
    ...(areLoose && { looseFaces: faces }),
    losses: [...lossesOf(lost, lost.every(isLooseFace) ? faces : undefined, format), ...placed.losses],
    warnings: [...sized.warnings, ...taken.warnings, ...placed.warnings, ...describeEmptyFaces(found)],
  };
}

/** A face without triangles leaves a hole between its neighbours, unless it has no area. */
function describeEmptyFaces(meshes: readonly OcctMesh[]): string[] {
  const empty = ({ brep_faces: faces }: OcctMesh): number => faces.filter(({ first, last }) => last < first).length;
  const names = meshes.flatMap((mesh) => (empty(mesh) === 0 ? [] : mesh.name));
  return countSentence(
    "Faces without triangles from the CAD kernel",
    meshes.reduce((sum, mesh) => sum + empty(mesh), 0),
    names,
  );
}

const coarser = (format: OcctFormat): string => `import it with a coarser chordal_tolerance_um, or ${WAY_OUT[format]}`;

/** A sentence about shapes without triangles: parts, or some of the `faces` outside parts. */
function lossesOf(lost: readonly OcctMesh[], faces: number | undefined, format: OcctFormat): string[] {
  if (lost.length === 0) return [];
  if (faces !== undefined) {
    const what = `${lost.length} of the ${faces} faces of the file`;
    return [
      `The CAD kernel made no triangles for ${what}, which the model lacks. Repair them in the CAD program, then ${WAY_OUT[format]}.`,
    ];
  }
  const what = lost.length === 1 ? "a part" : `${lost.length} parts`;
  const names = namesInMessage(lost.map(({ name }) => name));
  return [
    `The CAD kernel made no triangles for ${what} of the file${names && ` (${names})`}, which the model lacks. For the complete model, ${coarser(format)}.`,
  ];
}

/** The meshes of a file that have faces, and the tolerances that were used. Throws OPERATION_FAILED. */
async function meshesOf(
  text: CadText,
  { options, sizeMm }: Pick<ReturnType<typeof toleranceForSize>, "options" | "sizeMm">,
  progress: Progress,
): Promise<Meshes & { readonly taken: SizedOptions }> {
  const { file, format, bytes, unitMm, check } = text;
  // A damaged file exceeds the memory at any tolerance.
  const isOwnBound = (short: MemoryBoundError): boolean =>
    check?.damage === undefined && short.bytes >= mostKernelBytes(format, bytes.length);
  const work = coarserWhenShort(options, sizeMm, isOwnBound, (some) =>
    some.made?.length
      ? tessellateRest(bytes, some, unitMm, progress)
      : tessellate(format, bytes, some, unitMm, progress),
  );
  const { made, ...taken } = await work.catch((thrown: unknown) => {
    if (thrown instanceof CancelledError) throw thrown;
    if (thrown instanceof EndlessError) throw tooFine(file, format, options, thrown);
    if (thrown instanceof MemoryBoundError) throw tooLarge(file, options, thrown);
    // Exceptions of the kernel itself (C++) have no text.
    const why = thrown instanceof Error ? ` (${thrown.message})` : "";
    throw fileError("read", file, `the CAD kernel failed on it${why}; ${coarser(format)}`);
  });
  if (!made) throw notOfFormat(file, format);
  const meshes = made.meshes.filter(({ brep_faces: faces }) => faces.length > 0);
  return { meshes: format === "Brep" ? withoutRepeats(meshes) : meshes, shortage: made.shortage, taken };
}

/** Words that occur in a file with solids: entities of STEP, and shapes of BREP. */
const SOLID_WORDS = {
  Step: ["MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP", "TESSELLATED_SOLID"],
  Brep: ["\nSo"],
};
/** Solids in the directory of an IGES file (IGES 5.3, 3.2): primitives, solids made of them, and boundary representations. */
const IGES_SOLID = /^ {5}(?:15[0-8]|16[0-8]|18[0246]) .{63}D/m;

function holdsSolid(format: OcctFormat, { buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return format === "Iges"
    ? IGES_SOLID.test(bytes.toString("latin1"))
    : SOLID_WORDS[format].some((word) => bytes.includes(word));
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
