import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { requireAbsolute, requireFile } from "../../api/preconditions.ts";
import { count, warningsList } from "../../api/schema.ts";
import { jobExtensions } from "../../catalog/catalog.ts";
import { inputError } from "../../core/api-error.ts";
import { requireWritable } from "../../core/write-file.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import { conversionTarget } from "./conversion-target.ts";
import { convertJob } from "./convert-job.ts";
import { readJobHeadTask } from "./task.ts";

const MAX_S = 1000;
const MAX_MM = 100;
const MAX_MM_MIN = 10_000;
const seconds = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_S)));
const speed = v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_MM_MIN)));

export const convertJobFile = servesServer(
  {
    method: "POST",
    path: "/v1/job/convert/",
    summary:
      "An addition to the interface. Writes a job file for another machine, in another format, or with other exposures, without slicing again. Pixels stay as they are if both machines have the same ones, around the middle of the panel; otherwise each gets the mean of those that it covers. A job that the other panel would cut is refused.",
    async: true,
    errors: ["NOT_FOUND"],
    body: strictObject({
      file: field(v.string(), "Absolute path of the job file."),
      output_file: field(
        v.string(),
        "Absolute path of the job to write, with the extension of the jobs of its machine. Its folder must exist; an existing file is replaced.",
      ),
      machine_type: field(
        v.optional(v.string()),
        "Id of the machine type for which the job is written; the machine of the job if absent.",
      ),
      exposure_s: field(seconds, "Exposure of the normal layers in seconds; unchanged if absent."),
      bottom_exposure_s: field(seconds, "Exposure of the first layers in seconds; unchanged if absent."),
      bottom_layer_count: field(
        v.optional(count),
        "Number of layers with the exposure of the first ones; unchanged if absent.",
      ),
      transition_layer_count: field(
        v.optional(count),
        "Number of layers after them whose exposures are between both; unchanged if absent.",
      ),
      wait_before_lift_s: field(seconds, "Rest between the exposure and the lift in seconds; unchanged if absent."),
      wait_after_lift_s: field(seconds, "Rest between the lift and the retraction in seconds; unchanged if absent."),
      wait_after_retract_s: field(
        seconds,
        "Rest between the retraction and the next exposure in seconds; unchanged if absent.",
      ),
      lift_mm: field(
        v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_MM))),
        "Length of the lift and of the retraction of all layers in mm, in one stage; unchanged if absent.",
      ),
      lift_speed_mm_min: field(speed, "Speed of the lift in mm per minute, in one stage; unchanged if absent."),
      retract_speed_mm_min: field(
        speed,
        "Speed of the retraction in mm per minute, in one stage; unchanged if absent.",
      ),
    }),
    reply: object({
      machine_type: field(v.string(), "The machine for which the job is written."),
      layer_count: field(count, "Number of layers."),
      print_time_s: field(v.number(), "Duration of the print in seconds."),
      is_exact: field(v.boolean(), "Whether the pixels are those of the job; otherwise they were computed anew."),
      warnings: warningsList,
    }),
    check({ file, output_file }) {
      requireAbsolute(file);
      requireFile(
        output_file,
        [...jobExtensions()].map((extension) => extension.slice(1)),
      );
      if (file === output_file) throw inputError("The job would replace itself: give the output another name.");
    },
  },
  async (_, { body }, context) => {
    const { file, output_file: outputFile } = body;
    const head = await context.compute(readJobHeadTask, { file });
    const target = conversionTarget(head, { file, outputFile, machineType: body.machine_type });
    requireWritable(outputFile);
    const changes = {
      exposureS: body.exposure_s,
      bottomExposureS: body.bottom_exposure_s,
      bottomLayers: body.bottom_layer_count,
      transitionLayers: body.transition_layer_count,
      waitBeforeLiftS: body.wait_before_lift_s,
      waitAfterLiftS: body.wait_after_lift_s,
      waitAfterRetractS: body.wait_after_retract_s,
      liftMm: body.lift_mm,
      liftMmPerMin: body.lift_speed_mm_min,
      retractMmPerMin: body.retract_speed_mm_min,
    };
    const { created, ctbNotice } = context;
    const conversion = { file, head, outputFile, target, changes, created, ctbNotice };
    const converted = await convertJob(conversion, context, context.commit);
    return {
      machine_type: target.printer.machineType,
      layer_count: head.exposuresS.length,
      print_time_s: wireS(converted.printTimeS),
      is_exact: converted.isExact,
      warnings: [...converted.warnings],
    };
  },
);
