import * as v from "valibot";
import { excerpt, notFound } from "../../core/api-error.ts";
import { parseId } from "../../core/id.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import { JOB_ACTIONS, type JobQueue, QUEUED_STATES, type QueuedJob, isQueue } from "../../printer/printer.ts";
import type { Printers } from "../../printer/printers.ts";
import { servesServer } from "../../api/endpoint.ts";
import { count, integer, nonEmptyString, uuid } from "../../api/schema.ts";

// The jobs that queues of printers hold (supplement, section 8). Like queues themselves they are shown to those who are logged in.

const jobReply = v.object({
  id: uuid,
  name: v.string(),
  machine_type: v.string(),
  material_code: v.string(),
  print_now: v.boolean(),
  state: v.picklist(QUEUED_STATES),
  reason: v.optional(v.string()),
  ready_printers: v.array(v.string()),
  layer_count: count,
  estimated_print_time_s: v.number(),
});

const queueReply = v.object({
  id: uuid,
  name: v.string(),
  queue_paused: v.boolean(),
  starts: v.picklist(["AUTOMATIC", "RELEASED"]),
  jobs: v.array(jobReply),
});

type QueueReply = v.InferOutput<typeof queueReply>;

export const listQueues = servesServer(
  {
    method: "GET",
    path: "/v1/queue/list/",
    summary:
      "Lists the queues of the printers file with the jobs that they hold, in the order in which these go out; none where nobody is logged in.",
    reply: v.object({ count: integer, queues: v.array(queueReply) }),
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
      "Does what a person orders of a held job: RELEASE has its print start on a printer whose platform is clear, CANCEL drops it, FIRST puts it before the others, RETRY has one that was set aside sent again. Answers with its queue.",
    body: v.strictObject({
      job_id: uuid,
      action: v.picklist(JOB_ACTIONS),
      printer: v.optional(nonEmptyString),
    }),
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
    queue.order(id, action, action === "RELEASE" ? printer : undefined);
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
