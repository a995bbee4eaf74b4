import { crossing, normal } from "../core/normal-distribution.ts";
import { type CureFacts, logDose } from "./cure-model.ts";
import type { Measured, Reading } from "./plate-shape.ts";

/** A reading in the form in which it is compared with its prediction. */
export interface Observation {
  readonly reading: Reading;
  readonly value: number;
  /** Standard deviation of the reading itself. */
  readonly error: number;
  /** Standard deviation by the scatter of the doses: that of the prediction for a factor e of dose is multiplied by it. */
  readonly doseScatter: number;
}

/** A value that was read. */
export interface ReadValue {
  readonly patch: string;
  readonly value: number;
}

/**
 * Scatter of the dose from patch to patch, relative. Working value: panels and lights differ by some percent over centimetres; slopes over the plate
 * cancel, since its rows alternate.
 */
export const DOSE_SCATTER = 0.02;

type Counted = Extract<Measured, { kind: "skins" | "towers" }>;

/** Errors of thresholds in scatters of the dose, at least: the scatter itself is not known better. Working value. */
const LEAST_ERROR = 0.15;
/** Scatters from a threshold beyond which all or none of the pads cure. */
const MOST_SCATTERS = 8;
/** Scatters between two greys beyond which a threshold may be anywhere between them. */
const FAR_APART = 4;

/**
 * The dose, or the grey, from which pads are missing, from the number of those that are there; undefined if all or none are. Pads of one grey cure
 * in part, since their doses scatter: the threshold is the one at which the number is expected; between greys that are far apart it is the middle.
 */
export function thresholdOf(
  { greys }: Counted,
  count: number,
  { response }: CureFacts,
  exponent: number,
): Pick<Observation, "value" | "error" | "doseScatter"> | undefined {
  if (count <= 0 || count >= greys.length) return undefined;
  // The logarithm of greys if their doses are not known.
  const at = greys.map((grey) => logDose(response, grey, 1));
  const scatter = response === undefined ? DOSE_SCATTER / exponent : DOSE_SCATTER;
  const [above, below] = [at[count - 1], at[count]];
  const middleError = (above - below) / Math.sqrt(12);
  if (above - below > FAR_APART * scatter) return { value: (above + below) / 2, error: middleError, doseScatter: 0 };
  const sharesAt = (value: number): number[] => at.map((one) => normal((one - value) / scatter));
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  const margin = MOST_SCATTERS * scatter;
  const value = crossing((x) => sum(sharesAt(x)) - count, below - margin, above + margin);
  const variance = sum(sharesAt(value).map((share) => share * (1 - share)));
  const slope = sum(at.map((one) => Math.exp(-(((one - value) / scatter) ** 2) / 2))) / Math.sqrt(2 * Math.PI);
  const error = scatter * Math.max(LEAST_ERROR, Math.sqrt(variance) / slope);
  return { value, error, doseScatter: 0 };
}

/** What was read, in the form in which it is compared. */
export interface Observations {
  /** With all rows of a kind as one, since their greys may be the same. */
  readonly fitted: readonly Observation[];
  /** Each row by itself, to be told which one is doubtful. */
  readonly rows: readonly Observation[];
  /** Rows of kinds of which all or no parts are there. */
  readonly saturated: readonly Reading[];
}

export function observationsOf(
  readings: readonly Reading[],
  values: readonly ReadValue[],
  facts: CureFacts,
  { readingErrorMm, exponent }: { readonly readingErrorMm: number; readonly exponent: number },
): Observations {
  const byPatch = new Map(readings.map((reading) => [reading.patch, reading]));
  const fitted: Observation[] = [];
  const rows: Observation[] = [];
  const kinds = new Map<string, CountedRow[]>();
  for (const { patch, value } of values) {
    const reading = byPatch.get(patch);
    if (!reading || reading.of.kind === "walls" || reading.of.kind === "gaps") continue;
    if (reading.of.kind === "skins" || reading.of.kind === "towers") {
      const kind = `${reading.of.kind} ${reading.of.kind === "skins" ? reading.of.exposure : 1}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), { reading, of: reading.of, count: value }]);
    } else fitted.push({ reading, value, error: readingErrorMm, doseScatter: DOSE_SCATTER });
  }
  const saturated: Reading[] = [];
  for (const counted of kinds.values()) {
    const all = asOne(counted);
    const found = thresholdOf(all.of, all.count, facts, exponent);
    if (!found) {
      saturated.push(...counted.map(({ reading }) => reading));
      continue;
    }
    fitted.push({ reading: { ...all.reading, of: all.of }, ...found });
    for (const { reading, of, count } of counted) {
      const own = thresholdOf(of, count, facts, exponent);
      if (own) rows.push({ reading, ...own });
    }
  }
  return { fitted, rows, saturated };
}

interface CountedRow {
  readonly reading: Reading;
  readonly of: Counted;
  readonly count: number;
}

/** Rows of one kind as one long row. */
function asOne(rows: readonly CountedRow[]): CountedRow {
  const [{ reading, of }] = rows;
  const greys = rows.flatMap((row) => row.of.greys).sort((a, b) => b - a);
  return { reading, of: { ...of, greys }, count: rows.reduce((sum, row) => sum + row.count, 0) };
}
