import type { EventLog } from "../core/event-log.ts";
import type { PrintJob, Printer } from "./printer.ts";

/**
 * {@link Printer.take}, with a line in the log on what became of the job. For the queue of that id a job that its printer did not take is
 * refused, and the queue tells the log what became of it.
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
