import { Buffer } from "node:buffer";
import { operationFailed } from "../core/api-error.ts";
import { knownModule, shareModule } from "./shared-modules.ts";

/** The memory of a WebAssembly kernel, and the byte offset of each of its arrays. */
export interface KernelMemory<Name extends string> {
  readonly memory: WebAssembly.Memory;
  readonly offsets: Readonly<Record<Name, number>>;
}

export const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
const CACHE_LINE_BYTES = 64;
/** Bytes at the beginning of memory for the static data of the compiler, which is smaller. */
const RESERVED_BYTES = 4096;

/** Byte offsets of arrays in the memory of a kernel, and the number of pages that they take. */
export interface KernelLayout<Name extends string> {
  readonly offsets: Readonly<Record<Name, number>>;
  readonly pages: number;
}

/**
 * The layout of arrays of the given sizes in bytes, in their order. Throws OPERATION_FAILED with the message `tooLarge` for more than
 * WebAssembly can address.
 */
export function kernelLayout<Name extends string>(
  sizes: Readonly<Record<Name, number>>,
  tooLarge: string,
): KernelLayout<Name> {
  let end = RESERVED_BYTES;
  const offsets: Record<string, number> = {};
  for (const [name, bytes] of Object.entries<number>(sizes)) {
    offsets[name] = end;
    end += CACHE_LINE_BYTES * Math.ceil(bytes / CACHE_LINE_BYTES);
  }
  const pages = Math.ceil(end / PAGE_BYTES);
  if (pages > MAX_PAGES) throw operationFailed(tooLarge);
  return { offsets: offsets as Record<Name, number>, pages };
}

/** Allocates zeroed memory for a {@link kernelLayout}. */
export function kernelMemory<Name extends string>(
  sizes: Readonly<Record<Name, number>>,
  tooLarge: string,
): KernelMemory<Name> {
  const { offsets, pages } = kernelLayout(sizes, tooLarge);
  return { memory: new WebAssembly.Memory({ initial: pages }), offsets };
}

/** A kernel in AssemblyScript, as `bun run wasm` compiles it. */
export interface Kernel {
  /** Unique among the modules of the program. */
  readonly name: string;
  /** Base64 text. */
  readonly wasm: string;
}

/**
 * Instantiates a kernel on a memory, sets its globals and returns its exports. Threads compile it once for all. The runtime does not check
 * the type `Exports`: the AssemblyScript source of the module must export all that it names.
 */
export function kernelInstance<Exports>(
  { name, wasm }: Kernel,
  memory: WebAssembly.Memory,
  globals: Readonly<Record<string, number>>,
): Exports {
  const { exports } = new WebAssembly.Instance(knownModule(name) ?? compiled(name, wasm), { env: { memory } });
  setGlobals(exports, globals);
  return exports as Exports;
}

/** Sets globals of a kernel, such as those of its {@link KernelLayout}. */
export function setGlobals(exports: object, globals: Readonly<Record<string, number>>): void {
  for (const [global, value] of Object.entries(globals)) {
    (exports as Record<string, WebAssembly.Global<"i32" | "f64">>)[global].value = value;
  }
}

function compiled(name: string, wasm: string): WebAssembly.Module {
  const module = new WebAssembly.Module(Buffer.from(wasm, "base64"));
  shareModule(name, module);
  return module;
}
