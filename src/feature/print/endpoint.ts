import * as v from "valibot";
import { ApiError, notFound } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { MODELS_EXTENSION } from "../../printer/maker-server/models-archive.ts";
import { type JobTarget, isQueue } from "../../printer/printer.ts";
import { requirePlainMeshes } from "../../scene/model-mesh.ts";
import type { Scene } from "../../scene/project.ts";
import { readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { name, sceneId, uuid, warningsReply } from "../../api/schema.ts";
import { notConnectedMessage, requirePrintable } from "../../api/preconditions.ts";
import { unlitWarnings } from "../slice/unlit-models.ts";
import { compensationName, compensationReply } from "./job-compensation.ts";
import { drawingFields, drawingOf, greysName, greysReply, unusedVolume } from "./job-greys.ts";
import { lossesOf } from "./job-losses.ts";
import { requireJobConverter, writeMachineJob } from "./write-converted-job.ts";
import { writeModels } from "./write-models.ts";

export const printScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/print/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Slices the scene and sends the job to a printer or a queue. A queue sends the job to the first of its printers that is ready, and holds it until one is ready. With print_now the printer starts the print; otherwise the job waits at the printer.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      printer: field(v.string(), "Serial name or address of the printer, or the id of a print queue."),
      job_name: field(v.pipe(name, v.nonEmpty("must not be empty")), "Name of the job."),
      print_now: field(
        v.optional(v.boolean(), false),
        "Whether the printer starts the print at once; if false, the job waits at the printer for a person.",
      ),
      find_printer_timeout_seconds: field(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600)), 30),
        "Time to wait for a printer that is not connected, in seconds.",
      ),
      ...drawingFields,
    }),
    reply: object({
      job_id: field(uuid, "Id of the job; the printer reports it as printing_guid."),
      greys: greysReply,
      compensation: compensationReply,
      warnings: warningsReply,
    }),
  },
  async (scene, { printer: target, job_name, print_now, find_printer_timeout_seconds, ...drawn }, context) => {
    const printer = await context.printers.findWithin(target, find_printer_timeout_seconds, context.signal);
    if (!printer) {
      const advice = scene.setting.printerType.job === "form" ? MAKERS_OWN : NOT_CONNECTED;
      throw notFound(notConnectedMessage(context.printers, target, advice));
    }
    requireMachineType(scene, printer);
    requireJobConverter(scene, context);
    await requirePrintable(scene);
    if (printer.takesModels) requirePlainMeshes(scene.models);
    const drawing = drawingOf(drawn);
    const warnings = [
      ...(await unlitWarnings(scene, context)),
      ...lossesOf(scene.setting),
      ...(printer.takesModels ? [] : unusedVolume(scene.setting, drawing)),
    ];
    const job = { id: newId(), name: job_name };
    const stages = stagesOf(job_name, printer);
    context.enterStage(stages, 0);
    const { created, ctbNotice } = context;
    await context.printers.submit(printer, {
      ...job,
      extension: printer.takesModels ? MODELS_EXTENSION : scene.setting.printerType.jobExtension,
      layerThicknessMm: scene.setting.combination.layerThicknessMm,
      printNow: print_now,
      materialCode: scene.setting.combination.materialCode,
      machineType: scene.setting.combination.machineType,
      async writeTo(path, beforeRename) {
        const totals = printer.takesModels
          ? await writeModels(scene, path, context, beforeRename)
          : await writeMachineJob(scene, { ...job, created, ctbNotice, drawing }, path, context, beforeRename);
        context.enterStage(stages, 1);
        return totals;
      },
      task: context,
    });
    const told = [...warnings, ...heldWarnings(printer, job.id)];
    const greys = printer.takesModels ? undefined : greysName(scene, drawing);
    const compensation = printer.takesModels ? undefined : compensationName(scene.setting);
    return {
      job_id: job.id,
      ...(greys !== undefined && { greys }),
      ...(compensation !== undefined && { compensation }),
      ...(told.length > 0 && { warnings: told }),
    };
  },
);

/** What is done with a job, for those who wait. */
const stagesOf = (jobName: string, printer: JobTarget): string[] => [
  `${printer.takesModels ? "Writing" : "Slicing"} “${jobName}”`,
  `Sending “${jobName}” to ${isQueue(printer) ? printer.name : printer.id}`,
];

/** Warning that a queue holds a print until a person acts, which the sender may not expect. */
function heldWarnings(target: JobTarget, jobId: string): string[] {
  const held = isQueue(target) ? target.jobs().find(({ id }) => id === jobId) : undefined;
  if (!isQueue(target) || held?.state !== "WAITING_FOR_RELEASE") return [];
  return [
    `The queue "${target.name}" holds the print until a person says that a platform is clear: release it with queue/job/update.`,
  ];
}

const NOT_CONNECTED = ": check its serial name or address, and that it is switched on; print queues need a login";

/** For scenes of Form and Fuse printers, which are reached through another program. */
const MAKERS_OWN = `${NOT_CONNECTED}; Form and Fuse printers take jobs from their maker's program alone: name its server by --printer preform://HOST, or export the scene with its supports as .stl or .3mf with /v1/scene/export/`;

function requireMachineType(
  { setting }: Scene,
  { id, label, machineTypes, mayPrintOthers, refusesAllJobs }: JobTarget,
): void {
  const { machineType } = setting.combination;
  if (machineTypes.includes(machineType) || mayPrintOthers) return;
  throw new ApiError(
    "UNSUPPORTED_SCENE",
    `"${id}" (${label}) prints scenes for ${machineTypes.join(", ") || "no machine type that is known"}, not ${machineType}: ` +
      `choose another printer${refusesAllJobs ? "" : ", or change the scene's machine type"}.`,
  );
}
