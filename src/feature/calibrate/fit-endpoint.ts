import { existsSync } from "node:fs";
import { Buffer } from "node:buffer";
import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { requireAbsolute, requireFile } from "../../api/preconditions.ts";
import { warningsList } from "../../api/schema.ts";
import type { Reading } from "../../calibrate/plate-shape.ts";
import { FIGURES, type ResinOfPlate } from "../../calibrate/resin-of-plate.ts";
import { canonicalMachineType } from "../../catalog/catalog.ts";
import { type MachinesFile, readMachinesFile } from "../../catalog/machines-file.ts";
import { idSchema, oneLine } from "../../catalog/open-printer.ts";
import { openPrinters } from "../../catalog/open-printers.ts";
import { GENERIC_RESIN } from "../../catalog/resin.ts";
import { excerpt, inputError, operationFailed } from "../../core/api-error.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { requireWritable, writeFileAtomically } from "../../core/write-file.ts";
import { plateFields } from "./plate-fields.ts";
import { plateJob } from "./plate-job.ts";
import { type FilledForm, readReadingsForm } from "./readings-form.ts";
import { type CalibratedResin, machinesJson, withCalibrated } from "./resin-entry.ts";
import { fitPlateTask } from "./task.ts";

const MAX_READINGS = 1000;
const MAX_FORM_BYTES = 2 ** 20;
/** Most readings that a message names. */
const MAX_NAMED = 5;

const readingFields = {
  patch: field(v.string(), "The number on the plate, with the letter of the place in its row."),
  value: field(v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), "What was read, in mm or as a number of parts."),
};

export const fitPlateReadings = servesServer(
  {
    method: "POST",
    path: "/v1/calibration/fit/",
    summary:
      "An addition to the interface. Computes the figures of a resin from what was read of a plate of calibration/plate, each with its standard error, for the recommended exposure: the shortest with which layers bond by a margin of 30 %. Readings may be missing: then some figures are not determined. Readings that contradict the others by more than three times their error are refused and named. With output_file the figures are saved as those of a resin, in a file of --machines, whose other entries stay.",
    async: true,
    errors: ["INPUT_ERROR", "OPERATION_FAILED"],
    body: strictObject({
      form_file: field(v.optional(v.string()), "Absolute path of the form of the plate, filled in: a .csv file."),
      plate: field(
        v.optional(strictObject(plateFields)),
        "In place of a form: the plate, as calibration/plate returns it.",
      ),
      readings: field(
        v.optional(v.pipe(v.array(strictObject(readingFields)), v.maxLength(MAX_READINGS))),
        "In place of a form: what was read.",
      ),
      machine_type: field(
        v.optional(v.string()),
        "Id of the machine type of the plate: a plate of another one is refused. Any if absent.",
      ),
      resin_code: field(
        idSchema,
        "Code of the resin: capital letters and digits joined by hyphens, such as ACME-TOUGH.",
      ),
      resin_name: field(
        v.optional(oneLine),
        "Name of the resin, for people; that of its entry, or its code, if absent.",
      ),
      reading_error_mm: field(
        v.optional(v.pipe(v.number(), v.minValue(0.001), v.maxValue(0.2)), 0.02),
        "Standard error of a length or thickness that was read, in mm.",
      ),
      tolerance_mm: field(
        v.optional(v.pipe(v.number(), v.minValue(0.01), v.maxValue(1)), 0.1),
        "By how much bars may come out too thin at the recommended exposure, in mm.",
      ),
      output_file: field(
        v.optional(v.string()),
        "Absolute path of the file of --machines to write, a .json file. An existing one is completed; its folder must exist.",
      ),
    }),
    reply: object({
      figures: field(
        v.array(
          object({
            name: field(v.picklist(FIGURES), "The figure, with its unit."),
            value: field(v.number(), "Its value, for the recommended exposure."),
            standard_error: field(v.number(), "Its standard error, in the same unit."),
            is_determined: field(
              v.boolean(),
              "Whether the error is small enough for the figure to be of use; others are not saved.",
            ),
            needs: field(v.optional(v.string()), "What would have to be read for it, for people."),
          }),
        ),
        "What follows from the readings.",
      ),
      machines: field(v.record(v.string(), v.unknown()), "The content of a file of --machines with the figures."),
      warnings: warningsList,
    }),
    check({ form_file, plate, readings, resin_code, output_file }) {
      if (resin_code === GENERIC_RESIN)
        throw inputError(`${GENERIC_RESIN} is the resin that every printer has: give yours a code of its own.`);
      if ((form_file === undefined) === (plate === undefined) || (plate === undefined) !== (readings === undefined))
        throw inputError("Give the form of the plate, or both the plate and what was read from it.");
      if (form_file !== undefined) requireFile(form_file, ["csv"]);
      if (output_file === undefined) return;
      requireAbsolute(output_file);
      requireFile(output_file, ["json"]);
    },
  },
  async (_, { body }, context) => {
    const { output_file: outputFile, resin_code: code, resin_name: name } = body;
    const filled = filledForm(body);
    const { onWire, facts, plate } = plateJob(filled.plate);
    requirePrinter(onWire.machine_type, body.machine_type);
    requireReadings(filled.readings, plate.readings);
    if (outputFile !== undefined) requireWritable(outputFile);
    const result = await context.compute(fitPlateTask, {
      facts,
      exposureS: onWire.exposure_s,
      readings: plate.readings,
      values: filled.readings,
      readingErrorMm: body.reading_error_mm,
      toleranceMm: body.tolerance_mm,
    });
    requireConsistent(result);
    const date = new Date().toISOString().slice(0, 10);
    const source = `a calibration plate with ${filled.readings.length} readings, exposed for ${onWire.exposure_s} s`;
    const resin: CalibratedResin = { plate: onWire, code, name, figures: result.figures, source, date };
    const before: MachinesFile =
      outputFile !== undefined && existsSync(outputFile)
        ? readMachinesFile(outputFile, openPrinters())
        : { printers: [], resins: [] };
    const machines = withCalibrated(before, resin);
    const json = machinesJson(machines, (why) => operationFailed(`The figures make no resin: ${why}.`));
    if (outputFile !== undefined) {
      requireAny(result);
      context.commit();
      writeFileAtomically(outputFile, [Buffer.from(json)]);
    }
    return {
      figures: result.figures.map(({ name: figure, value, error, isDetermined, needs }) => ({
        name: figure,
        value: wire(value),
        standard_error: wire(error),
        is_determined: isDetermined,
        ...(needs !== undefined && { needs }),
      })),
      machines: JSON.parse(json) as Record<string, unknown>,
      warnings: warningsOf(result, onWire.exposure_s, body.tolerance_mm),
    };
  },
);

const wire = (value: number): number => Number(value.toPrecision(5));

function filledForm({
  form_file: file,
  plate,
  readings,
}: {
  readonly form_file?: string | undefined;
  readonly plate?: FilledForm["plate"] | undefined;
  readonly readings?: FilledForm["readings"] | undefined;
}): FilledForm {
  if (plate && readings) return { plate, readings };
  if (file === undefined) throw new TypeError("The request has neither a form nor readings.");
  const text = new TextDecoder().decode(readWholeFile(file, MAX_FORM_BYTES));
  return readReadingsForm(text, (why) => inputError(`${JSON.stringify(excerpt(file))}: ${why}.`));
}

function requirePrinter(ofPlate: string, expected: string | undefined): void {
  if (expected === undefined || canonicalMachineType(expected) === canonicalMachineType(ofPlate)) return;
  throw inputError(
    `The plate is of the machine ${ofPlate}, not of ${excerpt(expected)}: name its printer or its form.`,
  );
}

/** Throws INPUT_ERROR for values that no plate can show. */
function requireReadings(values: FilledForm["readings"], readings: readonly Reading[]): void {
  if (values.length === 0) throw inputError("Nothing was read: fill in at least some values of the form.");
  const byPatch = new Map(readings.map((reading) => [reading.patch, reading]));
  const seen = new Set<string>();
  for (const { patch, value } of values) {
    const reading = byPatch.get(patch);
    if (!reading) throw inputError(`The plate has no patch "${excerpt(patch)}": take the patches of its form.`);
    if (seen.has(patch)) throw inputError(`The patch ${patch} has two values: give one.`);
    seen.add(patch);
    if (reading.unit === "mm") continue;
    const most = "greys" in reading.of ? reading.of.greys.length : 9;
    if (!Number.isInteger(value) || value > most)
      throw inputError(`The value of ${patch} is ${value}: it is a whole number up to ${most}.`);
  }
}

/** Throws OPERATION_FAILED for readings that contradict the others. */
function requireConsistent({ doubtful }: ResinOfPlate): void {
  if (doubtful.length === 0) return;
  const named = doubtful
    .slice(0, MAX_NAMED)
    .map(({ reading, value, distance }) => `${reading.patch} (${value}, ${distance.toFixed(1)} standard errors off)`);
  const more = doubtful.length > MAX_NAMED ? ` and ${doubtful.length - MAX_NAMED} more` : "";
  throw operationFailed(
    `Readings contradict the others: ${named.join(", ")}${more}. Measure these again, or leave them empty; if many are off, give a larger reading_error_mm.`,
  );
}

function requireAny({ figures }: ResinOfPlate): void {
  if (figures.some(({ isDetermined }) => isDetermined)) return;
  throw operationFailed(
    `The readings determine no figure, so nothing was saved: read more of the plate, first ${figures[0]?.needs ?? "the numbers of towers"}.`,
  );
}

function warningsOf({ figures, saturated }: ResinOfPlate, plateS: number, toleranceMm: number): string[] {
  const growth = figures.find(({ name, isDetermined }) => name === "edge_growth_mm" && isDetermined)?.value ?? 0;
  const rows = saturated.map(({ patch }) => patch).join(", ");
  const thickMm = Math.round(2000 * growth) / 1000;
  return [
    ...(saturated.length > 0
      ? [
          `All or none of the parts of ${rows} are there, which tells nothing: the exposure of the plate, ${plateS} s, was far too long or too short. Print a plate with another exposure_s.`,
        ]
      : []),
    ...(thickMm > toleranceMm
      ? [
          `At the recommended exposure bars come out ${thickMm} mm too thick; the correction of edges takes that away where it is on.`,
        ]
      : []),
  ];
}
