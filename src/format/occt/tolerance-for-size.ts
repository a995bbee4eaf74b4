import { Buffer } from "node:buffer";
import type { ReadOptions } from "../model-reader.ts";
import type { OcctFormat } from "./kernel.ts";

/** Options for a model of its size, and what a client should know of them. */
export interface SizedOptions {
  readonly options: ReadOptions;
  readonly warnings: readonly string[];
}

/**
 * Chords are no nearer to their surface than this share of the size of a model: 10 µm at half a metre, which no printer holds. Finer ones
 * took minutes and millions of triangles on a hammer of 38 m and an aircraft, which nobody prints before it is scaled.
 */
const FINEST_SHARE = 2e-5;

/**
 * Raises the chordal tolerance where it is too fine for the size of a model, which the numbers of its text tell. `fileUnitMm` is its
 * unit. What cannot be told raises nothing, and its size is 0.
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

/** Blocks of a text in which points are looked for, evenly spread, and their bytes. */
const BLOCKS = 64;
const BLOCK_BYTES = 2 ** 16;
/** At either end of an axis, this share of the points may be far from the model: ends of construction lines, corners of endless planes. */
const STRAY_SHARE = 0.02;

/** The largest extent along an axis, in the unit of the file: 0 where no points are found. */
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

/** Points of a model in a piece of its text; what is no number is NaN. */
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

/** Columns of data in a line of the parameter section, and the column with the letter of the section (IGES 5.3, 2.2.4.5). */
const PARAMETER_COLUMNS = 64;
const SECTION_COLUMN = 72;

/** The control points of the rational B-spline surfaces in a piece of an IGES file (5.3, 4.24): those of curves may be in the plane of parameters. */
function* poles(text: string): Generator<number[]> {
  const lines = text.split(/\r?\n/).filter((line) => line[SECTION_COLUMN] === "P");
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
