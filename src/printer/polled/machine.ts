import { ApiError } from "../../core/api-error.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import type { SpooledJob } from "../spooled-job.ts";

/** What is said to a machine that answers over HTTP. All calls end with their deadline, and throw `HttpFailure` and {@link MachineRefusal}. */
export interface MachineApi {
  status(signal: AbortSignal): Promise<MachineStatus>;
  /** Bytes for files; undefined where it does not tell. */
  freeBytes(signal: AbortSignal): Promise<number | undefined>;
  /** Sends the file, which nothing starts. `onSent` is told how many bytes are sent. */
  upload(fileName: string, spooled: SpooledJob, signal: AbortSignal, onSent: (bytes: number) => void): Promise<void>;
  /** Whether the whole file is there. */
  has(fileName: string, bytes: number, signal: AbortSignal): Promise<boolean>;
  /** Orders it to print the file, once. */
  start(fileName: string, signal: AbortSignal): Promise<void>;
  /** Removes the file where it is there. */
  remove(fileName: string, signal: AbortSignal): Promise<void>;
}

/** A machine, once it was asked what it is. */
export interface Machine {
  /** Its serial name, else the name of its host. */
  readonly id: string;
  readonly otherNames: readonly string[];
  readonly printerType: PrinterType;
  /** See `Printer.unknownModel`. */
  readonly unknownModel?: string | undefined;
  /** Canonical ids of the machine types whose scenes it prints. */
  readonly machineTypes: readonly string[];
  readonly firmwareVersion: string;
  /** How firmware gets onto it, since none goes over the network. */
  readonly firmwareWay: string;
  /** Why it takes no orders, until it is asked anew what it is. */
  readonly problem?: ApiError;
  readonly api: MachineApi;
}

export interface MachineStatus {
  /** For display. */
  readonly text: string;
  /** Whether it can begin a print, apart from what only a person sees. */
  readonly isReady: boolean;
}

/** `busy`: it may agree later; `name taken`: another file has the name; `final`: the same again would be refused again. */
export type RefusalKind = "busy" | "name taken" | "final";

/** What a machine refused, so that nothing of it was done. */
export class MachineRefusal extends ApiError {
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super("OPERATION_FAILED", message);
    this.name = "MachineRefusal";
    this.kind = kind;
  }
}

/** How long it takes to wait for machines. Tests give shorter ones. */
export interface PollTiming {
  /** Between two questions for the state: while it prints, and while it does not. */
  readonly busyPollMs: number;
  readonly idlePollMs: number;
  /** One that did not answer for this long is lost. */
  readonly lostMs: number;
  /** Between two tries where a machine is busy, and how long it is tried. */
  readonly retryMs: number;
  readonly retriesMs: number;
  /** Until a print that was started must show in the state. */
  readonly confirmMs: number;
  /** For the clearing up after a failure. */
  readonly cleanupMs: number;
  /** For one question, from the connection to the whole reply. */
  readonly replyMs: number;
  /** For the reply to a whole file, which the machine first moves and examines. */
  readonly uploadReplyMs: number;
}

/** Each question is a connection and two requests for an SL1: each 5 s while it prints is what its own page does. The rest is our choice. */
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
