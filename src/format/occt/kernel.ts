import occtimportjs from "occt-import-js";
import type { OcctMesh, OcctNode, OcctParameters } from "occt-import-js";
import { claimedAndFreeMemory } from "../../core/memory-budget.ts";
import type { Progress } from "../../core/progress.ts";
import { readWholeFile } from "../../core/read-file.ts";
import type { ReadOptions } from "../model-reader.ts";
import { MAX_CAD_FILE_BYTES, claimModelBytes } from "../model-size.ts";
import { MODULE_BYTES, type MemoryBoundError, boundedInstance, prepareLibrary } from "../../wasm/library.ts";
import { firstRounds, worthRounds } from "./kernel-rounds.ts";

const KERNEL = "occt-import-js.wasm";

/** Finer tolerances are raised to these: no printer resolves more, and the kernel would take minutes. */
const MIN_CHORDAL_TOLERANCE_MM = 0.001;
const MIN_ANGLE_TOLERANCE_DEG = 0.5;

const RADIANS = Math.PI / 180;

/**
 * Memory limit of the kernel: a constant, plus a multiple of the file's size. Most valid files need a fraction of it: 600 bytes per
 * triangle, and 64 KiB per face of a shape that is meshed as a whole, as in BREP files. On a damaged file OpenCASCADE can take
 * gigabytes and many seconds before it fails.
 */
const KERNEL_MEMORY: Readonly<Record<OcctFormat, { readonly bytes: number; readonly perFileByte: number }>> = {
  Step: { bytes: 512 * 2 ** 20, perFileByte: 100 },
  Iges: { bytes: 512 * 2 ** 20, perFileByte: 100 },
  Brep: { bytes: 2 ** 30, perFileByte: 400 },
};

/** The memory that the kernel may take for a text of `bytes`, if the server has as much. */
export function mostKernelBytes(format: OcctFormat, bytes: number): number {
  const { bytes: base, perFileByte } = KERNEL_MEMORY[format];
  return Math.min(base + perFileByte * bytes, MODULE_BYTES);
}

/** Memory that valid files need, measured on as1-oc-214.stp and linkrods.step of OpenCASCADE. */
const USUAL_KERNEL_BYTES = 90 * 2 ** 20;
const USUAL_BYTES_PER_FILE_BYTE = 50;

/** Reads the bytes of a file for the kernel, after claiming the memory of both. Throws like `readWholeFile`, and `MemoryError`. */
export const readForKernel = (file: string): Uint8Array<ArrayBuffer> =>
  readWholeFile(file, MAX_CAD_FILE_BYTES, (size) => claimKernelMemory(file, size));

/** Claims the memory that the kernel usually takes for a text of `bytes` from `file`. */
export const claimKernelMemory = (file: string, bytes: number): void =>
  claimModelBytes(file, USUAL_KERNEL_BYTES + USUAL_BYTES_PER_FILE_BYTE * bytes);

/** Prepares the kernel for threads that are about to share it. */
export const prepareKernel = (): Promise<void> => prepareLibrary(KERNEL);

/** Triangles of each solid of a file, and of each shell and face outside solids. */
export interface Tessellation {
  readonly meshes: readonly OcctMesh[];
  /** The products of the file, with the indices of their meshes. */
  readonly root: OcctNode;
  /** Set if the kernel reached its memory limit: triangles may be missing for that reason. */
  readonly shortage: MemoryBoundError | undefined;
}

/** A tessellation without the products. */
export type Meshes = Omit<Tessellation, "root">;

export type OcctFormat = "Step" | "Iges" | "Brep";

/**
 * The triangles of a file; undefined if OpenCASCADE cannot read it. OpenCASCADE converts the unit of the file to millimetres:
 * `fileUnitMm` is that unit. If `options` force another unit, the tolerances apply to the size that results from it. May reject
 * with any value when the kernel fails.
 */
export async function tessellate(
  format: OcctFormat,
  file: Uint8Array,
  { chordalToleranceMm, angleToleranceDeg, unitMm }: ReadOptions,
  fileUnitMm: number,
  progress: Progress,
): Promise<Tessellation | undefined> {
  const parameters: OcctParameters = {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: Math.max(chordalToleranceMm, MIN_CHORDAL_TOLERANCE_MM) * (fileUnitMm / (unitMm ?? fileUnitMm)),
    angularDeflection: Math.max(angleToleranceDeg, MIN_ANGLE_TOLERANCE_DEG) * RADIANS,
  };
  // A file that turns out to need more than is free fails in the kernel.
  const maxBytes = Math.min(mostKernelBytes(format, file.length), claimedAndFreeMemory());
  const bounds = {
    maxBytes,
    maxRounds: firstRounds(file.length),
    onMaxRounds: () => worthRounds(instance, { file, read: `Read${format}File`, parameters, maxBytes }),
  };
  const instance = await boundedInstance(KERNEL, bounds, progress);
  const { check, shortage } = instance;
  const occt = await occtimportjs({
    instantiateWasm: instance.instantiateWasm,
    print() {},
    printErr() {},
  });
  try {
    const { success, meshes, root } = occt[`Read${format}File`](file, parameters);
    check();
    if (success && meshes && root) return { meshes, root, shortage: shortage() };
  } catch (thrown) {
    // The exception may be a consequence of the limits.
    check();
    throw shortage() ?? thrown;
  }
  const short = shortage();
  if (short) throw short;
  return undefined;
}

/** Whether the mesh has faces and the kernel made triangles of all of them. */
export const hasAllFaces = ({ brep_faces: faces }: OcctMesh): boolean =>
  faces.length > 0 && faces.every(({ first, last }) => last >= first);
