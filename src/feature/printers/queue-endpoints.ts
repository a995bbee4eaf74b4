import * as v from "valibot";
import { excerpt, notFound } from "../../core/api-error.ts";
import { parseId } from "../../core/id.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import { JOB_ACTIONS, type JobQueue, QUEUED_STATES, type QueuedJob, isQueue } from "../../printer/printer.ts";
import type { Printers } from "../../printer/printers.ts";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { count, integer, machineType, materialCode, nonEmptyString, requiring, uuid } from "../../api/schema.ts";

// The held jobs of print queues (supplement, section 8). Like queues, they are shown only after a login.

const jobReply = object({
  id: field(uuid, "Id of the job."),
  name: field(v.string(), "Name of the job."),
  machine_type: machineType,
  material_code: materialCode,
  print_now: field(
    v.boolean(),
    "Whether the printer starts the print at once; if false, the job waits at the printer for a person.",
  ),
  state: field(
    v.picklist(QUEUED_STATES),
    "WAITING_FOR_RELEASE: a person has to release the job. WAITING_FOR_PRINTER: no printer is ready. SENDING: the job is being sent to a printer. SET_ASIDE: the job waits for RETRY or CANCEL.",
  ),
  reason: field(
    v.optional(v.string()),
    "Reason why the job was set aside or why the last printer refused it, as text for people; absent if neither happened.",
  ),
  ready_printers: field(v.array(v.string()), "Serial names of the printers that are ready and can print the job."),
  layer_count: field(count, "Number of layers of the job."),
  estimated_print_time_s: field(v.number(), "Estimated time of the whole print in seconds."),
});

const queueReply = object({
  id: field(uuid, "Id of the queue."),
  name: field(v.string(), "Name of the queue."),
  queue_paused: field(v.boolean(), "Whether the queue currently sends no jobs to its printers."),
  starts: field(
    v.picklist(["AUTOMATIC", "RELEASED"]),
    'AUTOMATIC: held prints start by themselves ("starts": "automatic" in the printers file). RELEASED: a person releases each.',
  ),
  jobs: field(v.array(jobReply), "The held jobs, in the order in which the queue sends them."),
});

type QueueReply = v.InferOutput<typeof queueReply>;

export const listQueues = servesServer(
  {
    method: "GET",
    path: "/v1/queue/list/",
    summary:
      "Lists the queues of the printers file with their held jobs, in the order in which the queue sends them. The list is empty if no user is logged in.",
    reply: object({
      count: field(integer, "Number of queues."),
      queues: field(v.array(queueReply), "Queues of the printers file."),
    }),
  },
  ({ printers }) => {
    const queues = queuesOf(printers).map(queueOnWire);
    return { count: queues.length, queues };
  },
);

export const updateQueuedJob = servesServer(
  {
    method: "POST",
    path: "/v1/queue/job/update/",
    summary:
      "Carries out an order of a person for a held job. RELEASE starts its print on a printer whose platform is clear, CANCEL drops the job, FIRST puts it before the others, RETRY sends a job again that was set aside. Returns the queue of the job.",
    body: v.pipe(
      strictObject({
        job_id: field(uuid, "Id of a held job, from queue/list."),
        action: field(
          v.picklist(JOB_ACTIONS),
          "RELEASE starts the print, CANCEL drops the job, FIRST puts it before the others, RETRY sends a job again that was set aside.",
        ),
        printer: field(
          v.optional(nonEmptyString),
          "Only for RELEASE: serial name of the printer that is ready and whose platform is clear. If absent, the platforms of all ready printers count as clear.",
        ),
      }),
      v.forward(
        v.partialCheck(
          [["action"], ["printer"]],
          ({ action, printer }) => printer === undefined || action === "RELEASE",
          'is for action "RELEASE" alone: leave this field out',
        ),
        ["printer"],
      ),
      requiring(["printer"], "action", { const: "RELEASE" }),
    ),
    reply: queueReply,
    errors: ["NOT_FOUND", "OPERATION_FAILED"],
  },
  ({ printers }, { body: { job_id, action, printer } }) => {
    const id = parseId(job_id) ?? job_id;
    const queue = queuesOf(printers).find((one) => one.jobs().some((job) => job.id === id));
    if (!queue)
      throw notFound(
        `No queue holds a job with the id ${excerpt(job_id)}: list all with queue/list, which needs a login.`,
      );
    queue.order(id, action, printer);
    return queueOnWire(queue);
  },
);

const queuesOf = (printers: Printers): JobQueue[] => printers.list().filter(isQueue);

const queueOnWire = (queue: JobQueue): QueueReply => ({
  id: queue.id,
  name: queue.name,
  queue_paused: queue.isPaused,
  starts: queue.startsByItself ? "AUTOMATIC" : "RELEASED",
  jobs: queue.jobs().map(jobOnWire),
});

const jobOnWire = (job: QueuedJob): QueueReply["jobs"][number] => ({
  id: job.id,
  name: job.name,
  machine_type: job.machineType,
  material_code: job.materialCode,
  print_now: job.printNow,
  state: job.state,
  ...(job.reason !== undefined && { reason: job.reason }),
  ready_printers: [...job.readyPrinters],
  layer_count: job.totals.layerCount,
  estimated_print_time_s: wireS(job.totals.printTimeS),
});
