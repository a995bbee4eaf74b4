import type { PathCommand } from "opentype.js/dist/opentype.mjs";
import { unionPolygons } from "../geometry/polygon-operations.ts";
import type { Polygon, Polygons } from "../geometry/polygon.ts";
import { advanceWidth, glyphIndex, glyphPath } from "./font.ts";

/** A line of text in the plane, in font units: x from its left end, y upward from the baseline. */
export interface TextOutline {
  readonly region: Polygons;
  readonly width: number;
  /** The x coordinate of the start of each character. */
  readonly starts: readonly number[];
}

/** The outline of a line of text, with kerning. Characters that the font lacks become boxes. */
export async function textOutline(text: string): Promise<TextOutline> {
  const glyphs = Array.from(text, glyphIndex);
  const starts: number[] = [];
  let width = 0;
  for (const [i, glyph] of glyphs.entries()) {
    starts.push(width);
    width += advanceWidth(glyph, glyphs[i + 1]);
  }
  const region = await unionPolygons(glyphs.flatMap((glyph, i) => glyphPolygons(glyphPath(glyph), starts[i])));
  return { region, width, starts };
}

/** Largest distance of a chord from its curve, in font units: 0.0015 em. */
const MAX_CHORD_ERROR = 3;

/** The contours of a glyph, moved to the right by `right`. Curves are divided into chords. */
function glyphPolygons(path: readonly PathCommand[], right: number): Polygon[] {
  const rings: number[][] = [];
  let [x, y] = [0, 0];
  for (const command of path) {
    if (command.type === "Z") continue;
    if (command.type === "C") throw new Error("The font has cubic curves; only quadratic ones are supported.");
    if (command.type === "M") rings.push([]);
    const ring = rings[rings.length - 1];
    if (command.type === "Q") appendCurve(ring, x, y, command);
    [x, y] = [command.x, command.y];
    ring.push(x, y);
  }
  return rings.map((ring) => Float64Array.from(ring, (value, at) => (at % 2 === 0 ? value + right : value)));
}

/** Appends the points between the ends of a quadratic curve from (x, y). */
function appendCurve(
  ring: number[],
  x: number,
  y: number,
  { x1, y1, x: endX, y: endY }: PathCommand & { type: "Q" },
): void {
  const [bendX, bendY] = [x - 2 * x1 + endX, y - 2 * y1 + endY];
  // The distance of n chords from the curve is a quarter of its second difference, divided by n².
  const pieces = Math.ceil(Math.sqrt(Math.sqrt(bendX * bendX + bendY * bendY) / (4 * MAX_CHORD_ERROR)));
  for (let i = 1; i < pieces; i++) {
    const t = i / pieces;
    ring.push(x + t * (2 * (x1 - x) + t * bendX), y + t * (2 * (y1 - y) + t * bendY));
  }
}
