import type { LayerThickness, PrinterType } from "../catalog/setting.ts";
import type { Device } from "./device.ts";
import type { UnusablePrinter } from "./unusable-printers.ts";

/** A target of jobs: a printer, or a queue of printers. */
export interface JobTarget {
  /** Unique: the serial name of a printer, the id of a queue. */
  readonly id: string;
  /** What it is, for messages. */
  readonly label: string;
  /** Other names under which requests find it: its address, its host name, its maker's id. */
  readonly otherNames: readonly string[];
  /** Canonical ids of the machine types whose scenes it can print. */
  readonly machineTypes: readonly string[];
  /** Whether scenes for other machine types may be printable: a queue holds them while some of its printers have never been connected. */
  readonly mayPrintOthers?: boolean;
  /**
   * Whether its jobs hold the models of the scene as meshes with their supports, since it slices by itself (`MODELS_EXTENSION`). Jobs of
   * other targets hold layers.
   */
  readonly takesModels?: boolean;
  /** Whether it refuses every job: it is only known from an account, whose service accepts none. */
  readonly refusesAllJobs?: boolean;
  /** For a printer of an account: its type, undefined where the catalog lacks it. Absent for others. */
  readonly remotePrinter?: { readonly printerType: PrinterType | undefined };
  /** Its last known state. Sends nothing. */
  describe(): Device;
  /**
   * Submits a job: the target accepts it, has it sliced by `job.writeTo`, transfers it and, with `printNow`, starts it. Whether it accepts
   * the job is asked before it is sliced. Resolves when the printer has the whole job, has checked it and, with `printNow`, has started it;
   * a job without `printNow` waits there for a person, also while another is printed. Throws OPERATION_FAILED for a job with `printNow`
   * when the printer is not ready, and for a job that did not arrive or was refused: the message names the step and what is left on the
   * printer, which nothing starts. Throws what `job.writeTo` throws.
   */
  submit(job: PrintJob): Promise<void>;
  /**
   * Installs a firmware file. Throws OPERATION_FAILED for a file that the printer refuses, and for printers that accept none over the
   * network.
   */
  installFirmware(path: string, task: JobTask): Promise<void>;
}

/** A printer that the server knows. */
export interface Printer extends JobTarget {
  readonly printerType: PrinterType;
  /** What it is, where its model is unknown until its key is right: `printerType` is then one of several possible types. */
  readonly unknownModel?: string | undefined;
  /** Whether a person starts all of its jobs: it is never ready, and refuses jobs with `printNow`. */
  readonly startsNoPrints?: boolean;
  /** Whether it can start to print a job now. */
  isReady(): boolean;
  /**
   * Whether it accepts a job now, possibly one that waits there while another is printed. Absent for printers that accept jobs only while
   * they are ready.
   */
  acceptsJobs?(): boolean;
  /**
   * Whether it is not ready only because it receives or checks a file, so that nothing is printed. Absent for printers whose protocol does
   * not show that.
   */
  isOnlyReceiving?(): boolean;
}

export const isPrinter = (target: JobTarget): target is Printer => "printerType" in target;

/** A queue of printers, and the jobs that it holds. */
export interface JobQueue extends JobTarget {
  readonly name: string;
  /** Whether it holds all of its jobs. */
  readonly isPaused: boolean;
  /** Whether held prints start as soon as a printer is ready. Otherwise a person releases each. */
  readonly startsByItself: boolean;
  /** In the order in which they will be submitted. */
  jobs(): readonly QueuedJob[];
  /**
   * Carries out an action of a person on a held job. `printer` is the one whose platform the person has cleared, for RELEASE only; where it
   * is missing, the platforms of all ready printers count as cleared. Throws NOT_FOUND for an unknown job or printer, and OPERATION_FAILED
   * where the action is impossible now.
   */
  order(jobId: string, action: JobAction, printer?: string): void;
}

export const isQueue = (target: JobTarget): target is JobQueue => "jobs" in target;

/** RELEASE lets a print start, CANCEL drops a job, FIRST puts it before the others, and RETRY submits one again that was set aside. */
export const JOB_ACTIONS = ["RELEASE", "CANCEL", "FIRST", "RETRY"] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** What a held job waits for; SENDING: it is being submitted to a printer; SET_ASIDE: it waits for RETRY or CANCEL. */
export const QUEUED_STATES = ["WAITING_FOR_RELEASE", "WAITING_FOR_PRINTER", "SENDING", "SET_ASIDE"] as const;

/** A job that a queue holds. */
export interface QueuedJob extends JobLabel {
  readonly machineType: string;
  readonly printNow: boolean;
  readonly state: (typeof QUEUED_STATES)[number];
  /** Why it was set aside, or why a printer refused it last. */
  readonly reason?: string | undefined;
  /** The ready printers that can print it. */
  readonly readyPrinters: readonly string[];
  readonly totals: PrintJobTotals;
}

/** A job that a queue holds or has held, for those who are told what becomes of it, also while nobody is logged in. */
export interface Plate {
  /** UUID of the job. */
  readonly id: string;
  /** UUID. */
  readonly queue: string;
  /**
   * `held`: a person has to release it. `released`: it waits for a printer. `sending`: a printer is asked. `set-aside`: people decide. `sent`: its printer has it. `cancelled`: a
   * person dropped it.
   */
  readonly state: "held" | "released" | "sending" | "set-aside" | "sent" | "cancelled";
  readonly printNow: boolean;
  /** The printer that it was sent to. */
  readonly printer?: string | undefined;
}

/** The facts of a job that a printer keeps. */
export interface JobLabel {
  /** UUID. */
  readonly id: string;
  /** As entered by the user; may have any characters. */
  readonly name: string;
  readonly materialCode: string;
}

/** A job that is submitted to a printer. */
export interface PrintJob extends JobLabel {
  /** Canonical id of the machine type for which it is sliced. */
  readonly machineType: string;
  /** Extension of the archive, with its dot. */
  readonly extension: string;
  /** Undefined for jobs that an earlier version has held. */
  readonly layerThicknessMm?: LayerThickness | undefined;
  readonly printNow: boolean;
  /**
   * Slices the job, or makes its meshes for a target that takes models, and writes its archive, all or nothing. `beforeRename` is called once everything is written; where it throws, no file is
   * left.
   */
  writeTo(path: string, beforeRename: () => void): Promise<PrintJobTotals>;
  readonly task: JobTask;
}

/** The request that submits a job: its progress and its cancelling. */
export interface JobTask {
  /** Aborted once the request is cancelled. */
  readonly signal: AbortSignal;
  /** Throws `CancelledError` once the request is cancelled. */
  throwIfCancelled(): void;
  /** From now on, progress reports, also those of slicing, refer to the part of the request from share `from` to share `to`. */
  enterPhase(from: number, to: number): void;
  /** Reports the share of the phase that is done. Throws `CancelledError` once the request is cancelled. */
  report(share: number): void;
  /**
   * Called before an irreversible step, such as the start of a print, and before a job is left on a printer for a person. Throws
   * `CancelledError` once the request is cancelled; after it returns, nothing cancels the request. A queue then records that the printer
   * may have its job: without this call, the job of a killed server is submitted again. `fileName` is the name of the job on the printer,
   * for people.
   */
  commit(fileName?: string): void;
  /**
   * Called after `commit` where it is certain that the printer has not begun the job and that nothing starts it there: another printer may
   * get it. Absent where no other printer is considered.
   */
  withdraw?(): void;
}

/** Facts of a job that are known once its archive is written. */
export interface PrintJobTotals {
  /** From the start to the end of the last layer, including `preprintTimeS`. */
  readonly printTimeS: number;
  readonly preprintTimeS: number;
  /** Powder printers: from the end of the last layer until the build may be opened. */
  readonly coolingTimeS?: number | undefined;
  readonly layerCount: number;
  readonly materialMl: number;
}

/** A printer that was named at the start and does not answer. */
export interface MissingPrinter {
  /** Names under which requests may ask for it: the given name, the host, the host with the port. */
  readonly names: readonly string[];
  /** The last failure to reach it, with advice; without a full stop. */
  readonly why: string;
}

/** A way to reach printers. */
export interface Protocol {
  /** The connected printers and queues, in a constant order. Sends nothing. */
  connected(): readonly JobTarget[];
  /**
   * Searches the network for printers until `signal` is aborted; those that answer are connected from then on. `target` is the wanted name
   * or address; undefined for all printers. Absent where printers cannot be found by a search. Never rejects.
   */
  search?(target: string | undefined, signal: AbortSignal): Promise<void>;
  /** The printers of the command line and the printers file that are not connected. Absent where none were named there. */
  missing?(): readonly MissingPrinter[];
  /** The printers that answered and cannot be used. Absent where all that answer can be used. Sends nothing. */
  unusable?(): readonly UnusablePrinter[];
  /** The jobs that its queues hold, and those whose ends {@link forgetPlate} was not called for. Absent where there are no queues. */
  plates?(): readonly Plate[];
  /** Forgets the end of a job. */
  forgetPlate?(id: string): void;
  /** Ends all connections and timers. */
  close(): Promise<void>;
}
