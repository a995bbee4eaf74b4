import type { EventLog } from "../core/event-log.ts";
import type { PrintJob, Printer } from "./printer.ts";

/** {@link Printer.take}, with a line in the log on what became of the job. */
export async function sendJob(printer: Printer, job: PrintJob, log: EventLog): Promise<void> {
  const details = { printer: printer.id, job_id: job.id, job_name: job.name };
  try {
    await printer.take(job);
  } catch (thrown) {
    log.write("job failed", { ...details, reason: (thrown as Error).message });
    throw thrown;
  }
  log.write("job sent", { ...details, print_now: job.printNow });
}
