import type { EventLog } from "../core/event-log.ts";
import type { JobTarget, Printer } from "./printer.ts";

/** A print that this server has started on a printer, and that may still run. */
export interface SentPrint {
  readonly jobId: string;
  readonly jobName: string;
  /** Id of the printer. */
  readonly printer: string;
  /** Undefined while the printer does not answer. */
  readonly device: Printer | undefined;
}

/** The last print that was started on each printer, until the printer is seen to be ready for another one. */
export interface SentPrints {
  /** Notes the prints that are sent, and logs all events in the log that was given. */
  readonly log: EventLog;
  /** The prints that run; `connected` are the printers that answer now. */
  running(connected: readonly JobTarget[]): readonly SentPrint[];
}

/** Notes prints by the events "job sent", which tell of those of queues as well. */
export function newSentPrints(log: EventLog): SentPrints {
  const last = new Map<string, Omit<SentPrint, "device">>();
  return {
    log: {
      write(event, details = {}) {
        const { printer, job_id, job_name, print_now } = details;
        if (event === "job sent" && print_now === true)
          last.set(String(printer), { printer: String(printer), jobId: String(job_id), jobName: String(job_name) });
        log.write(event, details);
      },
      close: log.close,
    },
    running(connected) {
      const printers = new Map(connected.map((one) => [one.id, one as Printer]));
      for (const id of last.keys()) if (printers.get(id)?.isReady()) last.delete(id);
      return Array.from(last.values(), (print) => ({ ...print, device: printers.get(print.printer) }));
    },
  };
}
