import { type Font, parse } from "opentype.js/dist/opentype.mjs";
import { assetBytes } from "../core/asset.ts";

/** Units of the font to its em, and from the line that letters stand on to the top of its H. */
export const EM = 2048;
export const CAPITAL = 1493;

/** What the library has and its types leave out. */
interface Kerning {
  getKerningTables(script: string): unknown;
  getKerningValue(tables: unknown, left: number, right: number): number;
}

let parsed: (Font & { readonly position: Kerning }) | undefined;

/**
 * DejaVu Sans Bold (dejavu-fonts.github.io), read once per thread. It has Latin, Greek, Cyrillic and signs; its bold strokes,
 * 0.19 em wide, are still printed where type is small.
 */
const labelFont = (): Font & { readonly position: Kerning } =>
  (parsed ??= parse(assetBytes("DejaVuSans-Bold.ttf").buffer) as Font & { readonly position: Kerning });

/** The font's glyph of a character; 0 is the one for what it lacks. */
export const glyphOf = (character: string): number => labelFont().charToGlyphIndex(character);

/** How far the next glyph begins to the right of this one, in the font's units. */
export function advanceOf(glyph: number, next: number | undefined): number {
  const { glyphs, position } = labelFont();
  const width = glyphs.get(glyph).advanceWidth!;
  // Pairs are listed under Latin alone; those of glyphs that others share with it serve them too.
  return next === undefined ? width : width + position.getKerningValue(position.getKerningTables("latn"), glyph, next);
}

/** The outline of a glyph, y upward from the line that it stands on. */
export const pathOf = (glyph: number) => labelFont().glyphs.get(glyph).path.commands;
