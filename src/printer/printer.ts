import type { PrinterType } from "../catalog/setting.ts";
import type { Device } from "./device.ts";

/** Whatever takes jobs: a printer, or a queue of printers. */
export interface JobTarget {
  /** Unique: the serial name of a printer, the id of a queue. */
  readonly id: string;
  /** What it is, for messages. */
  readonly label: string;
  /** Other names under which requests find it: its address, its host name, an id of its maker. */
  readonly otherNames: readonly string[];
  /** Canonical ids of the machine types whose scenes it can print. */
  readonly machineTypes: readonly string[];
  /** Whether scenes for other machine types may turn out to be printable: a queue whose printers have not all been seen holds them. */
  readonly mayPrintOthers?: boolean;
  /** Whether it refuses every job: it is known by an account alone, whose service takes none. */
  readonly refusesAllJobs?: boolean;
  /** Of a printer that an account tells of: its type, undefined where the catalog lacks it. Absent for others. */
  readonly remotePrinter?: { readonly printerType: PrinterType | undefined };
  /** Its state as far as it is known: sends nothing. */
  describe(): Device;
  /**
   * Takes a job; resolves when the printer has all of it, has accepted it and, with `printNow`, has started it. A job without `printNow`
   * waits there for a person, also while another is printed. Whether it can take the job is asked before `job.writeTo`, which slices.
   * Throws OPERATION_FAILED for a job with `printNow` when the printer is not ready, for one that did not arrive or was not accepted – the
   * message names the step and what is left on the printer, which nothing starts –, and what `job.writeTo` throws.
   */
  submit(job: PrintJob): Promise<void>;
  /** Installs a firmware file. Throws OPERATION_FAILED for a file that it refuses, and where it takes none over the network. */
  installFirmware(path: string, task: JobTask): Promise<void>;
}

/** A printer that is known to the server. */
export interface Printer extends JobTarget {
  readonly printerType: PrinterType;
  /** What it is, where `printerType` is one of several that it may be: its model is told once its key is right. */
  readonly unknownModel?: string | undefined;
  /** Whether it can start to print a job now. */
  isReady(): boolean;
  /** Whether it takes a job now, also one that waits there while another is printed. Absent where it takes none while it is not ready. */
  acceptsJobs?(): boolean;
}

export const isPrinter = (target: JobTarget): target is Printer => "printerType" in target;

/** A queue of printers, with the jobs that it holds. */
export interface JobQueue extends JobTarget {
  readonly name: string;
  /** Whether it holds all of its jobs. */
  readonly isPaused: boolean;
  /** Whether held prints start as soon as a printer is ready. Else a person releases each. */
  readonly startsByItself: boolean;
  /** In the order in which they go out. */
  jobs(): readonly QueuedJob[];
  /**
   * Does what a person orders of a held job. `printer` is the one whose platform that person has cleared, for RELEASE alone; where it is left
   * out, all that are ready are taken to be clear. Throws NOT_FOUND for an unknown job or printer, and OPERATION_FAILED where that cannot be done now.
   */
  order(jobId: string, action: JobAction, printer?: string): void;
}

export const isQueue = (target: JobTarget): target is JobQueue => "jobs" in target;

/** RELEASE has a print start, CANCEL drops a job, FIRST puts it before the others, and RETRY has one that was set aside sent again. */
export const JOB_ACTIONS = ["RELEASE", "CANCEL", "FIRST", "RETRY"] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** What a held job waits for; SENDING: a printer gets it; SET_ASIDE: it waits for RETRY or CANCEL. */
export const QUEUED_STATES = ["WAITING_FOR_RELEASE", "WAITING_FOR_PRINTER", "SENDING", "SET_ASIDE"] as const;

/** A job that a queue holds. */
export interface QueuedJob extends JobLabel {
  readonly machineType: string;
  readonly printNow: boolean;
  readonly state: (typeof QUEUED_STATES)[number];
  /** Why it was set aside. */
  readonly reason?: string | undefined;
  /** The printers that are ready and print such jobs. */
  readonly readyPrinters: readonly string[];
  readonly totals: PrintJobTotals;
}

/** What a printer keeps of a job. */
export interface JobLabel {
  /** UUID. */
  readonly id: string;
  /** As entered by the user; any characters. */
  readonly name: string;
  readonly materialCode: string;
}

/** A job that is sent to a printer. */
export interface PrintJob extends JobLabel {
  /** Canonical id of the machine type for which it is sliced. */
  readonly machineType: string;
  /** Of the archive, with the dot. */
  readonly extension: string;
  readonly printNow: boolean;
  /** Writes the archive, all or nothing. `beforeRename` is called once all of it is written; where it throws there is no file. */
  writeTo(path: string, beforeRename: () => void): Promise<PrintJobTotals>;
  readonly task: JobTask;
}

/** The request that sends a job: its progress and its cancelling. */
export interface JobTask {
  /** Aborted once the request is cancelled. */
  readonly signal: AbortSignal;
  /** Throws `CancelledError` once the request is cancelled. */
  throwIfCancelled(): void;
  /** From now on progress, that of slicing too, is that from share `from` to share `to` of the request. */
  enterPhase(from: number, to: number): void;
  /** Reports the share of the phase that is done. Throws `CancelledError` once the request is cancelled. */
  report(share: number): void;
  /**
   * Called before what cannot be taken back, as the start of a print, and before a job is left to wait for a person: throws as above; from now
   * on nothing cancels the request. A queue writes down that the printer may have its job: without this call, a killed server sends it again.
   * `fileName` is that of the job on the printer, for people.
   */
  commit(fileName?: string): void;
  /**
   * Called where it is certain after `commit` that the printer has not begun the job and that nothing starts it there: another may get it.
   * Absent where none does.
   */
  withdraw?(): void;
}

/** Facts of a job that are known when its archive is written. */
export interface PrintJobTotals {
  /** From the start to the end of the last layer, including `preprintTimeS`. */
  readonly printTimeS: number;
  readonly preprintTimeS: number;
  /** Powder printers: from the end of the last layer until the build may be opened. */
  readonly coolingTimeS?: number | undefined;
  readonly layerCount: number;
  readonly materialMl: number;
}

/** A printer that the user has named at the start, and that does not answer. */
export interface MissingPrinter {
  /** Under which requests may ask for it: the one it was given, its host, its host with the port. */
  readonly names: readonly string[];
  /** The last failure to reach it, with the way out; without a full stop. */
  readonly why: string;
}

/** A way of reaching printers. */
export interface Protocol {
  /** The connected printers and queues, in a constant order. Sends nothing. */
  connected(): readonly JobTarget[];
  /**
   * Looks for printers in the network until `signal` is aborted; those that answer are connected from then on. `target` is the name or address
   * that is asked for, all where it is undefined. Absent where printers cannot be found so. Never rejects.
   */
  search?(target: string | undefined, signal: AbortSignal): Promise<void>;
  /** The printers of the command line and the printers file that are not connected. Absent where none are named there. */
  missing?(): readonly MissingPrinter[];
  /** Ends all connections and timers. */
  close(): Promise<void>;
}
