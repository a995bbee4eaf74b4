import { type Font, parse } from "opentype.js/dist/opentype.mjs";
import { assetBytes } from "../core/asset.ts";

/** Font units per em, and the height of the capital H. */
export const UNITS_PER_EM = 2048;
export const CAP_HEIGHT = 1493;

/** Methods of the library that its types lack. */
interface Kerning {
  getKerningTables(script: string): unknown;
  getKerningValue(tables: unknown, left: number, right: number): number;
}

let parsed: (Font & { readonly position: Kerning }) | undefined;

/**
 * DejaVu Sans Bold (dejavu-fonts.github.io), loaded once per thread. It has Latin, Greek, Cyrillic and symbols; its bold strokes,
 * 0.19 em wide, are printable at small sizes.
 */
const labelFont = (): Font & { readonly position: Kerning } =>
  (parsed ??= parse(assetBytes("DejaVuSans-Bold.ttf").buffer) as Font & { readonly position: Kerning });

/** The index of a character's glyph; 0, a box, if the font lacks the character. */
export const glyphIndex = (character: string): number => labelFont().charToGlyphIndex(character);

/** The distance from the origin of a glyph to the origin of the next, with kerning, in font units. */
export function advanceWidth(glyph: number, next: number | undefined): number {
  const { glyphs, position } = labelFont();
  // Optional in the types. Every glyph that is read from a font has it.
  const width = glyphs.get(glyph).advanceWidth!;
  // The font has kerning pairs for Latin only. Glyphs that other scripts share with Latin are kerned in these, too.
  return next === undefined ? width : width + position.getKerningValue(position.getKerningTables("latn"), glyph, next);
}

/** The outline of a glyph, y upward from the baseline. */
export const glyphPath = (glyph: number) => labelFont().glyphs.get(glyph).path.commands;

/** Combining marks, and invisible characters that affect their neighbours. */
const NOT_STANDALONE = /[\p{M}\p{C}\p{Zl}\p{Zp}]/u;

/** Blocks of right-to-left scripts. Source: The Unicode Standard, chapter 2.8, and its roadmaps. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether `textOutline` draws the character correctly in any context. */
export const isSupportedCharacter = (character: string): boolean =>
  !NOT_STANDALONE.test(character) && !RIGHT_TO_LEFT.test(character) && glyphIndex(character) > 0;
