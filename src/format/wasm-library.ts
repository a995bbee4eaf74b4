import { type AssetName, assetBytes } from "../core/asset.ts";
import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { CHECKPOINT, withCheckpoints } from "./wasm-checkpoints.ts";

const PAGE_BYTES = 65_536;

/** A compiled library, which threads share with the code that the runtime makes of it while it runs. */
export interface SharedModule {
  readonly name: AssetName;
  readonly module: WebAssembly.Module;
}

const modules = new Map<AssetName, Promise<WebAssembly.Module>>();
let tell: (compiled: SharedModule) => void = () => {};

/** Calls `listener` with each library that this thread compiles. Called once, when the thread starts. */
export const onCompiled = (listener: (compiled: SharedModule) => void): void => {
  tell = listener;
};

/** Uses a library that another thread has compiled. */
export function takeModule({ name, module }: SharedModule): void {
  if (!modules.has(name)) modules.set(name, Promise.resolve(module));
}

/** A hook of Emscripten's modules, which calls `receive` with the instance to use. */
export type InstantiateWasm = (
  imports: WebAssembly.Imports,
  receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => object;

/** Thrown in a library that goes on and on: what it reads is damaged. */
export class EndlessError extends Error {
  constructor(rounds: number) {
    super(`it did not end within ${Math.round(rounds / 1e9)} billion steps, many times what sound files take`);
  }
}

/** Thrown by {@link BoundedInstance.check} where a library ran out of its memory. */
export class MemoryBoundError extends Error {
  constructor(bytes: number) {
    super(`it needs more than ${Math.round(bytes / 2 ** 20)} MiB of memory`);
  }
}

/** What an instance may use. */
export interface InstanceBounds {
  readonly maxBytes: number;
  /** Rounds of all of its loops together. */
  readonly maxRounds: number;
}

export interface BoundedInstance {
  readonly instantiateWasm: InstantiateWasm;
  /**
   * Throws once the instance has passed its rounds or was refused memory, or its task was cancelled: the library may have caught what was
   * thrown in it, and gone on.
   */
  readonly check: () => void;
}

/**
 * Makes an instance of a WebAssembly library, compiled once for all threads. Beyond `maxBytes` its allocations fail as when memory is exhausted;
 * its loops throw beyond `maxRounds`, the same number on every machine, and when the task of `progress` is cancelled. Take a new one for
 * each file, so that its memory is freed, and what broke in it is harmless.
 */
export async function boundedInstance(
  name: AssetName,
  { maxBytes, maxRounds }: InstanceBounds,
  progress: Progress,
): Promise<BoundedInstance> {
  const module = await compiled(name);
  const silent = progress.silent();
  let rounds = 0;
  let isFull = false;
  const check = (): void => {
    silent.report(0);
    if (rounds > maxRounds) throw new EndlessError(maxRounds);
    if (isFull) throw new MemoryBoundError(maxBytes);
  };
  const pass = (): void => {
    rounds += STEPS_PER_REPORT;
    check();
  };
  return {
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, {
        ...imports,
        [CHECKPOINT.module]: { [CHECKPOINT.name]: pass },
      });
      boundMemory(instance, maxBytes, (isRefused) => {
        isFull = isRefused;
      });
      receive(instance, module);
      return instance.exports;
    },
    check,
  };
}

/** Compiles a library before several threads need it at once, of which each would compile it. */
export const prepareLibrary = async (name: AssetName): Promise<void> => void (await compiled(name));

function compiled(name: AssetName): Promise<WebAssembly.Module> {
  const known = modules.get(name);
  if (known) return known;
  const module = WebAssembly.compile(withCheckpoints(assetBytes(name), STEPS_PER_REPORT)).catch((thrown: unknown) => {
    modules.delete(name);
    throw thrown;
  });
  void module.then((made) => tell({ name, module: made })).catch(() => {});
  modules.set(name, module);
  return module;
}

function boundMemory(
  { exports }: WebAssembly.Instance,
  maxBytes: number,
  onGrowth: (isRefused: boolean) => void,
): void {
  for (const memory of Object.values(exports)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      // Emscripten asks for less where it is refused more than it needs, and the engine has a bound of its own.
      onGrowth(true);
      if (memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes) throw new RangeError("its memory bound is reached");
      const before = grow(pages);
      onGrowth(false);
      return before;
    };
  }
}
