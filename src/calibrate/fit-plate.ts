import type { Progress } from "../core/progress.ts";
import { type CureFacts, type CureParameters, predicted } from "./cure-model.ts";
import { type Observation, type ReadValue, observationsOf } from "./observations.ts";
import type { Reading } from "./plate-shape.ts";

/** Parameters in the order of vectors and matrices. */
export const PARAMETERS = [
  "logRatio",
  "logPenetration",
  "exponent",
  "blurMm",
  "memory",
  "scaleX",
  "scaleY",
  "scaleZ",
  "offsetMm",
] as const satisfies readonly (keyof CureParameters)[];

/**
 * What is assumed without a reading, and its standard deviation: far wider than what readings tell, so that they decide wherever they tell
 * anything. Depths from Bennett 2017 (PMC5828039) and 24 laboratories (PMC10986335); shrinkage of prints is below 1 %, and heights of a low plate hardly
 * tell it.
 */
const ASSUMED: Readonly<Record<keyof CureParameters, readonly [value: number, error: number]>> = {
  logRatio: [1.2, 1.5],
  logPenetration: [Math.log(0.15), 1],
  exponent: [2, 1.5],
  blurMm: [0.02, 0.03],
  memory: [1, 0.3],
  scaleX: [1, 0.02],
  scaleY: [1, 0.02],
  scaleZ: [1, 0.02],
  offsetMm: [0, 0.2],
};
/** Standard deviation of the difference between the scale in height and the mean of the others. Working value. */
const SCALE_DIFFERENCE = 0.005;

/** What follows from the readings of a plate. */
export interface FittedPlate {
  readonly parameters: CureParameters;
  /** Covariances of the parameters, row by row in the order of {@link PARAMETERS}. */
  readonly covariance: Float64Array;
  /** Readings that are farther from their predictions than readings and doses explain, the farthest first. */
  readonly doubtful: readonly DoubtfulReading[];
  /** Counts of all or none of a row. */
  readonly saturated: readonly Reading[];
}

export interface DoubtfulReading {
  readonly reading: Reading;
  /** As it was read. */
  readonly value: number;
  /** In standard deviations. */
  readonly distance: number;
}

/** Distance of a reading from its prediction, in standard deviations, from which it is doubtful. */
const DOUBTFUL = 3;

const ROUNDS = 60;
/** Greatest change of a parameter in the last round, in assumed deviations: far below what readings tell. */
const CONVERGED = 1e-5;
/** Share of an assumed deviation by which a parameter changes at most in a round. */
const MOST_CHANGE = 0.7;

export interface FitRequest {
  readonly facts: CureFacts;
  readonly readings: readonly Reading[];
  readonly values: readonly ReadValue[];
  /** Standard deviation of lengths and thicknesses that are read. */
  readonly readingErrorMm: number;
}

/** Fits the model of curing to what was read from a plate, by weighted least squares (Gauss and Newton). */
export function fitPlate({ facts, readings, values, readingErrorMm }: FitRequest, progress: Progress): FittedPlate {
  const n = PARAMETERS.length;
  let vector = PARAMETERS.map((name) => ASSUMED[name][0]);
  let covariance = new Float64Array(n * n);
  for (let round = 0; round < ROUNDS; round++) {
    progress.report(round / ROUNDS);
    const { matrix, right } = normalEquations(vector, observed(vector).fitted, facts);
    covariance = inverse(matrix, n);
    const change = vector.map((_, i) => right.reduce((sum, value, j) => sum + covariance[i * n + j] * value, 0));
    const most = Math.max(...change.map((value, i) => Math.abs(value) / (MOST_CHANGE * ASSUMED[PARAMETERS[i]][1])));
    vector = vector.map((value, i) => value + change[i] / Math.max(1, most));
    if (most < CONVERGED) break;
  }
  const { fitted, rows, saturated } = observed(vector);
  const single = [...fitted.filter(({ reading }) => reading.unit === "mm"), ...rows];
  const parameters = parametersOf(vector);
  const read = new Map(values.map(({ patch, value }) => [patch, value]));
  const distances = single.map((observation) => {
    const { reading } = observation;
    const { residual, error } = compared(observation, vector, facts);
    return { reading, value: read.get(reading.patch) ?? observation.value, distance: Math.abs(residual) / error };
  });
  const doubtful = distances.filter(({ distance }) => distance > DOUBTFUL).sort((a, b) => b.distance - a.distance);
  return { parameters, covariance, doubtful, saturated };

  function observed(at: readonly number[]) {
    return observationsOf(readings, values, facts, {
      readingErrorMm,
      exponent: Math.max(0.2, parametersOf(at).exponent),
    });
  }
}

export const parametersOf = (vector: readonly number[]): CureParameters =>
  Object.fromEntries(PARAMETERS.map((name, i) => [name, vector[i]])) as unknown as CureParameters;

export const vectorOf = (parameters: CureParameters): number[] => PARAMETERS.map((name) => parameters[name]);

/** Step by which derivatives are taken. */
const STEP = 1e-6;

/** The derivatives of a value by all parameters. */
export function gradient(valueAt: (parameters: CureParameters) => number, vector: readonly number[]): number[] {
  return vector.map((_, i) => {
    const moved = (by: number): number =>
      valueAt(parametersOf(vector.map((value, j) => (j === i ? value + by : value))));
    return (moved(STEP) - moved(-STEP)) / (2 * STEP);
  });
}

/** Standard deviation of a value that follows from the parameters. */
export function errorOf(
  valueAt: (parameters: CureParameters) => number,
  { parameters, covariance }: Pick<FittedPlate, "parameters" | "covariance">,
): number {
  const slopes = gradient(valueAt, vectorOf(parameters));
  const n = slopes.length;
  const variance = slopes.reduce(
    (sum, slope, i) => sum + slopes.reduce((inner, other, j) => inner + slope * other * covariance[i * n + j], 0),
    0,
  );
  return Math.sqrt(Math.max(0, variance));
}

/** How far a reading is from its prediction, the standard deviation of that, and the derivatives of the prediction. */
function compared({ reading, value, error, doseScatter }: Observation, vector: readonly number[], facts: CureFacts) {
  const valueAt = (parameters: CureParameters): number => predicted(reading.of, parameters, facts);
  const slopes = gradient(valueAt, vector);
  return {
    residual: value - valueAt(parametersOf(vector)),
    error: Math.hypot(error, doseScatter * (slopes[PARAMETERS.indexOf("logRatio")] ?? 0)),
    slopes,
  };
}

function normalEquations(vector: readonly number[], observations: readonly Observation[], facts: CureFacts) {
  const n = vector.length;
  const matrix = new Float64Array(n * n);
  const right = new Float64Array(n);
  const add = (slopes: readonly number[], residual: number, error: number): void => {
    const weight = 1 / error ** 2;
    for (let i = 0; i < n; i++) {
      right[i] += weight * slopes[i] * residual;
      for (let j = 0; j < n; j++) matrix[i * n + j] += weight * slopes[i] * slopes[j];
    }
  };
  for (const observation of observations) {
    const { slopes, residual, error } = compared(observation, vector, facts);
    add(slopes, residual, error);
  }
  const unit = (i: number): number[] => vector.map((_, j) => (i === j ? 1 : 0));
  PARAMETERS.forEach((name, i) => add(unit(i), ASSUMED[name][0] - vector[i], ASSUMED[name][1]));
  const { scaleX, scaleY, scaleZ } = parametersOf(vector);
  const difference = PARAMETERS.map((name) =>
    name === "scaleZ" ? 1 : name === "scaleX" || name === "scaleY" ? -0.5 : 0,
  );
  add(difference, (scaleX + scaleY) / 2 - scaleZ, SCALE_DIFFERENCE);
  return { matrix, right };
}

/** Inverse of a symmetric, positive definite matrix, by Gauss and Jordan. */
function inverse(matrix: Float64Array, n: number): Float64Array<ArrayBuffer> {
  const work = matrix.slice();
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i++) result[i * n + i] = 1;
  for (let i = 0; i < n; i++) {
    const pivot = work[i * n + i];
    for (let j = 0; j < n; j++) {
      work[i * n + j] /= pivot;
      result[i * n + j] /= pivot;
    }
    for (let row = 0; row < n; row++) {
      const factor = work[row * n + i];
      if (row === i || factor === 0) continue;
      for (let j = 0; j < n; j++) {
        work[row * n + j] -= factor * work[i * n + j];
        result[row * n + j] -= factor * result[i * n + j];
      }
    }
  }
  return result;
}
