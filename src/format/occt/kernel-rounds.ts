import occtimportjs from "occt-import-js";
import type { Occt, OcctOptions, OcctParameters } from "occt-import-js";
import { CancelledError } from "../../core/progress.ts";
import type { ReadOptions } from "../model-reader.ts";
import { type BoundedInstance, EndlessError } from "../../wasm/library.ts";

// Limits of the work that the kernel may do for a file, in rounds of its loops. Sound files with many faces take minutes at fine
// tolerances, and damaged files never end: the number of rounds alone does not distinguish them. So the kernel first gets as many
// rounds as most files need. A file that exceeds them is tried at a coarse tolerance, at which sound files need a tenth or less; a
// file that does not end there either is damaged.
// The limits are rounds, because these are the same on every machine. A machine of 2024 runs 60 to 300 million of them per second.

/**
 * Rounds before the coarse trial: five seconds, plus three per megabyte. At the usual tolerances (10 µm, 5 degrees) an assembly of
 * screws needs 290 per byte, an engraved vase 4500, holes drilled into a plate 1200.
 */
const FIRST_ROUNDS = 6e8;
const FIRST_ROUNDS_PER_FILE_BYTE = 300;
/** Rounds of the trial. The same files need 100 to 200 per byte. */
const TRIAL_ROUNDS = 2e8;
const TRIAL_ROUNDS_PER_FILE_BYTE = 250;
/** Factor by which the chords of the trial are coarser; its angle is at least `COARSE_ANGLE`. */
const COARSER = 50;
const COARSE_ANGLE = Math.PI / 6;
/**
 * A file that fails in the trial is tried once more at this angle, in a quarter of the rounds: a face that is wavy everywhere
 * (terrain.brep of OpenCASCADE, 312 x 323 poles) takes 19 times as long at half the angle, and all memory with finer chords.
 */
const COARSEST_ANGLE_DEG = 60;
const LAST_TRIAL_SHARE = 0.25;
/** The rounds grow about in proportion to the triangles: the vase took 70 times as many rounds for 53 times as many triangles. */
const ROUNDS_PER_GROWTH = 4;
/** Limit for every file: two minutes, plus two per MiB. */
const MOST_ROUNDS = 2e10;
const MOST_ROUNDS_PER_FILE_BYTE = 2e4;

/** The kernel exceeds its limit at a coarse tolerance as well: the file is damaged. */
export class EndlessShapesError extends EndlessError {}

/** The kernel exceeds its limit at the given tolerances, but not at much coarser ones. */
export class TooFineShapesError extends EndlessError {
  /** Tolerances at which the kernel ends, for a file that was read with `options`. */
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
 * Rounds that a file deserves after its first ones, estimated by reading it coarsely. Throws {@link TooFineShapesError} if only the
 * reading at the coarsest angle ends, {@link EndlessShapesError} if none ends or the reading fails, `CancelledError` when the task
 * is cancelled. Runs a second instance of the kernel while `instance` is interrupted.
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

/** Rounds in which the kernel reads a file with coarse chords; undefined if it exceeds `maxRounds` or fails. */
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
    // The library may have caught the exception of a cancel.
    instance.check();
    return undefined;
  }
}

/** The functions of an instance, synchronously: Emscripten adds them to its options object before it resolves its promise. */
function kernelNow({ instantiateWasm }: BoundedInstance): Occt {
  const options: OcctOptions & Partial<Occt> = { instantiateWasm, print() {}, printErr() {} };
  void occtimportjs(options);
  return options as OcctOptions & Occt;
}
