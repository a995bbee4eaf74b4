import type { EventLog } from "../../core/event-log.ts";
import type { Printer } from "../printer.ts";
import type { HeldJobs } from "./held-jobs.ts";
import type { UnclearedPlatforms } from "./uncleared-platforms.ts";

/** What the queues of a server share. */
export interface QueueContext {
  /** The connected printers by their names. */
  connected(): ReadonlyMap<string, Printer>;
  /** The machine type of a printer of that name, where it was named. */
  machineTypeOf(name: string): string | undefined;
  /** Undefined without `--job-dir`. */
  readonly held: HeldJobs | undefined;
  readonly log: EventLog;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
  /** The printers that are being given a job by any queue. */
  readonly fed: Set<string>;
  /** On which prints of queues that need a person start only once that person says so. */
  readonly uncleared: UnclearedPlatforms;
  /** How long a printer that refused a job is not asked again. */
  readonly retryMs: number;
}
