import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import { ApiError, notFound, operationFailed } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { inTurns } from "../../core/in-turns.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import type { JobTarget } from "../../printer/printer.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import { isInBounds } from "../../scene/placement.ts";
import { type Scene, quotedName } from "../../scene/project.ts";
import { readsScene } from "../endpoint.ts";
import { notConnectedMessage } from "../preconditions.ts";
import { name, sceneId, uuid } from "../schema.ts";
import { writeJob } from "./write-job.ts";

export const printScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/print/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Slices the scene and sends the job to a printer, or to a queue, which passes it on to the first of its printers that is ready or holds it until one is. With print_now the printer starts it, otherwise it waits there.",
    async: true,
    body: v.strictObject({
      scene_id: sceneId,
      printer: v.string(),
      job_name: v.pipe(name, v.nonEmpty("must not be empty")),
      print_now: v.optional(v.boolean(), false),
      find_printer_timeout_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600)), 30),
    }),
    reply: v.object({ job_id: uuid }),
  },
  async (scene, { printer: target, job_name, print_now, find_printer_timeout_seconds }, context) => {
    const printer = await context.printers.findWithin(target, find_printer_timeout_seconds, context.signal);
    if (!printer) throw notFound(notConnectedMessage(context.printers, target, NOT_CONNECTED));
    requireMachineType(scene, printer);
    await requirePrintable(scene);
    requireShrinkageCorrection(scene);
    const job = { id: newId(), name: job_name };
    await context.printers.send(printer, {
      ...job,
      extension: JOB_WRITERS[scene.setting.printerType.job].extension,
      printNow: print_now,
      materialCode: scene.setting.combination.materialCode,
      machineType: scene.setting.combination.machineType,
      writeTo: (path, beforeRename) => writeJob(scene, job, path, context, beforeRename),
      task: context,
    });
    return { job_id: job.id };
  },
);

const NOT_CONNECTED = ": check its serial name or address, and that it is switched on; print queues need a login";

function requireMachineType({ setting }: Scene, { id, label, machineTypes, mayPrintOthers }: JobTarget): void {
  const { machineType } = setting.combination;
  if (machineTypes.includes(machineType) || mayPrintOthers) return;
  throw new ApiError(
    "UNSUPPORTED_SCENE",
    `The printer "${id}" is of the type ${label} and prints scenes for ${machineTypes.join(", ") || "no machine type that is known"}, not ${machineType}: ` +
      "choose another printer, or change the scene's machine type.",
  );
}

async function requirePrintable(scene: Scene): Promise<void> {
  if ((await inTurns(layerBoundariesOf(scene))).length < 2)
    throw operationFailed("There is nothing to print above the platform: import a model, or move the models up.");
  const outside = scene.models.find((model) => !isInBounds(model, scene.setting));
  if (!outside) return;
  throw operationFailed(
    `The model ${quotedName(outside)} is out of the build volume: move it inside, scale it down, or delete it.`,
  );
}

/** Throws OPERATION_FAILED where the job format cannot store the correction for shrinkage: parts would have a wrong size. */
function requireShrinkageCorrection({ setting }: Scene): void {
  const { x, y, z } = profileOf(setting).correction;
  const { job, label } = setting.printerType;
  if (job === "form" || (x === 1 && y === 1 && z === 1)) return;
  throw operationFailed(
    `The print setting corrects for shrinkage by ${x}, ${y}, ${z}, which jobs for a ${label} cannot store: set the factors ` +
      "to 1 and scale the models instead.",
  );
}
