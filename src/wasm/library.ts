import { type AssetName, assetBytes } from "../core/asset.ts";
import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { CHECKPOINT, withCheckpoints } from "./checkpoints.ts";
import { withFewerPlaneCells } from "./plane-cells.ts";

const PAGE_BYTES = 65_536;

/** To which the modules of Emscripten grow at most. They do not ask for more, and for at least 5 % more than they hold. */
export const MODULE_BYTES = 2 ** 31;
const FULL_SHARE = 0.9;

/** A compiled library, which threads share with the code that the runtime makes of it while it runs. */
export interface SharedModule {
  readonly name: AssetName;
  readonly module: WebAssembly.Module;
}

/** Libraries whose code is changed beyond its checkpoints. */
const CHANGED: Partial<Record<AssetName, (module: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>>> = {
  "occt-import-js.wasm": withFewerPlaneCells,
};

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
    super(
      `it did not end within ${Number((rounds / 1e9).toPrecision(2))} billion steps, many times what sound files take`,
    );
  }
}

/** A library ran out of its memory. */
export class MemoryBoundError extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`it needs more than ${Math.round(bytes / 2 ** 20)} MiB of memory`);
    this.bytes = bytes;
  }
}

/** What an instance may use. */
export interface InstanceBounds {
  readonly maxBytes: number;
  /** Rounds of all of its loops together. */
  readonly maxRounds: number;
  /** Called once, when these rounds are passed: gives a higher bound for what is worth it, or throws. Absent: the bound is final. */
  readonly onMaxRounds?: () => number;
}

export interface BoundedInstance {
  readonly instantiateWasm: InstantiateWasm;
  /** Throws once the instance has passed its rounds or its task was cancelled: the library may have caught what was thrown in it, and gone on. */
  readonly check: () => void;
  /** Rounds so far. */
  readonly rounds: () => number;
  /** Another instance beside this one, at once: it may run while this one is in the middle of its work. */
  readonly sibling: (bounds: InstanceBounds) => BoundedInstance;
  /** The error of a library that was refused memory at last: it may have gone on without what it wanted it for. */
  readonly shortage: () => MemoryBoundError | undefined;
}

/**
 * Makes an instance of a WebAssembly library, compiled once for all threads. Beyond `maxBytes` its allocations fail as when memory is exhausted;
 * its loops throw beyond `maxRounds`, the same number on every machine, and when the task of `progress` is cancelled. Take a new one for
 * each file, so that its memory is freed, and what broke in it is harmless.
 */
export const boundedInstance = async (
  name: AssetName,
  bounds: InstanceBounds,
  progress: Progress,
): Promise<BoundedInstance> => instanceOf(await compiled(name), bounds, progress);

function instanceOf(module: WebAssembly.Module, bounds: InstanceBounds, progress: Progress): BoundedInstance {
  const { maxBytes, onMaxRounds } = bounds;
  let { maxRounds } = bounds;
  const silent = progress.silent();
  let rounds = 0;
  let ended: unknown;
  let isRefusedLast = false;
  let heldBytes = (): number => 0;
  const check = (): void => {
    silent.report(0);
    if (ended !== undefined) throw ended;
  };
  function moreRounds(): void {
    const isFirst = maxRounds === bounds.maxRounds;
    try {
      if (isFirst && onMaxRounds) maxRounds = onMaxRounds();
      if (rounds > maxRounds) ended = new EndlessError(maxRounds);
    } catch (thrown) {
      ended = thrown;
    }
  }
  const pass = (): void => {
    rounds += STEPS_PER_REPORT;
    if (rounds > maxRounds && ended === undefined) moreRounds();
    check();
  };
  return {
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, {
        ...imports,
        [CHECKPOINT.module]: { [CHECKPOINT.name]: pass },
      });
      heldBytes = boundMemory(instance, maxBytes, (isRefused) => {
        isRefusedLast = isRefused;
      });
      receive(instance, module);
      return instance.exports;
    },
    check,
    rounds: () => rounds,
    sibling: (others) => instanceOf(module, others, progress),
    shortage() {
      const isFull = isRefusedLast || heldBytes() > FULL_SHARE * MODULE_BYTES;
      return isFull ? new MemoryBoundError(Math.min(maxBytes, MODULE_BYTES)) : undefined;
    },
  };
}

/** Compiles a library before several threads need it at once, of which each would compile it. */
export const prepareLibrary = async (name: AssetName): Promise<void> => void (await compiled(name));

function compiled(name: AssetName): Promise<WebAssembly.Module> {
  const known = modules.get(name);
  if (known) return known;
  const code = CHANGED[name]?.(assetBytes(name)) ?? assetBytes(name);
  const module = WebAssembly.compile(withCheckpoints(code, STEPS_PER_REPORT)).catch((thrown: unknown) => {
    modules.delete(name);
    throw thrown;
  });
  void module.then((made) => tell({ name, module: made })).catch(() => {});
  modules.set(name, module);
  return module;
}

/** Bounds the memory of an instance, and returns a function that tells how much it holds. `onGrowth` is told of each wish for more. */
function boundMemory(
  { exports }: WebAssembly.Instance,
  maxBytes: number,
  onGrowth: (isRefused: boolean) => void,
): () => number {
  const memories = Object.values(exports).filter((one) => one instanceof WebAssembly.Memory);
  for (const memory of memories) {
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      // Emscripten asks for less where it is refused more than it needs.
      const isRefused = memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes;
      onGrowth(isRefused);
      if (isRefused) throw new RangeError("its memory bound is reached");
      return grow(pages);
    };
  }
  return () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
