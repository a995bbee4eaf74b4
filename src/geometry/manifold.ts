import Module, { type ManifoldToplevel } from "manifold-3d";
import type { Progress } from "../core/progress.ts";
import { boundedInstance, prepareLibrary } from "../wasm/library.ts";

export type ManifoldModule = ManifoldToplevel;

const LIBRARY = "manifold.wasm";

let loaded: Promise<ManifoldModule> | undefined;
/** Bytes of the memory of the loaded instance. */
let heldBytes = (): number => 0;
/** Called after every 65,536 rounds of the loops of the library. */
let onRounds: (() => void) | undefined;
/** Instances in which a call was interrupted: they are not called again. */
const broken = new WeakSet<ManifoldModule>();

/** Manifold (github.com/elalish/manifold) for 2D and 3D booleans, loaded at the first call in each thread. */
export function loadManifold(): Promise<ManifoldModule> {
  loaded ??= load().catch((thrown: unknown) => {
    loaded = undefined;
    throw thrown;
  });
  return loaded;
}

/** Compiles the library before several threads load it: threads that compile it at the same time optimise its code each for itself. */
export const prepareManifold = (): Promise<void> => prepareLibrary(LIBRARY);

async function load(): Promise<ManifoldModule> {
  const everyRounds: Progress = { report: () => onRounds?.(), part: () => everyRounds, silent: () => everyRounds };
  const bounds = { maxBytes: Infinity, maxRounds: Infinity };
  const instance = await boundedInstance(LIBRARY, bounds, everyRounds);
  const { instantiateWasm } = instance;
  // `as unknown as`: the option of Emscripten that makes the instance is missing in the types of the package.
  const manifold = await Module({ instantiateWasm } as unknown as Parameters<typeof Module>[0]);
  manifold.setup();
  ({ heldBytes } = instance);
  return manifold;
}

/** Checkpoints after which a call has half of its progress: about a second of a large boolean. */
const USUAL_CHECKPOINTS = 8192;

/**
 * The result of `call`, a synchronous call of the library, which reports while it runs and ends if the task is cancelled. A cancel breaks
 * the instance: the next {@link loadManifold} returns another one. The steps of the call are not counted: their number is not known before
 * the call ends.
 */
export function interruptible<Result>(kernel: ManifoldModule, progress: Progress, call: () => Result): Result {
  let checkpoints = 0;
  onRounds = () => {
    checkpoints++;
    try {
      progress.report(checkpoints / (checkpoints + USUAL_CHECKPOINTS), 0);
    } catch (thrown) {
      broken.add(kernel);
      loaded = undefined;
      throw thrown;
    }
  };
  try {
    return call();
  } finally {
    onRounds = undefined;
  }
}

/** Gives back the memory of objects of the library, unless their instance is broken. */
export function deleteAll(kernel: ManifoldModule, objects: Iterable<{ delete(): void }>): void {
  if (!broken.has(kernel)) for (const object of objects) object.delete();
}

/**
 * An instance whose memory has grown beyond this is not used again, because memory of WebAssembly never shrinks: after the union of 1,500
 * struts an idle thread would hold 120 MiB. Another instance of the compiled library takes a few milliseconds.
 */
const MAX_KEPT_BYTES = 64 * 2 ** 20;

/** Gives back the memory of the loaded instance if it has grown large. No object of an instance is used in later calls. */
export function releaseLargeInstance(): void {
  if (heldBytes() > MAX_KEPT_BYTES) [loaded, heldBytes] = [undefined, () => 0];
}
