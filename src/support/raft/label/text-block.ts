import { rangeOf } from "../../../mesh/boolean/region/range-of.ts";
import type { Region } from "../../../mesh/boolean/region/region.ts";
import { CAPITAL } from "../../../text/font.ts";
import { isWritable } from "../../../text/is-writable.ts";
import { textRegion } from "../../../text/text-region.ts";

/** Letters from (0, 0) to their width and height, in heights of capitals. */
export interface TextBlock {
  readonly letters: Region;
  readonly width: number;
  readonly height: number;
}

/** Stands for every character that cannot be written. */
const UNKNOWN = "□";

/** A line of text; none where there is nothing to see of it. */
export async function textBlock(text: string): Promise<TextBlock | undefined> {
  const shown = Array.from(text.normalize("NFC").trim(), (character) => (isWritable(character) ? character : UNKNOWN));
  const { region } = await textRegion(shown.join(""));
  if (region.length === 0) return undefined;
  const [[left, right], [bottom, top]] = [rangeOf(region, 0), rangeOf(region, 1)];
  return {
    letters: region.map((ring) => ring.map((value, at) => (value - (at % 2 === 0 ? left : bottom)) / CAPITAL)),
    width: (right - left) / CAPITAL,
    height: (top - bottom) / CAPITAL,
  };
}
