import type { EventLog } from "../../core/event-log.ts";
import type { Printer } from "../printer.ts";
import type { HeldJobs } from "./held-jobs.ts";
import type { UnclearedPlatforms } from "./uncleared-platforms.ts";

/** What the queues of a server have in common. */
export interface QueueContext {
  /** The connected printers by their names. */
  connected(): ReadonlyMap<string, Printer>;
  /** The machine type of the printer of that name, where the user has given it. */
  machineTypeOf(name: string): string | undefined;
  /** Undefined without `--job-dir`. */
  readonly held: HeldJobs | undefined;
  readonly log: EventLog;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
  /** Ids of the printers to which any queue is submitting a job. */
  readonly receiving: Set<string>;
  /** Printers on which prints start only once a person has cleared their platforms. */
  readonly uncleared: UnclearedPlatforms;
  /** How long a printer that refused a job is not asked again, ms. */
  readonly retryMs: number;
}
