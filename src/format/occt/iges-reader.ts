import { Buffer } from "node:buffer";
import type { ModelReader } from "../model-reader.ts";
import { DATA_COLUMNS } from "./iges-columns.ts";
import { checkIges } from "./iges-losses.ts";
import { cadModel, notOfFormat } from "./cad-parts.ts";
import { readForKernel } from "./kernel.ts";

/**
 * IGES 5.3 in fixed-length ASCII lines, tessellated by OpenCASCADE. One part for each solid. Most programs write the faces of a model
 * as unconnected surfaces: those whose boxes touch become one part. Coordinates are in the file's unit.
 */
export const igesReader: ModelReader = {
  async read(file, options, progress) {
    progress.report(0);
    const bytes = upToTerminate(readForKernel(file));
    if (!isIges(bytes)) throw notOfFormat(file, "Iges");
    const unitMm = lengthUnitMm(bytes);
    const text = { file, format: "Iges", bytes, unitMm: unitMm ?? 1, check: checkIges(bytes) } as const;
    const { deviationMm, ...model } = await cadModel(text, options, progress);
    return {
      ...model,
      separateFaces: { deviationMm },
      ...(unitMm !== undefined && { unitMm }),
    };
  },
};

const LINE_COLUMNS = 80;
const [TERMINATE, NEW_LINE, RETURN] = [..."T\n\r"].map((character) => character.charCodeAt(0));
/** The start section may have any number of lines: the unit is searched within this many bytes. */
const HEAD_BYTES = 2 ** 20;
/** Longest prefix of a string: blanks, its length and an H. */
const MAX_PREFIX = 80;

/** Whether the first line belongs to a start section and contains only text: on a run of zeros the kernel takes minutes. */
const isIges = (bytes: Uint8Array): boolean =>
  String.fromCharCode(bytes[DATA_COLUMNS] ?? 0) === "S" && !bytes.includes(0);

/** The file up to its terminate section of one line, since some systems leave zeros after it. The whole file if it has none. */
function upToTerminate(file: Uint8Array): Uint8Array {
  let isLineStart = true;
  for (let at = 0; at + DATA_COLUMNS < file.length; at++) {
    if (isLineStart && file[at + DATA_COLUMNS] === TERMINATE) return file.subarray(0, at + LINE_COLUMNS);
    isLineStart = file[at] === NEW_LINE || file[at] === RETURN;
  }
  return file;
}

/** Unit flags of the global section (IGES 5.3, 2.2.4.3.14), in millimetres. Flag 3 refers to the unit name that follows. */
const FLAG_MM: Readonly<Record<string, number>> = {
  "1": 25.4,
  "2": 1,
  "4": 304.8,
  "5": 1_609_344,
  "6": 1000,
  "7": 1_000_000,
  "8": 0.0254,
  "9": 0.001,
  "10": 10,
  "11": 0.000_025_4,
};
const NAME_MM: Readonly<Record<string, number>> = {
  IN: 25.4,
  INCH: 25.4,
  MM: 1,
  FT: 304.8,
  MI: 1_609_344,
  M: 1000,
  KM: 1_000_000,
  MIL: 0.0254,
  UM: 0.001,
  CM: 10,
  UIN: 0.000_025_4,
};
/** Index of the unit's flag among the parameters of the global section; its name follows. */
const UNIT_FLAG = 13;

/** Millimetres per unit, as the global section states; inches if it omits the unit. Undefined if the unit cannot be read. */
export function lengthUnitMm(file: Uint8Array): number | undefined {
  const parameters = globalParameters(globalSection(file));
  const [flag = "", name = ""] = parameters.slice(UNIT_FLAG);
  if (parameters.length <= UNIT_FLAG || flag === "" || flag === "0") return FLAG_MM["1"];
  return flag === "3" ? NAME_MM[name.toUpperCase()] : FLAG_MM[flag];
}

/** The data columns of the global section, which follows the start section. */
function globalSection(file: Uint8Array): string {
  const head = file.subarray(0, HEAD_BYTES);
  const lines = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
    .toString("latin1")
    .split(/\r\n|\n|\r/);
  const isGlobal = (line: string): boolean => line[DATA_COLUMNS] === "G";
  return lines
    .filter(isGlobal)
    .map((line) => line.slice(0, DATA_COLUMNS))
    .join("");
}

/** The parameters of the global section. The first two are the delimiters of parameters and of records; comma and semicolon by default. */
function globalParameters(text: string): string[] {
  const [, comma = ","] = /^ *1H(.)/.exec(text) ?? [];
  const [, semicolon = ";"] = /^ *(?:1H.)?. *1H(.)/.exec(text) ?? [];
  const parameters: string[] = [];
  let at = 0;
  while (at < text.length && parameters.length <= UNIT_FLAG + 1) {
    const [blanks, length] = /^ *(?:(\d{1,5})H)?/.exec(text.slice(at, at + MAX_PREFIX))!;
    const from = at + blanks.length;
    let to = from + Number(length ?? 0);
    while (to < text.length && text[to] !== comma && text[to] !== semicolon) to++;
    parameters.push(text.slice(from, to).trim());
    at = to + 1;
    if (text[to] === semicolon) break;
  }
  return parameters;
}
