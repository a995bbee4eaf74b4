import { Buffer } from "node:buffer";
import * as v from "valibot";
import type { Reading } from "../../calibrate/plate-shape.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { matchSchema } from "../../core/match-schema.ts";
import type { PlateOnWire } from "./plate-job.ts";

// The form in which people fill in what they read from a plate: a table of comma-separated values, which spreadsheets open. Its first
// rows say which plate it is.

const COLUMNS = ["patch", "measure", "unit", "value"] as const;
/** What stands in the first column of the rows that describe the plate. */
const PLATE = "plate";

export interface FilledForm {
  readonly plate: PlateOnWire;
  /** Those that were filled in. */
  readonly readings: readonly { readonly patch: string; readonly value: number }[];
}

/** The empty form of a plate. */
export function readingsForm(plate: PlateOnWire, readings: readonly Reading[]): Uint8Array {
  const facts = Object.entries(plate).map(([key, value]) => [PLATE, key, "", [value].flat().join(" ")]);
  const rows = readings.map(({ patch, measure, unit }) => [patch, measure, unit, ""]);
  const line = (cells: readonly string[]): string => cells.map(quoted).join(",");
  return Buffer.from(`${[COLUMNS, ...facts, ...rows].map(line).join("\r\n")}\r\n`);
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const plateSchema = v.strictObject({
  machine_type: v.string(),
  material_code: v.string(),
  layer_thickness_mm: v.number(),
  exposure_s: v.number(),
  time_ratio: v.number(),
  corner_layers: v.number(),
  response: v.optional(v.union([v.number(), v.array(v.number())])),
});

/**
 * Reads a form that people filled in, also as spreadsheets save it in other countries: with semicolons or tabs between the cells and with decimal
 * commas. Throws the error of `refuse`, with the row, for what it cannot read.
 */
export function readReadingsForm(text: string, refuse: ErrorFactory): FilledForm {
  const [head = [], ...rows] = cellsOf(text.replace(/^\uFEFF/, ""));
  if (COLUMNS.some((column, i) => head[i]?.trim().toLowerCase() !== column))
    throw refuse(`its first row is not ${COLUMNS.join(", ")}: name the form that was written beside the plate`);
  const facts: Record<string, unknown> = {};
  const readings: { patch: string; value: number }[] = [];
  rows.forEach(([patch = "", measure = "", , value = ""], i) => {
    if (value.trim() === "") return;
    if (patch.trim() === PLATE) {
      const numbers = value.trim().split(/\s+/).map(numberOf);
      const isText = measure === "machine_type" || measure === "material_code";
      facts[measure] = isText ? value.trim() : numbers.length === 1 ? numbers[0] : numbers;
      return;
    }
    const number = numberOf(value);
    if (!Number.isFinite(number) || number < 0)
      throw refuse(
        `the value of ${patch} in row ${i + 2} is "${value}": write a number, or leave the cell empty where there is nothing to read`,
      );
    readings.push({ patch: patch.trim(), value: number });
  });
  const plate = matchSchema(plateSchema, facts, (why) =>
    refuse(`its rows "plate" were changed (${why}): copy the values into the form that was written beside the plate`),
  );
  return { plate, readings };
}

/** NaN for texts that are no numbers. */
const numberOf = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", ".")));

/** The cells of each row. */
function cellsOf(text: string): string[][] {
  const [head = ""] = text.split("\n");
  const separator = [",", ";", "\t"].find((one) => head.includes(one)) ?? ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = (): void => {
    row.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") {
      endCell();
      rows.push(row);
      row = [];
    } else if (character !== "\r") cell += character;
  }
  if (cell !== "" || row.length > 0) {
    endCell();
    rows.push(row);
  }
  return rows;
}
