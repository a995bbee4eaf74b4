import rhino3dm from "rhino3dm";
import type { RhinoModule } from "rhino3dm";
import { claimedAndFreeMemory } from "../../core/memory-budget.ts";
import { type Progress, noProgress } from "../../core/progress.ts";
import { boundedInstance } from "../../wasm/library.ts";

/** Memory for the library: it holds the file and its decoded content, a few times the size of the file. */
const LIBRARY_BYTES = 256 * 2 ** 20;
const LIBRARY_BYTES_PER_FILE_BYTE = 20;
/** Loop iterations of the library: intact files take 2 to 4 per byte. A second has about 2e8 of them. */
const LIBRARY_ROUNDS = 1e9;
const LIBRARY_ROUNDS_PER_FILE_BYTE = 1000;

/** The library that reads Rhino's files, as a new instance with memory for a file of `fileBytes`. The memory is freed with the instance. */
export async function rhinoLibrary(fileBytes: number, progress: Progress = noProgress): Promise<RhinoModule> {
  const bounds = {
    maxBytes: Math.min(LIBRARY_BYTES + LIBRARY_BYTES_PER_FILE_BYTE * fileBytes, claimedAndFreeMemory()),
    maxRounds: LIBRARY_ROUNDS + LIBRARY_ROUNDS_PER_FILE_BYTE * fileBytes,
  };
  const { instantiateWasm } = await boundedInstance("rhino3dm.wasm", bounds, progress);
  return await rhino3dm({ instantiateWasm, print() {}, printErr() {} });
}

/** Registers an object of the library, which no garbage collector frees, to be released. */
export type Own = <T extends object | null>(handle: T) => T;

export interface Handles {
  readonly own: Own;
  /** Releases all registered objects, the last one first. */
  readonly release: () => void;
}

export function newHandles(): Handles {
  const handles: object[] = [];
  return {
    own(handle) {
      if (handle) handles.push(handle);
      return handle;
    },
    release() {
      for (const handle of handles.splice(0).toReversed()) give(handle);
    },
  };
}

/** Tables of a file have their own method `delete`, for rows; the method of the base class frees the object. */
function give(handle: object): void {
  let free: (() => void) | undefined;
  for (let type = Object.getPrototypeOf(handle); type !== null; type = Object.getPrototypeOf(type)) {
    if (Object.hasOwn(type, "delete")) free = type.delete;
  }
  free?.call(handle);
}

/** The result of `work`; afterwards the objects of the library that it registered are released. */
export function withHandles<T>(work: (own: Own) => T): T {
  const { own, release } = newHandles();
  try {
    return work(own);
  } finally {
    release();
  }
}

/** The number of a constant of the library: its declarations say number, but it is an object. */
export const enumValue = (constant: unknown): number => (constant as { readonly value: number }).value;
