import { join, sep } from "node:path";
import * as v from "valibot";
import { field } from "../../api/field.ts";
import { outputSteps } from "../../command/outputs.ts";
import { inputError } from "../../core/api-error.ts";
import { must } from "../../core/must.ts";
import { inPrivateFolder } from "../../core/private-folder.ts";
import { newJob } from "../../farm/job/new-job.ts";
import { MAX_PRIORITY } from "../../farm/queue/job-queue.ts";
import { requireFarm } from "../farm-access.ts";
import { defineTool, plate as plateField } from "../tool.ts";

/** Most files of a job. */
const MAX_FILES = 10;

/** Has a worker of the farm write the files of a plate. */
export const submitJob = defineTool(
  {
    name: "submit_job",
    title: "Submit a job to the workers",
    description:
      "Puts a plate, as it is now, into the queue of workers, which write its files as save does. job_status follows the job.",
    fields: {
      plate: plateField,
      files: field(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_FILES)), "Paths, such as out.sl1s."),
      due: field(v.optional(v.string()), "When it is needed, such as 2026-12-01T08:00."),
      priority: field(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(-MAX_PRIORITY), v.maxValue(MAX_PRIORITY))),
        "Higher first; 0 if absent.",
      ),
      group: field(v.optional(v.string()), "Name that jobs of an order share."),
    },
    hints: { openWorldHint: true },
  },
  async ({ plate, files, due, priority, group }, call) => {
    const { root, farm } = call.workspace;
    const { queue, store, machines } = requireFarm(farm);
    const dueDate = due === undefined ? undefined : new Date(due);
    if (dueDate && Number.isNaN(dueDate.getTime()))
      throw inputError('"/due": must be a time such as 2026-12-01T08:00.');
    const scene = call.scene(plate);
    if (scene.models.length === 0) throw inputError(`${plate} has no parts: add_parts adds some.`);
    const names = files.map((file) => root.nameOf(root.target(file)).split(sep).join("/"));
    return inPrivateFolder("mcp", async (folder) => {
      await call.request("scene/save", { scene_ids: [scene.id], file: join(folder, PROJECT) });
      const opened = { name: "plate", request: "scene/open", body: { file: PROJECT } };
      const paths = names.map((name) => join(root.path, name));
      const outputs = outputSteps(paths, [], { $: "plate.scenes.0.scene_id" }, scene.setting.printerType, {});
      const named = outputs.map((step, i) => ({ ...step, body: { ...step.body, file: must(names[i], "A name") } }));
      const request = { steps: [opened, ...named], folder, ...(priority !== undefined && { priority }) };
      const more = { ...(dueDate && { due: dueDate }), ...(group !== undefined && { group }) };
      const checks = {
        convertedExtensions: call.workspace.runner.server.converters.extensions,
        machines: await machines(),
      };
      const [submitted] = await (await queue()).submit([await newJob({ ...request, ...more }, await store(), checks)]);
      const { id, isNew } = must(submitted, "A submitted job");
      const known = isNew ? "is in the queue" : "is known already: the same plate was submitted before";
      return {
        lines: [`Job ${id} ${known}. Next: job_status with this job; with fetch once it is done.`],
        data: { plate, job: id, is_new: isNew, files: names },
      };
    });
  },
);

/** The name of the project in the folder of the job. */
const PROJECT = "plate.form";
