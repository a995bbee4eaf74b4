import type { EventLog } from "../core/event-log.ts";
import type { PrintJob, Printer } from "./printer.ts";

/**
 * As {@link Printer.submit}, and logs what became of the job. With `queue`, the id of a queue, a job that its printer did not accept is
 * logged as refused, and the queue logs its further way.
 */
export async function submitJob(printer: Printer, job: PrintJob, log: EventLog, queue?: string): Promise<void> {
  const details = { queue, printer: printer.id, job_id: job.id, job_name: job.name };
  try {
    await printer.submit(job);
  } catch (thrown) {
    const event = queue === undefined ? "job failed" : "job refused";
    log.write(event, { ...details, reason: (thrown as Error).message });
    throw thrown;
  }
  log.write("job sent", { ...details, print_now: job.printNow });
}
