import { type AssetName, assetBytes } from "../core/asset.ts";

const PAGE_BYTES = 65_536;

const modules = new Map<AssetName, Promise<WebAssembly.Module>>();

/** A hook of Emscripten's modules, which calls `receive` with the instance to use. */
export type InstantiateWasm = (
  imports: WebAssembly.Imports,
  receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => object;

/**
 * Makes instances of a WebAssembly library, compiled once per thread, whose memory is bounded: beyond `maxBytes` allocations fail as
 * when memory is exhausted. Take a new one for each file, so that its memory is freed and a trap is harmless.
 */
export async function boundedInstance(name: AssetName, maxBytes: number): Promise<InstantiateWasm> {
  const module = await compiled(name);
  return (imports, receive) => {
    const instance = new WebAssembly.Instance(module, imports);
    boundMemory(instance, maxBytes);
    receive(instance, module);
    return instance.exports;
  };
}

function compiled(name: AssetName): Promise<WebAssembly.Module> {
  const known = modules.get(name);
  if (known) return known;
  const module = WebAssembly.compile(assetBytes(name)).catch((thrown: unknown) => {
    modules.delete(name);
    throw thrown;
  });
  modules.set(name, module);
  return module;
}

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
