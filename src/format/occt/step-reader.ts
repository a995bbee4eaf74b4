import { Buffer } from "node:buffer";
import { realpathSync } from "node:fs";
import type { OcctMesh } from "occt-import-js";
import { excerpt } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { compose, scaled } from "../../geometry/transform.ts";
import { triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { partFilesBeside } from "../file-beside.ts";
import type { DividedFile, FilePart, ModelReader, NamedSurface, ReadOptions, ShapeFrame } from "../model-reader.ts";
import { claimModelSize } from "../model-size.ts";
import { readExactly } from "../../codec/file-source.ts";
import { withFileSource } from "../model-source.ts";
import { placeSurface } from "../place-surface.ts";
import { numberBeyondLimits } from "./cad-numbers.ts";
import { cadModel, notOfFormat } from "./cad-parts.ts";
import { claimKernelMemory, prepareKernel, readForKernel, tessellate } from "./kernel.ts";
import { type ExternalPart, externalParts, nameOfProduct } from "./step-assembly.ts";
import { productInItself } from "./step-circle.ts";
import { checkStep } from "./step-losses.ts";
import { stepInstances } from "./step-scan.ts";
import { solidTexts, stepSolids } from "./step-solids.ts";
import { withStandIns } from "./step-stand-ins.ts";
import { surfacesOfStep } from "./step-surfaces.ts";
import { withReadableUnits } from "./step-units.ts";
import { toleranceForSize } from "./tolerance-for-size.ts";

/**
 * STEP AP203, AP214 and AP242 (ISO 10303), tessellated by OpenCASCADE. One part for each instance of a solid, named after its product.
 * Parts of an assembly in other files are read if these files are in its folder or below; for other formats `readerOf` gives the reader
 * for a path. Coordinates are in the file's length unit; a file without one, or with several, is in millimetres.
 */
export const stepReaderWith = (readerOf: Reading["readerOf"]): ModelReader => ({
  sharing: { divide: divideStep, make: makeSolids, frame: frameOfStep },
  async read(file, options, progress) {
    progress.report(0);
    const reading = { known: new Map<string, StepFile>(), within: [], readerOf };
    const { parts, deviationMm, ...model } = await readStep(file, options, progress, reading);
    return {
      ...model,
      parts: parts.map((part, index) => ({ ...part, index })),
      separateFaces: { deviationMm },
    };
  },
});

/** Reads files all of whose parts are in STEP files. */
export const stepReader = stepReaderWith(() => undefined);

interface StepFile {
  readonly parts: readonly FilePart[];
  readonly unitMm: number;
  readonly deviationMm: number;
  /** Number of loose faces of a file that has all of its parts in itself. */
  readonly looseFaces?: number;
  readonly losses: readonly string[];
  readonly warnings: readonly string[];
}

interface Reading {
  /** Files that were read before, by their real paths. */
  readonly known: Map<string, StepFile>;
  /** The real paths of the assemblies around a file. */
  readonly within: readonly string[];
  /** The reader for a path; undefined if there is none. */
  readonly readerOf: (path: string) => Promise<ModelReader> | undefined;
}

/** The first word of an exchange structure (ISO 10303-21); only comments may precede it. */
const MAGIC = "ISO-10303-21";
const END = "END-ISO-10303-21;";
const HEAD_BYTES = 4096;
/** Most levels of assemblies in assemblies, each in a separate file. */
const MAX_NESTED_FILES = 32;

async function readStep(file: string, options: ReadOptions, progress: Progress, reading: Reading): Promise<StepFile> {
  const content = readForKernel(file);
  if (!Buffer.from(content.subarray(0, HEAD_BYTES)).includes(MAGIC)) throw notOfFormat(file, "Step");
  const { bytes, unitMm = 1 } = withReadableUnits(upToEnd(content));
  const circular = productInItself(bytes);
  if (circular !== undefined) {
    const name = JSON.stringify(excerpt(nameOfProduct(bytes, circular)));
    throw fileError("read", file, `its product ${name} is used inside itself; export it again`);
  }
  const external = externalParts(bytes);
  const mayBeEmpty = external.length > 0;
  const check = checkStep(bytes, new Set(external.map(({ product }) => product)));
  const text = { file, format: "Step", bytes, unitMm, mayBeEmpty, check } as const;
  if (!mayBeEmpty) return { ...(await cadModel(text, options, progress)), unitMm };
  const real = realpathSync(file);
  const within = [...reading.within, real];
  if (reading.within.includes(real) || within.length > MAX_NESTED_FILES) {
    throw fileError("read", file, "the assembly refers to itself, or to files nested too deep; export it as one file");
  }
  const names = external.map(({ path }) => path);
  const paths = partFilesBeside(real, names, "STEP", (why) => fileError("read", file, why));
  // A forced unit applies to the numbers of the assembly: parts in other units keep their proportion to it.
  const inside = {
    ...options,
    chordalToleranceMm: options.chordalToleranceMm * (unitMm / (options.unitMm ?? unitMm)),
    unitMm: undefined,
  };
  let done = 0;
  for (const path of new Set(paths.values())) {
    if (reading.known.has(path)) continue;
    const share = progress.part(done / (paths.size + 1), (done + 1) / (paths.size + 1));
    reading.known.set(path, await readPart(path, inside, share, { ...reading, within }));
    done++;
  }
  const placed = external.map((part) => ({ ...part, file: reading.known.get(paths.get(part.path)!)! }));
  claimPlaced(
    file,
    placed.map((part) => part.file),
  );
  const own = await cadModel(text, options, progress.part(done / (paths.size + 1), 1));
  const files = [own, ...new Set(placed.map((part) => part.file))];
  return {
    parts: [...own.parts, ...placed.flatMap((part) => partsOf(part, unitMm))],
    unitMm,
    deviationMm: Math.max(...files.map((one) => one.deviationMm)),
    losses: [...new Set(files.flatMap(({ losses }) => losses))],
    warnings: [...new Set(files.flatMap(({ warnings }) => warnings))],
  };
}

/** Reads a file with parts of an assembly: STEP under any name, else the format of its extension. */
async function readPart(path: string, options: ReadOptions, progress: Progress, reading: Reading): Promise<StepFile> {
  if (isStep(path)) return readStep(path, options, progress, reading);
  const reader = await reading.readerOf(path);
  if (!reader) {
    const why = "the assembly has a part in it, and it is of no format that is read";
    throw fileError("read", path, `${why}; export the assembly as one STEP file`);
  }
  const { parts, unitMm = 1, losses = [], warnings = [], separateFaces } = await reader.read(path, options, progress);
  return { parts, unitMm, deviationMm: separateFaces?.deviationMm ?? 0, losses, warnings };
}

/** Whether the content of a file is STEP. */
const isStep = (path: string): boolean =>
  withFileSource(path, (source) => {
    const head = new Uint8Array(Math.min(HEAD_BYTES, source.size));
    readExactly(source, head, 0);
    return Buffer.from(head).includes(MAGIC);
  });

/** The solids of a complete file, divided into several texts; the tolerance is that for the size of all. */
async function divideStep(file: string, options: ReadOptions, progress: Progress): Promise<DividedFile> {
  progress.report(0);
  const undivided: DividedFile = { texts: [], options };
  const { bytes, unitMm } = withReadableUnits(upToEnd(readForKernel(file)));
  if (unitMm === undefined || numberBeyondLimits(bytes, "Step", unitMm) || externalParts(bytes).length > 0)
    return undivided;
  const instances = stepInstances(bytes);
  if (!instances) return undivided;
  const solids = stepSolids(instances);
  const texts = [...solidTexts(instances, solids)];
  if (texts.length < 2) return undivided;
  await prepareKernel();
  const frame = withStandIns(instances, solids, unitMm)?.bytes;
  return { texts, frame, options: toleranceForSize(bytes, "Step", options, unitMm).options };
}

async function frameOfStep(
  text: Uint8Array,
  file: string,
  options: ReadOptions,
  progress: Progress,
): Promise<ShapeFrame | undefined> {
  const { bytes, unitMm = 1 } = withReadableUnits(text);
  claimKernelMemory(file, bytes.length);
  try {
    const made = await tessellate("Step", bytes, options, unitMm, progress);
    return made && !made.shortage ? { meshes: made.meshes.map(neededOf), options } : undefined;
  } catch (thrown) {
    if (thrown instanceof CancelledError) throw thrown;
    return undefined;
  }
}

async function makeSolids(
  text: Uint8Array,
  file: string,
  options: ReadOptions,
  progress: Progress,
): Promise<readonly NamedSurface[]> {
  const { bytes, unitMm = 1 } = withReadableUnits(text);
  return (await surfacesOfStep(bytes, unitMm, file, options, progress)) ?? [];
}

/** A mesh without its normals and colours, which would be copied from thread to thread. */
const neededOf = ({ name, attributes: { position }, index, brep_faces }: OcctMesh): OcctMesh => ({
  name,
  attributes: { position },
  index,
  brep_faces,
});

/** The file up to the word that ends it. Some systems leave zeros after that word, which the kernel would read slowly. */
function upToEnd(file: Uint8Array): Uint8Array {
  const at = Buffer.from(file.buffer, file.byteOffset, file.byteLength).lastIndexOf(END);
  return at < 0 ? file : file.subarray(0, at + END.length);
}

/** The parts of another file, in the unit and at the placement of the assembly. If the file is one part, the assembly's name for it counts. */
function partsOf({ file, name, placement }: ExternalPart & { readonly file: StepFile }, unitMm: number): FilePart[] {
  const transform = compose(scaled(file.unitMm / unitMm), placement);
  const isNamed = file.parts.length === 1 && name !== "";
  return file.parts.map((part) => ({
    ...part,
    ...(isNamed && { name }),
    surface: placeSurface(part.surface, transform),
  }));
}

function claimPlaced(file: string, placed: readonly StepFile[]): void {
  const surfaces = placed.flatMap(({ parts }) => parts.map(({ surface }) => surface));
  const size = {
    facets: surfaces.reduce((sum, surface) => sum + triangleCount(surface), 0),
    vertices: surfaces.reduce((sum, surface) => sum + vertexCount(surface), 0),
    parts: surfaces.length,
  };
  claimModelSize(file, size, (why) => fileError("read", file, why));
}
