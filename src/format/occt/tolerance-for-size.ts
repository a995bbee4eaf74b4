import { Buffer } from "node:buffer";
import type { ReadOptions } from "../model-reader.ts";
import { DATA_COLUMNS, PARAMETER_COLUMNS } from "./iges-columns.ts";
import type { OcctFormat } from "./kernel.ts";

/** Options for a model of its size, and the warnings about them. */
export interface SizedOptions {
  readonly options: ReadOptions;
  readonly warnings: readonly string[];
}

/**
 * Smallest chord error as a share of the size of a model: 10 µm at half a metre, which no printer resolves. Finer tolerances took minutes
 * and millions of triangles on a hammer of 38 m and an aircraft, which are only printed after they are scaled.
 */
const FINEST_SHARE = 2e-5;

/**
 * Raises the chordal tolerance if it is too fine for the size of a model, which is estimated from the numbers of its text. `fileUnitMm`
 * is its unit. A size that cannot be estimated counts as 0 and raises nothing.
 */
export function toleranceForSize(
  bytes: Uint8Array,
  format: OcctFormat,
  options: ReadOptions,
  fileUnitMm: number,
): SizedOptions & { readonly sizeMm: number } {
  const sizeMm = sizeOf(bytes, format) * (options.unitMm ?? fileUnitMm);
  const chordalToleranceMm = Number((FINEST_SHARE * sizeMm).toPrecision(2));
  if (!(chordalToleranceMm > options.chordalToleranceMm)) return { options, warnings: [], sizeMm };
  const raised = `chordal_tolerance_um was raised from ${micrometres(options.chordalToleranceMm)} to ${micrometres(chordalToleranceMm)}`;
  return {
    sizeMm,
    options: { ...options, chordalToleranceMm },
    warnings: [
      `The model measures some ${Number(sizeMm.toPrecision(2))} mm, for which the tolerance is too fine: ${raised}. Force its units where it should be smaller, or scale it after the import.`,
    ],
  };
}

const micrometres = (mm: number): number => Number((1000 * mm).toPrecision(6));

/** Number of evenly spaced blocks of a text in which points are searched, and their bytes. */
const BLOCKS = 64;
const BLOCK_BYTES = 2 ** 16;
/** Share of the points at either end of an axis that may be far from the model: ends of construction lines, corners of infinite planes. */
const STRAY_SHARE = 0.02;

/** The largest extent along an axis, in the unit of the file: 0 if no points are found. */
function sizeOf(bytes: Uint8Array, format: OcctFormat): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = Math.min(BLOCKS, Math.ceil(text.length / BLOCK_BYTES));
  const points: number[][] = [];
  for (let i = 0; i < blocks; i++) {
    const at = Math.round((i * Math.max(text.length - BLOCK_BYTES, 0)) / Math.max(blocks - 1, 1));
    for (const point of cadPoints(text.toString("latin1", at, at + BLOCK_BYTES), format)) {
      if (point.length === 3 && point.every(Number.isFinite)) points.push(point);
    }
  }
  const extents = [0, 1, 2].map((axis) => {
    const along = Float64Array.from(points, (point) => point[axis]).sort();
    const stray = Math.floor(STRAY_SHARE * along.length);
    return along.length === 0 ? 0 : along[along.length - 1 - stray] - along[stray];
  });
  return Math.max(...extents);
}

/** Points of a model in a piece of its text; NaN for coordinates that are not numbers. */
export const cadPoints = (text: string, format: OcctFormat): Iterable<number[]> => POINTS[format](text);

const POINTS: Readonly<Record<OcctFormat, (text: string) => Iterable<number[]>>> = {
  Step: (text) => pointsOfMatches(text, /CARTESIAN_POINT\s*\(\s*'[^']*'\s*,\s*\(([^)]*)\)/g),
  Brep: (text) => pointsOfMatches(text, /\nVe\r?\n\S+\r?\n(\S+ \S+ \S+)/g),
  Iges: poles,
};

function* pointsOfMatches(text: string, pattern: RegExp): Generator<number[]> {
  for (const [, list] of text.matchAll(pattern))
    yield list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
}

/**
 * The control points of the rational B-spline surfaces in a piece of an IGES file (5.3, 4.24): those of curves may be in the parameter
 * plane.
 */
function* poles(text: string): Generator<number[]> {
  const lines = text.split(/\r?\n/).filter((line) => line[DATA_COLUMNS] === "P");
  const records = lines
    .map((line) => line.slice(0, PARAMETER_COLUMNS))
    .join("")
    .split(";");
  for (const record of records) {
    const fields = record.split(",").map((field) => Number(field.replace("D", "E")));
    if (fields[0] !== 128) continue;
    const [, upperU, upperV, degreeU, degreeV] = fields;
    const count = (upperU + 1) * (upperV + 1);
    const first = 10 + (upperU + degreeU + 2) + (upperV + degreeV + 2) + count;
    for (let i = 0; i < count && first + 3 * i + 3 <= fields.length; i++)
      yield fields.slice(first + 3 * i, first + 3 * i + 3);
  }
}
