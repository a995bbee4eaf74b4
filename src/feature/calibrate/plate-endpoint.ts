import { basename, extname } from "node:path";
import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { requireAbsolute, requireFile } from "../../api/preconditions.ts";
import { count, machineType, materialCode, warningsList } from "../../api/schema.ts";
import { jobExtensions } from "../../catalog/catalog.ts";
import { inputError } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { startEarly } from "../../core/start-early.ts";
import { requireWritable, writeFileAtomically } from "../../core/write-file.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import { computeChunks } from "../chunk-tasks.ts";
import { lossesOf } from "../print/job-losses.ts";
import { requireJobConverter, writeAsTaken } from "../print/write-converted-job.ts";
import { jobFactsOf, requireCarriable, writeJobOf } from "../print/write-job.ts";
import { boundariesOf, newPlateJob } from "./plate-job.ts";
import { layerMm, plateFields, seconds } from "./plate-fields.ts";
import { readingsForm } from "./readings-form.ts";
import { plateLayersTask, platePicturesTask } from "./task.ts";

/** Layers that a thread draws at a time, and the time of one, ms. */
const CHUNK_LAYERS = 8;
const LAYER_MS = 25;

/** A print of more than this deserves a warning, s. */
const LONG_S = 30 * 60;

export const writePlate = servesServer(
  {
    method: "POST",
    path: "/v1/calibration/plate/",
    summary:
      "An addition to the interface. Writes the job of a plate by which a resin is calibrated on a resin printer, in one print of about half an hour, and a form for what is read from it: pads and towers of many exposures, made by greys, ledges, posts, holes, pins, walls and gaps, each with its number. What was read goes to calibration/fit.",
    async: true,
    errors: ["INPUT_ERROR", "OPERATION_FAILED"],
    body: strictObject({
      machine_type: machineType,
      material_code: materialCode,
      layer_thickness_mm: field(layerMm, "Layer thickness in mm."),
      exposure_s: field(
        v.optional(seconds),
        "The usual exposure of the resin in seconds, about which the plate has others; that of the material if absent.",
      ),
      output_file: field(
        v.string(),
        "Absolute path of the job to write, with the extension of the jobs of the machine. Its folder must exist; an existing file is replaced.",
      ),
      form_file: field(
        v.optional(v.string()),
        "Absolute path of the form to write, a .csv file. Its folder must exist; an existing file is replaced.",
      ),
    }),
    reply: object({
      plate: field(object(plateFields), "The plate, as calibration/fit takes it."),
      layer_count: field(count, "Number of layers."),
      print_time_s: field(v.number(), "Duration of the print in seconds."),
      material_ml: field(v.number(), "Resin of the plate in ml."),
      readings: field(
        v.array(
          object({
            patch: field(v.string(), "The number on the plate, with the letter of the place in its row."),
            measure: field(v.string(), "What is read, for people."),
            unit: field(v.picklist(["mm", "count"]), "Millimetres, or a number of parts."),
          }),
        ),
        "What can be read from the plate.",
      ),
      warnings: warningsList,
    }),
    check({ output_file, form_file }) {
      requireFile(
        output_file,
        [...jobExtensions()].map((extension) => extension.slice(1)),
      );
      if (form_file === undefined) return;
      requireAbsolute(form_file);
      requireFile(form_file, ["csv"]);
    },
  },
  async (_, { body }, context) => {
    const { output_file: file, form_file: formFile, exposure_s, ...combination } = body;
    const { onWire, facts, plate, setting } = newPlateJob(combination, exposure_s);
    const { jobExtension, label, job: format } = setting.printerType;
    if (extname(file).toLowerCase() !== jobExtension)
      throw inputError(`Jobs for the ${label} are ${jobExtension} files: give the output that extension.`);
    requireJobConverter({ setting }, context);
    requireWritable(file);
    if (formFile !== undefined) requireWritable(formFile);
    const name = basename(file, extname(file));
    const { created, ctbNotice } = context;
    const boundariesMm = boundariesOf(plate, onWire);
    const job = { id: newId(), name, created, ctbNotice, boundariesMm, modelNames: ["calibration plate"] };
    const jobFacts = jobFactsOf(setting, job);
    requireCarriable(setting, jobFacts);
    const write = (path: string, beforeRename: () => void) => {
      const chunks = computeChunks(
        plateLayersTask,
        {
          count: Math.ceil(plate.layerCount / CHUNK_LAYERS),
          inputOf: (chunk) => ({
            facts,
            first: CHUNK_LAYERS * chunk,
            end: Math.min(plate.layerCount, CHUNK_LAYERS * (chunk + 1)),
            format,
          }),
          workMs: LAYER_MS * plate.layerCount,
        },
        context,
      );
      const thumbnails = (sizes: readonly { width: number; height: number }[]) =>
        context.compute(platePicturesTask, { facts, sizes });
      return writeJobOf({ setting, facts: jobFacts, chunks: startEarly(chunks), thumbnails }, path, beforeRename);
    };
    const beforeRename = (): void => {
      context.commit();
      if (formFile !== undefined) writeFileAtomically(formFile, [readingsForm(onWire, plate.readings)]);
    };
    const totals = await writeAsTaken(setting.printerType, name, { write, path: file, beforeRename }, context);
    const longWarning = `The plate takes ${Math.round(totals.printTimeS / 60)} minutes: the exposures of the resin are long.`;
    return {
      plate: onWire,
      layer_count: totals.layerCount,
      print_time_s: wireS(totals.printTimeS),
      material_ml: Math.round(100 * totals.materialMl) / 100,
      readings: plate.readings.map(({ patch, measure, unit }) => ({ patch, measure, unit })),
      warnings: [...(totals.printTimeS > LONG_S ? [longWarning] : []), ...lossesOf(setting)],
    };
  },
);
