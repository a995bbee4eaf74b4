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

/** Pads on each side of the last one that cured, at most, from which the step of the doses there is taken. */
const MOST_PADS = 4;
/** Error of a threshold in scatters of the dose, at least: pads of one grey, some of which cured, tell no more. Working value. */
const LEAST_ERROR = 0.3;

/**
 * The dose, or the grey, from which pads are missing, from the number of those that are there; undefined if all or none are. Its variance is that of
 * the rounding to a step of the series, and of the scatter of the doses.
 */
export function thresholdOf(
  { greys }: Counted,
  count: number,
  { response }: CureFacts,
  exponent: number,
): Pick<Observation, "value" | "error" | "doseScatter"> | undefined {
  if (count <= 0 || count >= greys.length) return undefined;
  // The logarithm of greys if their doses are not known.
  const at = (pad: number): number => logDose(response, greys[Math.min(greys.length - 1, Math.max(0, pad))], 1);
  const scatter = response === undefined ? DOSE_SCATTER / exponent : DOSE_SCATTER;
  const spanOf = (pads: number): number => at(count - 1 - pads) - at(count + pads);
  let pads = 0;
  while (pads < MOST_PADS && spanOf(pads) < 2 * scatter) pads++;
  const step = spanOf(pads) / (2 * pads + 1);
  const inSteps = scatter / Math.max(1e-9, step);
  const rounding = (step ** 2 / 12) * Math.exp(-((2 * Math.PI * inSteps) ** 2));
  const variance = rounding + (scatter * step) / Math.sqrt(Math.PI);
  const error = Math.sqrt(Math.max(variance, (LEAST_ERROR * scatter) ** 2));
  return { value: (at(count - 1) + at(count)) / 2, error, doseScatter: 0 };
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
