import occtimportjs from "occt-import-js";
import type { Occt, OcctOptions, OcctParameters } from "occt-import-js";
import { CancelledError } from "../../core/progress.ts";
import type { ReadOptions } from "../model-reader.ts";
import { type BoundedInstance, EndlessError } from "../../wasm/library.ts";

// How many rounds of its loops the kernel may take for a file. Sound files at fine tolerances take minutes where they have many faces, and damaged
// ones take for ever: the number of rounds alone cannot tell which is which. So the kernel first gets as many as most files take. A file that passes them
// is tried at a coarse tolerance, at which sound ones take a tenth or less; one that does not end there, either, is damaged.
//
// All figures are rounds, which are the same on every machine. One of 2024 takes 60 to 300 million of them a second.

/**
 * Rounds after which a file is tried coarsely: five seconds, and three for each megabyte. At the usual tolerances (10 µm, 5 degrees) an assembly of
 * screws takes 290 for a byte, an engraved vase 4500, holes drilled into a plate 1200.
 */
const FIRST_ROUNDS = 6e8;
const FIRST_ROUNDS_PER_FILE_BYTE = 300;
/** Rounds of that trial. The same files take 100 to 200 for a byte. */
const TRIAL_ROUNDS = 2e8;
const TRIAL_ROUNDS_PER_FILE_BYTE = 250;
/** The trial has chords this many times as far from the surface, and at least this angle. */
const COARSER = 50;
const COARSE_ANGLE = Math.PI / 6;
/**
 * What fails in that trial is tried at this angle once more, in a quarter of the rounds: a face with waves everywhere (terrain.brep of OpenCASCADE, 312 x 323
 * poles) takes 19 times as long at half the angle, and all memory with finer chords.
 */
const COARSEST_ANGLE_DEG = 60;
const LAST_TRIAL_SHARE = 0.25;
/** The rounds of a trial grow with the triangles at most: the vase took 70 times as many for 53 times as many triangles. */
const ROUNDS_PER_GROWTH = 4;
/** Beyond these nothing goes on: two minutes, and as much again for each MiB. */
const MOST_ROUNDS = 2e10;
const MOST_ROUNDS_PER_FILE_BYTE = 2e4;

/** The kernel goes on and on at a coarse tolerance, too: the file is damaged. */
export class EndlessShapesError extends EndlessError {}

/** The kernel goes on and on at the given tolerances, but not at much coarser ones. */
export class TooFineShapesError extends EndlessError {
  /** The tolerances at which it ends, of a file that was read with `options`. */
  coarser(options: ReadOptions): ReadOptions {
    return {
      ...options,
      chordalToleranceMm: COARSER * options.chordalToleranceMm,
      angleToleranceDeg: Math.max(COARSEST_ANGLE_DEG, options.angleToleranceDeg),
    };
  }
}

/** How a file is read. */
export interface KernelRun {
  readonly file: Uint8Array;
  readonly read: keyof Occt;
  readonly parameters: OcctParameters;
  readonly maxBytes: number;
}

/** Rounds that the kernel may take for a text of `bytes` before {@link worthRounds} decides. */
export const firstRounds = (bytes: number): number => FIRST_ROUNDS + FIRST_ROUNDS_PER_FILE_BYTE * bytes;

/**
 * Rounds that a file is worth which has passed its first ones, as reading it coarsely tells. Throws {@link TooFineShapesError} where that ends at the coarsest angle
 * alone, {@link EndlessShapesError} where it does not end or fails, `CancelledError` when the task is cancelled. It runs in the middle of the work of
 * `instance`, beside it.
 */
export function worthRounds(instance: BoundedInstance, run: KernelRun): number {
  const { file, parameters } = run;
  const maxRounds = TRIAL_ROUNDS + TRIAL_ROUNDS_PER_FILE_BYTE * file.length;
  const angle = Math.max(COARSE_ANGLE, parameters.angularDeflection);
  const rounds = coarseRounds(instance, run, angle, maxRounds);
  if (rounds === undefined) {
    const coarsest = Math.max((COARSEST_ANGLE_DEG * Math.PI) / 180, angle);
    const last = coarseRounds(instance, run, coarsest, LAST_TRIAL_SHARE * maxRounds);
    throw new (last === undefined ? EndlessShapesError : TooFineShapesError)(instance.rounds() + maxRounds);
  }
  const growth = Math.max(COARSER, (angle / parameters.angularDeflection) ** 2);
  const most = MOST_ROUNDS + MOST_ROUNDS_PER_FILE_BYTE * file.length;
  return Math.min(most, instance.rounds() + ROUNDS_PER_GROWTH * growth * rounds);
}

/** Rounds in which a file is read with coarse chords; undefined where that does not end within `maxRounds` or fails. */
function coarseRounds(
  instance: BoundedInstance,
  { file, read, parameters, maxBytes }: KernelRun,
  angularDeflection: number,
  maxRounds: number,
): number | undefined {
  const trial = instance.sibling({ maxBytes, maxRounds });
  const linearDeflection = COARSER * parameters.linearDeflection;
  try {
    const { success } = kernelNow(trial)[read](file, { ...parameters, linearDeflection, angularDeflection });
    trial.check();
    return success ? trial.rounds() : undefined;
  } catch (thrown) {
    if (thrown instanceof CancelledError) throw thrown;
    // The library may have caught a cancel.
    instance.check();
    return undefined;
  }
}

/** The kernel of an instance at once: Emscripten gives its functions to the object with its options before its promise is kept. */
function kernelNow({ instantiateWasm }: BoundedInstance): Occt {
  const options: OcctOptions & Partial<Occt> = { instantiateWasm, print() {}, printErr() {} };
  void occtimportjs(options);
  return options as OcctOptions & Occt;
}
