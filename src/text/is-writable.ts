import { glyphOf } from "./font.ts";

/** Accents that no letter has taken in, and what shows nothing but steers what is around it. */
const NOT_ALONE = /[\p{M}\p{C}\p{Zl}\p{Zp}]/u;

/** Blocks of the scripts that run from right to left. Source: The Unicode Standard, chapter 2.8, and its roadmaps. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether {@link textRegion} draws the character as it is meant wherever it stands in a line. */
export const isWritable = (character: string): boolean =>
  !NOT_ALONE.test(character) && !LEFTWARD.test(character) && glyphOf(character) > 0;
