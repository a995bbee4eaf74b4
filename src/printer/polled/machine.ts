import { ApiError } from "../../core/api-error.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import type { PrintJob } from "../printer.ts";
import type { SpooledJob } from "../spooled-job.ts";

/** The calls to a machine over HTTP. All end with their deadline, and throw `HttpFailure` and {@link MachineRefusal}. */
export interface MachineApi {
  status(signal: AbortSignal): Promise<MachineStatus>;
  /** Free bytes for files; undefined where the machine does not report them. */
  freeBytes(signal: AbortSignal): Promise<number | undefined>;
  /** Throws {@link ApiError}, before a job is sliced, if the machine would not take it. Absent if it takes every job of its type. */
  requireFit?(job: PrintJob, signal: AbortSignal): Promise<void>;
  /** Uploads the file without starting it. `onSent` is called with the number of bytes that were sent. */
  upload(
    fileName: string,
    spooled: SpooledJob,
    signal: AbortSignal,
    onSent: (bytes: number) => void,
    job: PrintJob,
  ): Promise<void>;
  /** Whether the machine has the whole file, after it has examined it. */
  has(fileName: string, bytes: number, signal: AbortSignal): Promise<boolean>;
  /** Orders the machine to print the file, once. */
  start(fileName: string, signal: AbortSignal): Promise<void>;
  /** Removes the file if the machine has it. */
  remove(fileName: string, signal: AbortSignal): Promise<void>;
}

/** What is known of a machine that was identified. */
export interface MachineFacts {
  /** Its serial name, else its host name. */
  readonly id: string;
  readonly otherNames: readonly string[];
  readonly printerType: PrinterType;
  /** As it reports it; undefined for the first one of its type. */
  readonly productName?: string | undefined;
  /** See `Printer.unknownModel`. */
  readonly unknownModel?: string | undefined;
  /** Canonical ids of the machine types whose scenes it prints. */
  readonly machineTypes: readonly string[];
  readonly firmwareVersion: string;
  /** How its firmware is updated, since that is not possible over the network. */
  readonly firmwareWay: string;
  /** Why it accepts no orders; it is identified again at the next question. */
  readonly problem?: ApiError;
  readonly takesModels?: boolean;
}

/** A machine that is itself asked over HTTP. */
export interface Machine extends MachineFacts {
  readonly api: MachineApi;
}

export interface MachineStatus {
  /** For display. */
  readonly text: string;
  /** Whether it can begin a print, as far as it can know that. */
  readonly isReady: boolean;
}

/** `busy`: the same order may succeed later; `name taken`: another file has the name; `final`: the same order would be refused again. */
export type RefusalKind = "busy" | "name taken" | "final";

/** Thrown where a machine refused an order, so that nothing of it was done. */
export class MachineRefusal extends ApiError {
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super("OPERATION_FAILED", message);
    this.name = "MachineRefusal";
    this.kind = kind;
  }
}

/** Intervals and deadlines for machines, ms. Tests use shorter ones. */
export interface PollTiming {
  /** Between two questions for the state, while the machine prints and while it does not. */
  readonly busyPollMs: number;
  readonly idlePollMs: number;
  /** A machine that did not answer for this long is lost. */
  readonly lostMs: number;
  /** Between two attempts while a machine is busy, and for how long they are repeated. */
  readonly retryMs: number;
  readonly retriesMs: number;
  /** How long after the start the status must show the print. */
  readonly confirmMs: number;
  /** For removing a file after a failure. */
  readonly cleanupMs: number;
  /** For one question, from the connection to the complete reply. */
  readonly replyMs: number;
  /** For the reply to a whole file, which the machine moves and examines first. */
  readonly uploadReplyMs: number;
}

/**
 * For an SL1, each question is a connection and two requests; its own page asks every 5 s during a print. The other values are our choice.
 */
export const POLL_TIMING: PollTiming = {
  busyPollMs: 5000,
  idlePollMs: 15_000,
  lostMs: 30_000,
  retryMs: 2000,
  retriesMs: 30_000,
  confirmMs: 30_000,
  cleanupMs: 5000,
  replyMs: 10_000,
  uploadReplyMs: 120_000,
};
