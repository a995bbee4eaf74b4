import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import { Fault, notFound, operationFailed } from "../../core/fault.ts";
import { newId } from "../../core/id.ts";
import { shortened } from "../../core/shortened.ts";
import { JOB_WRITERS } from "../../format/job/job-writers.ts";
import type { PrintJobTotals, Printer } from "../../printer/printer.ts";
import { layersOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import { isInBounds } from "../../scene/stand.ts";
import { type Kit, readsScene } from "../endpoint.ts";
import { name, sceneId } from "../schema.ts";
import { writeJob } from "./write-job.ts";

export const printScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/print/",
    summary: "Slices the scene and sends the job to a printer; print_now starts it, otherwise the printer holds it.",
    async: true,
    body: v.strictObject({
      scene_id: sceneId,
      printer: v.string(),
      job_name: v.pipe(name, v.nonEmpty("must not be empty")),
      print_now: v.optional(v.boolean(), false),
      find_printer_timeout_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600)), 30),
    }),
    reply: v.object({ job_id: v.string() }),
  },
  async (scene, { printer: target, job_name, print_now, find_printer_timeout_seconds }, kit) => {
    const printer = await kit.printers.findWithin(target, find_printer_timeout_seconds, kit.throwIfCancelled);
    if (!printer) throw notFound(notConnected(target));
    requireServed(scene, printer);
    requirePrintable(scene);
    requireCorrection(scene);
    const job = { id: newId(), name: job_name };
    await printer.take({
      ...job,
      extension: JOB_WRITERS[scene.setting.printerType.job].extension,
      printNow: print_now,
      materialCode: scene.setting.combination.materialCode,
      writeTo: (path) => writeTo(path, scene, job, kit),
    });
    return { job_id: job.id };
  },
);

async function writeTo(
  path: string,
  scene: Scene,
  job: { id: string; name: string },
  kit: Kit,
): Promise<PrintJobTotals> {
  const { time, materialMl, layerCount } = await writeJob(scene, job, path, kit);
  return {
    printTimeS: time.totalS,
    preprintTimeS: time.preprintS,
    coolingTimeS: time.cooling?.toRemovalS,
    layerCount,
    materialMl,
  };
}

const notConnected = (target: string): string =>
  `No connected printer is called "${shortened(target)}": check its serial name or address, and that it is switched on; ` +
  "print queues need a login.";

function requireServed({ setting }: Scene, { id, machineTypes, printerType }: Printer): void {
  const { machineType } = setting.combination;
  if (machineTypes.includes(machineType)) return;
  throw new Fault(
    "UNSUPPORTED_SCENE",
    `The printer "${id}" is a ${printerType.label} and prints scenes for ${machineTypes.join(", ")}, not ${machineType}: ` +
      "choose another printer, or change the scene's machine type.",
  );
}

function requirePrintable(scene: Scene): void {
  if (layersOf(scene).length < 2)
    throw operationFailed("There is nothing to print above the platform: import a model, or move those there are up.");
  const outside = scene.models.find((model) => !isInBounds(model, scene.setting));
  if (!outside) return;
  throw operationFailed(
    `The model "${shortened(outside.name)}" stands out of the build volume: move it inside, scale it down, or delete it.`,
  );
}

/** A part of the wrong size is worse than none: where the job cannot tell the machine to correct for shrinkage, refuse. */
function requireCorrection({ setting }: Scene): void {
  const { x, y, z } = profileOf(setting).correction;
  const { job, label } = setting.printerType;
  if (job === "form" || (x === 1 && y === 1 && z === 1)) return;
  throw operationFailed(
    `The print setting corrects for shrinkage by ${x}, ${y}, ${z}, which jobs for a ${label} cannot tell: set the factors ` +
      "to 1 and scale the models instead.",
  );
}
