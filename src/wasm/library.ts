import { type AssetName, assetBytes } from "../core/asset.ts";
import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { getOrInsert } from "../core/memoize.ts";
import { CHECKPOINT, withCheckpoints } from "./checkpoints.ts";
import { withFewerPlaneCells } from "./plane-cells.ts";
import { knownModule, shareModule } from "./shared-modules.ts";

const PAGE_BYTES = 65_536;

/** Largest memory of modules of Emscripten, bytes. They request at least 5 % more than they hold, and never more than this. */
export const MODULE_BYTES = 2 ** 31;
const FULL_SHARE = 0.9;

/** Libraries whose code gets changes besides checkpoints. */
const CHANGED: Partial<Record<AssetName, (module: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>>> = {
  "occt-import-js.wasm": withFewerPlaneCells,
};

/** Libraries that this thread compiles now. */
const compiling = new Map<AssetName, Promise<WebAssembly.Module>>();

/** A hook of Emscripten's modules. It calls `receive` with the instance to use. */
export type InstantiateWasm = (
  imports: WebAssembly.Imports,
  receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => object;

/** Thrown in a library that does not end: its input is damaged. */
export class EndlessError extends Error {
  constructor(rounds: number) {
    super(
      `it did not end within ${Number((rounds / 1e9).toPrecision(2))} billion steps, many times what undamaged files take`,
    );
  }
}

/** The library ran out of its memory. */
export class MemoryBoundError extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`it needs more than ${Math.round(bytes / 2 ** 20)} MiB of memory`);
    this.bytes = bytes;
  }
}

/** Limits of an instance. */
export interface InstanceBounds {
  readonly maxBytes: number;
  /** Most rounds of all loops together. */
  readonly maxRounds: number;
  /** Called once, when these rounds are exceeded: returns a higher bound or throws. Without it the bound is final. */
  readonly onMaxRounds?: () => number;
}

export interface BoundedInstance {
  readonly instantiateWasm: InstantiateWasm;
  /**
   * Throws if the instance has exceeded its rounds or its task was cancelled: the library may have caught the first error and
   * continued.
   */
  readonly check: () => void;
  /** Bytes of its memory, which only grows. */
  readonly heldBytes: () => number;
  /** Rounds so far. */
  readonly rounds: () => number;
  /** Makes a second instance at once. It may run while this one is in the middle of its work. */
  readonly sibling: (bounds: InstanceBounds) => BoundedInstance;
  /** The error of a library whose last request for memory was refused: it may have continued without the memory. */
  readonly shortage: () => MemoryBoundError | undefined;
}

/**
 * Makes an instance of a WebAssembly library, which is compiled once for all threads. Beyond `maxBytes` its allocations fail as when
 * memory is exhausted. Its loops throw beyond `maxRounds`, the same number on every machine, and when the task of `progress` is
 * cancelled. Use a new instance for each file: its memory is freed, and damage to its state affects no other file.
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
    heldBytes: () => heldBytes(),
    rounds: () => rounds,
    sibling: (others) => instanceOf(module, others, progress),
    shortage() {
      const isFull = isRefusedLast || heldBytes() > FULL_SHARE * MODULE_BYTES;
      return isFull ? new MemoryBoundError(Math.min(maxBytes, MODULE_BYTES)) : undefined;
    },
  };
}

/** Compiles a library before several threads need it. Otherwise each of them would compile it. */
export const prepareLibrary = async (name: AssetName): Promise<void> => void (await compiled(name));

async function compiled(name: AssetName): Promise<WebAssembly.Module> {
  const known = knownModule(name);
  if (known) return known;
  try {
    return await getOrInsert(compiling, name, () => compile(name));
  } finally {
    compiling.delete(name);
  }
}

async function compile(name: AssetName): Promise<WebAssembly.Module> {
  const code = CHANGED[name]?.(assetBytes(name)) ?? assetBytes(name);
  const module = await WebAssembly.compile(withCheckpoints(code, STEPS_PER_REPORT));
  shareModule(name, module);
  return module;
}

/** Limits the memory of an instance. Returns a function that returns the bytes it holds. Calls `onGrowth` at each request for memory. */
function boundMemory(
  { exports }: WebAssembly.Instance,
  maxBytes: number,
  onGrowth: (isRefused: boolean) => void,
): () => number {
  const memories = Object.values(exports).filter((one) => one instanceof WebAssembly.Memory);
  for (const memory of memories) {
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      // After a refusal Emscripten requests less, until the minimum that it needs.
      const isRefused = memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes;
      onGrowth(isRefused);
      if (isRefused) throw new RangeError("its memory bound is reached");
      return grow(pages);
    };
  }
  return () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
