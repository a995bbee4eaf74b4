import { operationFailed } from "../../core/fault.ts";
import type { Region } from "../../mesh/boolean/region/region.ts";
import { CAPITAL, EM } from "../../text/font.ts";
import { isWritable } from "../../text/is-writable.ts";
import { textRegion } from "../../text/text-region.ts";

export interface TextInPlane {
  /** mm; the origin is the middle of the line, half as high as capitals, y points up. */
  readonly region: Region;
  /** The character at a place along the line, in quotes. */
  letterAt(x: number): string;
}

/** A line of text at a font size. Throws OPERATION_FAILED for one that the font cannot write, or that shows nothing. */
export async function textInPlane(label: string, fontSizeMm: number): Promise<TextInPlane> {
  const text = writable(label);
  const { region, starts, width } = await textRegion(text);
  if (region.length === 0) throw operationFailed("the label shows nothing: give it a text.");
  const unitMm = fontSizeMm / EM;
  return {
    region: region.map((ring) => ring.map((value, at) => unitMm * (value - (at % 2 === 0 ? width : CAPITAL) / 2))),
    letterAt(x) {
      const i = starts.findLastIndex((start) => start <= x / unitMm + width / 2);
      return `"${Array.from(text)[Math.max(0, i)]}"`;
    },
  };
}

/** The text in composed characters, without spaces around it. */
function writable(label: string): string {
  const text = label.normalize("NFC").trim();
  const unknown = Array.from(text).find((character) => !isWritable(character));
  if (unknown === undefined) return text;
  const code = unknown.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  throw operationFailed(
    `the font has no "${unknown}" (U+${code}) that stands alone in a line from left to right: write the label without it.`,
  );
}
