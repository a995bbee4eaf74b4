import type { ReadOptions } from "../model-reader.ts";
import { MemoryBoundError } from "../../wasm/library.ts";
import { type Meshes, hasAllFaces } from "./kernel.ts";
import { TooFineShapesError } from "./kernel-rounds.ts";
import type { SizedOptions } from "./tolerance-for-size.ts";

/** If the kernel runs out of memory, tolerances are raised by these factors in turn. */
const FACTORS: readonly { readonly chord: number; readonly angle: number }[] = [
  { chord: 4, angle: 2 },
  { chord: 16, angle: 4 },
];
/** Coarsest tolerances that the reader chooses by itself: coarser ones are visible in prints. A circle still has 36 corners. */
const COARSEST = { chordalToleranceMm: 0.2, angleToleranceDeg: 20 };
/** If the kernel exceeds its limit of work, chords may be this fraction of the model's size away from the surface: 0.11 mm on a print of 100 mm. */
const COARSEST_SHARE = 1.1e-3;

/** The result of an attempt, and the tolerances that it used. */
export interface Attempt extends SizedOptions {
  readonly made: Meshes | undefined;
}

type Short = MemoryBoundError | TooFineShapesError;

/**
 * Runs `tessellate` at the given tolerances. If the kernel runs out of the memory that a file of this size may take, or exceeds its
 * limit of work, runs it again at coarser ones, with a warning that names them. `isOwnBound` says whether an error comes from that
 * memory limit: if the server has less memory, the result must not depend on that. `sizeMm` is the largest extent of the model, 0
 * if unknown. Rejects with the first error if the last attempt fails as well.
 */
export async function coarserWhenShort(
  options: ReadOptions,
  sizeMm: number,
  isOwnBound: (short: MemoryBoundError) => boolean,
  tessellate: (options: ReadOptions) => Promise<Meshes | undefined>,
): Promise<Attempt> {
  const attempt = async (some: ReadOptions): Promise<Meshes | Short | undefined> => {
    const made = await tessellate(some).catch((thrown: unknown) => {
      if (thrown instanceof TooFineShapesError) return thrown;
      if (thrown instanceof MemoryBoundError && isOwnBound(thrown)) return thrown;
      throw thrown;
    });
    const isShort = made && !(made instanceof Error) && made.shortage && !made.meshes.every(hasAllFaces);
    return isShort && isOwnBound(made.shortage) ? made.shortage : made;
  };
  const first = await attempt(options);
  if (!(first instanceof Error)) return { made: first, options, warnings: [] };
  let [tried, short]: [ReadOptions, Short] = [options, first];
  const coarsestMm = Math.max(COARSEST.chordalToleranceMm, COARSEST_SHARE * sizeMm);
  for (const { chord, angle } of FACTORS) {
    const coarser = short instanceof TooFineShapesError ? short.coarser(tried) : raised(options, chord, angle);
    if (short instanceof TooFineShapesError && coarser.chordalToleranceMm > coarsestMm) break;
    const made = await attempt(coarser);
    if (!(made instanceof Error)) return { made, options: coarser, warnings: [warning(first, options, coarser)] };
    [tried, short] = [coarser, made];
  }
  throw first;
}

const raised = (options: ReadOptions, chord: number, angle: number): ReadOptions => ({
  ...options,
  chordalToleranceMm: between(options.chordalToleranceMm, chord, COARSEST.chordalToleranceMm),
  angleToleranceDeg: between(options.angleToleranceDeg, angle, COARSEST.angleToleranceDeg),
});

/** A tolerance times a factor, at most `coarsest`, unless it is coarser already. */
const between = (tolerance: number, factor: number, coarsest: number): number =>
  Math.max(tolerance, Math.min(factor * tolerance, coarsest));

/** Tolerances in the words of a request. */
export const tolerancesText = ({ chordalToleranceMm, angleToleranceDeg }: ReadOptions): string =>
  `chordal_tolerance_um ${Number((1000 * chordalToleranceMm).toPrecision(6))} and angle_tolerance_deg ${angleToleranceDeg}`;

function warning({ message }: Short, asked: ReadOptions, taken: ReadOptions): string {
  const [from, to] = [asked, taken].map(tolerancesText);
  return `The CAD kernel could not read the file with ${from} (${message}): it was read with ${to}. Split it into smaller files to have it finer.`;
}
