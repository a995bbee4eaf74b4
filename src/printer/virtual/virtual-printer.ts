import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { materialsOf } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/api-error.ts";
import { fileError, withFileErrors } from "../../core/file-error.ts";
import { VERSION } from "../../core/version.ts";
import type { JobLabel, PrintJob, PrintJobTotals, Printer, Protocol } from "../printer.ts";
import { describe } from "./describe.ts";
import { firmwareVersionOf } from "./firmware.ts";
import { jobFileName } from "./job-file-name.ts";
import { type PrinterSnapshot, printProgress } from "./snapshot.ts";
import { must } from "../../core/must.ts";

/** Options of virtual printers on the command line. */
export interface VirtualPrinterOptions {
  readonly printers: readonly VirtualPrinterConfig[];
  /** The folder for their jobs. */
  readonly jobFolder: string;
}

/**
 * The protocol of virtual printers, which are always connected. Makes the folder for their jobs where it is missing. Throws
 * OPERATION_FAILED where the folder is not writable or cannot be made.
 */
export function virtualProtocol({ printers, jobFolder }: VirtualPrinterOptions): Protocol {
  requireWritableFolder(jobFolder);
  const connected = printers.map((config) => newVirtualPrinter(config, jobFolder));
  return { connected: () => connected, close: async () => {} };
}

function requireWritableFolder(path: string): void {
  withFileErrors("write", path, () => {
    if (!statSync(path, { throwIfNoEntry: false })) mkdirSync(path, { recursive: true });
    if (!statSync(path).isDirectory()) throw fileError("write", path, "it is not a folder; give the path of one");
    accessSync(path, constants.W_OK | constants.X_OK);
  });
}

/** A virtual printer on the command line. */
export interface VirtualPrinterConfig {
  /** Serial name. */
  readonly id: string;
  readonly printerType: PrinterType;
  /** Canonical ids of the machine types whose scenes it can print. */
  readonly machineTypes: readonly string[];
}

interface Print {
  /** Only the label: the job itself would keep its scene in memory. */
  readonly job: JobLabel;
  readonly totals: PrintJobTotals;
  readonly startedMs: number;
}

/** The state of a virtual printer. The progress of a print is computed from the clock, so no timer runs. */
interface State {
  readonly materialCode: string;
  /** Volume of that material that the prints before `print` have used. */
  readonly usedMl: number;
  /** The last print, in progress or finished. */
  readonly print?: Print;
  /** Number of jobs without `printNow`. They are never printed, since no person starts them. */
  readonly held: number;
  /** Whether a job with `printNow` is being received. */
  readonly isReceiving: boolean;
  readonly firmwareVersion: string;
}

/** A simulated printer, which writes jobs to `jobFolder` and prints them in accelerated time. `nowMs` is a monotonic clock. */
export function newVirtualPrinter(
  { id, printerType, machineTypes }: VirtualPrinterConfig,
  jobFolder: string,
  nowMs: () => number = () => performance.now(),
): Printer {
  // The catalog has materials for every printer type.
  const { code: materialCode } = must(materialsOf(printerType)[0], "a material of the printer type");
  let state: State = { materialCode, usedMl: 0, held: 0, isReceiving: false, firmwareVersion: VERSION };
  const now = (): PrinterSnapshot => takeSnapshot(state, nowMs());

  async function print(job: PrintJob): Promise<void> {
    if (!now().isReady) {
      throw operationFailed(
        `The printer "${id}" is busy: wait until it is ready, or send the job to be held, with print_now false.`,
      );
    }
    state = { ...state, isReceiving: true };
    try {
      const totals = await receive(job, jobFolder);
      const { id, name, materialCode } = job;
      state = withStartedPrint(state, { job: { id, name, materialCode }, totals, startedMs: nowMs() });
    } finally {
      state = { ...state, isReceiving: false };
    }
  }

  async function hold(job: PrintJob): Promise<void> {
    await receive(job, jobFolder);
    state = { ...state, held: state.held + 1 };
  }

  return {
    id,
    label: printerType.label,
    otherNames: [],
    printerType,
    machineTypes,
    describe: () => describe(id, printerType, now()),
    isReady: () => now().isReady,
    acceptsJobs: () => true,
    isOnlyReceiving: () => now().isReceiving,
    submit: (job) => (job.printNow ? print(job) : hold(job)),
    async installFirmware(path, { commit }) {
      const firmwareVersion = firmwareVersionOf(path);
      if (!now().isReady) throw operationFailed(`The printer "${id}" is busy: wait until it is ready.`);
      commit();
      state = { ...state, firmwareVersion };
    },
  };
}

/** Writes the archive of a job to the folder. */
function receive(job: PrintJob, jobFolder: string): Promise<PrintJobTotals> {
  const fileName = jobFileName(job);
  return job.writeTo(join(jobFolder, fileName), () => job.task.commit(fileName));
}

function takeSnapshot(state: State, nowMs: number): PrinterSnapshot {
  const { materialCode, usedMl, print, held, isReceiving, firmwareVersion } = state;
  if (!print) return { materialCode, usedMl, held, isReceiving, firmwareVersion, isReady: !isReceiving };
  const { job, totals, startedMs } = print;
  const progress = printProgress(totals, nowMs - startedMs);
  const isFinished = progress.phase === "finished";
  return {
    materialCode,
    usedMl: usedMl + progress.printedShare * totals.materialMl,
    ...(isFinished ? { finished: job.name } : { print: { job, layerCount: totals.layerCount, progress } }),
    held,
    isReceiving,
    firmwareVersion,
    isReady: isFinished && !isReceiving,
  };
}

/** A job of another material starts with a new tank and cartridge. */
function withStartedPrint(state: State, print: Print): State {
  const { materialCode } = print.job;
  const isSame = materialCode === state.materialCode;
  const usedMl = isSame ? state.usedMl + (state.print?.totals.materialMl ?? 0) : 0;
  return { ...state, materialCode, usedMl, print };
}
