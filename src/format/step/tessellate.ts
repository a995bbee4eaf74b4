import occtimportjs, { type Occt, type OcctMesh } from "occt-import-js";
import { assetBytes } from "../../core/asset.ts";
import type { ReadOptions } from "../reader.ts";

const RADIANS = Math.PI / 180;
const PAGE_BYTES = 65_536;

/**
 * Memory of the kernel: so much, and so many times the file's size. Sound files take a fraction; a damaged one can drive
 * OpenCASCADE through gigabytes and many seconds before it gives up.
 */
const KERNEL_BYTES = 512 * 2 ** 20;
const KERNEL_BYTES_PER_FILE_BYTE = 100;

let kernel: Promise<WebAssembly.Module> | undefined;

/**
 * Triangles in millimetres of each solid, and of each shell and face outside solids, in a STEP file; undefined where
 * OpenCASCADE cannot read it. May reject with anything when it fails inside.
 */
export async function tessellate(file: Uint8Array, options: ReadOptions): Promise<readonly OcctMesh[] | undefined> {
  const occt = await newKernel(KERNEL_BYTES + KERNEL_BYTES_PER_FILE_BYTE * file.length);
  const { success, meshes } = occt.ReadStepFile(file, {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: options.chordalToleranceMm,
    angularDeflection: options.angleToleranceDeg * RADIANS,
  });
  return success ? meshes : undefined;
}

/** Compiled once per thread, but new for each file: its memory goes with it, and a trap spoils nothing. */
async function newKernel(maxBytes: number): Promise<Occt> {
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

/** Lets the memory of an instance grow no further than `maxBytes`: beyond, its allocations fail as at the end of memory. */
function boundMemory({ exports }: WebAssembly.Instance, maxBytes: number): void {
  for (const memory of Object.values(exports)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes) throw new RangeError("its memory bound is reached");
      return grow(pages);
    };
  }
}
