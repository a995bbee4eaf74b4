import { GLYPHS, UNKNOWN } from "./glyphs.ts";

type Place = readonly [x: number, y: number];

/** Lines from place to place, in units of a capital's height, from the left end of the base line. */
export interface TextStrokes {
  readonly strokes: readonly (readonly Place[])[];
  readonly width: number;
}

const ROWS = 6;
const COLUMNS = 4;
const GAP_COLUMNS = 2;

export function textStrokes(text: string): TextStrokes {
  const strokes = [...text].flatMap((character, i) =>
    (GLYPHS[character] ?? UNKNOWN)
      .split("|")
      .filter((stroke) => stroke !== "")
      .map((stroke) => stroke.split(" ").map((place) => placeOf(place, i * (COLUMNS + GAP_COLUMNS)))),
  );
  return { strokes, width: ([...text].length * (COLUMNS + GAP_COLUMNS) - GAP_COLUMNS) / ROWS };
}

function placeOf([column, row]: string, first: number): Place {
  return [(first + Number(column)) / ROWS, (row === "-" ? -1 : Number(row)) / ROWS];
}
