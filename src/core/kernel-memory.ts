import { Buffer } from "node:buffer";
import { operationFailed } from "./api-error.ts";

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

const compiled = new Map<string, WebAssembly.Module>();

/**
 * Instantiates a module (base64 text, as in `*.wasm.ts`) on a memory, sets its globals and returns its exports. The runtime does not check
 * the type `Exports`: the AssemblyScript source of the module must export all that it names.
 */
export function kernelInstance<Exports>(
  wasm: string,
  memory: WebAssembly.Memory,
  globals: Readonly<Record<string, number>>,
): Exports {
  let module = compiled.get(wasm);
  if (!module) compiled.set(wasm, (module = new WebAssembly.Module(Buffer.from(wasm, "base64"))));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  for (const [name, value] of Object.entries(globals)) {
    (exports[name] as WebAssembly.Global<"i32" | "f64">).value = value;
  }
  return exports as Exports;
}
