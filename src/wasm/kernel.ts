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

/**
 * Allocates zeroed memory for arrays of the given sizes in bytes, in their order. Throws OPERATION_FAILED with the message `tooLarge` for
 * more than WebAssembly can address.
 */
export function kernelMemory<Name extends string>(
  sizes: Readonly<Record<Name, number>>,
  tooLarge: string,
): KernelMemory<Name> {
  let end = RESERVED_BYTES;
  const offsets: Record<string, number> = {};
  for (const [name, bytes] of Object.entries<number>(sizes)) {
    offsets[name] = end;
    end += CACHE_LINE_BYTES * Math.ceil(bytes / CACHE_LINE_BYTES);
  }
  const initial = Math.ceil(end / PAGE_BYTES);
  if (initial > MAX_PAGES) throw operationFailed(tooLarge);
  return { memory: new WebAssembly.Memory({ initial }), offsets: offsets as Record<Name, number> };
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
  for (const [global, value] of Object.entries(globals)) {
    (exports[global] as WebAssembly.Global<"i32" | "f64">).value = value;
  }
  return exports as Exports;
}

function compiled(name: string, wasm: string): WebAssembly.Module {
  const module = new WebAssembly.Module(Buffer.from(wasm, "base64"));
  shareModule(name, module);
  return module;
}
