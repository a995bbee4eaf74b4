import { united } from "../mesh/boolean/region/united.ts";
import type { Region } from "../mesh/boolean/region/region.ts";
import { advanceOf, glyphOf, pathOf } from "./font.ts";
import { glyphRings } from "./glyph-rings.ts";

/** A line of text in the plane, in the font's units: x from its left end, y upward from the line that letters stand on. */
export interface TextRegion {
  readonly region: Region;
  readonly width: number;
  /** Where each character begins. */
  readonly starts: readonly number[];
}

/** The letters of a line of text, kerned. What the font lacks becomes a box. */
export async function textRegion(text: string): Promise<TextRegion> {
  const glyphs = Array.from(text, glyphOf);
  const starts: number[] = [];
  let width = 0;
  for (const [i, glyph] of glyphs.entries()) {
    starts.push(width);
    width += advanceOf(glyph, glyphs[i + 1]);
  }
  const region = await united(glyphs.flatMap((glyph, i) => glyphRings(pathOf(glyph), starts[i])));
  return { region, width, starts };
}
