import occtimportjs from "occt-import-js";
import type { Occt, OcctMesh } from "occt-import-js";
import { assetBytes } from "../../core/asset.ts";
import { claimedAndFreeMemory } from "../../core/memory-budget.ts";
import { readWholeFile } from "../../core/read-file.ts";
import type { ReadOptions } from "../model-formats.ts";
import { claimModelBytes } from "../model-size.ts";

/** The kernel needs several times the size of the file in memory, and has at most 4 GiB. */
const MAX_FILE_BYTES = 512 * 2 ** 20;
/** Finer tolerances are raised to these: no printer shows more, and the kernel would take minutes. */
const MIN_CHORDAL_TOLERANCE_MM = 0.001;
const MIN_ANGLE_TOLERANCE_DEG = 0.5;

const RADIANS = Math.PI / 180;
const PAGE_BYTES = 65_536;

/**
 * Memory limit of the kernel: a constant, plus a multiple of the file's size. Valid files need a fraction of it, but a
 * damaged one can take OpenCASCADE through gigabytes and many seconds before it fails.
 */
const KERNEL_BYTES = 512 * 2 ** 20;
const KERNEL_BYTES_PER_FILE_BYTE = 100;

/** What valid files need, measured on as1-oc-214.stp and linkrods.step of OpenCASCADE. */
const USUAL_KERNEL_BYTES = 90 * 2 ** 20;
const USUAL_BYTES_PER_FILE_BYTE = 50;

/** The bytes of a file for the kernel, once the memory that both take is claimed. Throws as `readWholeFile`, and `MemoryError`. */
export const readForKernel = (file: string): Uint8Array<ArrayBuffer> =>
  readWholeFile(file, MAX_FILE_BYTES, (size) => claimKernelMemory(file, size));

/** Claims the memory that the kernel usually takes for text of `bytes`, which comes from `file`. */
export const claimKernelMemory = (file: string, bytes: number): void =>
  claimModelBytes(file, USUAL_KERNEL_BYTES + USUAL_BYTES_PER_FILE_BYTE * bytes);

export type OcctFormat = "Step" | "Iges" | "Brep";

/**
 * Triangles of each solid of a file, and of each shell and face outside solids; undefined where OpenCASCADE cannot read it.
 * OpenCASCADE turns the unit that a file states into millimetres: `fileUnitMm` is that unit, and where `options` force another
 * one, the tolerances hold for the size that the model gets by it. May reject with any value when the kernel fails.
 */
export async function tessellate(
  format: OcctFormat,
  file: Uint8Array,
  { chordalToleranceMm, angleToleranceDeg, unitMm }: ReadOptions,
  fileUnitMm = 1,
): Promise<readonly OcctMesh[] | undefined> {
  // A file that turns out to need more than is free fails in the kernel.
  const bound = Math.min(KERNEL_BYTES + KERNEL_BYTES_PER_FILE_BYTE * file.length, claimedAndFreeMemory());
  const occt = await instantiateKernel(bound);
  const { success, meshes } = occt[`Read${format}File`](file, {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: Math.max(chordalToleranceMm, MIN_CHORDAL_TOLERANCE_MM) * (fileUnitMm / (unitMm ?? fileUnitMm)),
    angularDeflection: Math.max(angleToleranceDeg, MIN_ANGLE_TOLERANCE_DEG) * RADIANS,
  });
  return success ? meshes : undefined;
}

let kernel: Promise<WebAssembly.Module> | undefined;

/** The kernel, compiled once per thread, but with a new instance per file, so that its memory is freed and a trap is harmless. */
async function instantiateKernel(maxBytes: number): Promise<Occt> {
  kernel ??= WebAssembly.compile(assetBytes("occt-import-js.wasm")).catch((thrown: unknown) => {
    kernel = undefined;
    throw thrown;
  });
  const module = await kernel;
  return await occtimportjs({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      boundMemory(instance, maxBytes);
      receive(instance, module);
      return instance.exports;
    },
    print() {},
    printErr() {},
  });
}

/** Limits the memory of an instance to `maxBytes`: beyond that its allocations fail as when memory is exhausted. */
export function boundMemory({ exports }: WebAssembly.Instance, maxBytes: number): void {
  for (const memory of Object.values(exports)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes) throw new RangeError("its memory bound is reached");
      return grow(pages);
    };
  }
}
