import { join } from "node:path";
import { ENTRIES } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/fault.ts";
import type { JobLabel, Printer, PrintJob, PrintJobTotals } from "../printer.ts";
import { describe } from "./describe.ts";
import { jobFileName } from "./job-file-name.ts";
import type { Moment } from "./moment.ts";
import { progressOf } from "./progress.ts";

/** A virtual printer that the command line asks for. */
export interface VirtualPrinterChoice {
  /** Serial name. */
  readonly id: string;
  readonly printerType: PrinterType;
}

interface Print {
  /** Not the job itself, which would keep its scene in memory. */
  readonly job: JobLabel;
  readonly totals: PrintJobTotals;
  readonly startedMs: number;
}

/** What a virtual printer holds. How far its print is follows from the clock, so no timer runs. */
interface State {
  readonly materialCode: string;
  /** Of that material, by the prints before the last one. */
  readonly usedMl: number;
  /** The last one, whether it goes on or not. */
  readonly print?: Print;
  /** Jobs not to be printed at once: they wait for a person at the printer, who never comes. */
  readonly held: number;
  /** Whether a job to be printed at once is on its way. */
  readonly isReceiving: boolean;
}

/**
 * A printer without a machine: it takes jobs into `jobFolder` and goes through the states of a print in accelerated time.
 * `nowMs` is a clock that never goes back.
 */
export function newVirtualPrinter(
  { id, printerType }: VirtualPrinterChoice,
  jobFolder: string,
  nowMs: () => number = () => performance.now(),
): Printer {
  const { materialCode } = ENTRIES.find((entry) => entry.printerType === printerType)!.combination;
  let state: State = { materialCode, usedMl: 0, held: 0, isReceiving: false };
  const now = (): Moment => momentOf(state, nowMs());
  const receive = (job: PrintJob): Promise<PrintJobTotals> => job.writeTo(join(jobFolder, jobFileName(job)));

  async function print(job: PrintJob): Promise<void> {
    if (!now().isReady) {
      throw operationFailed(
        `The printer "${id}" is busy: wait until it is ready, or send the job to be held, with print_now false.`,
      );
    }
    state = { ...state, isReceiving: true };
    try {
      const totals = await receive(job);
      const { id, name, materialCode } = job;
      state = started(state, { job: { id, name, materialCode }, totals, startedMs: nowMs() });
    } finally {
      state = { ...state, isReceiving: false };
    }
  }

  async function hold(job: PrintJob): Promise<void> {
    await receive(job);
    state = { ...state, held: state.held + 1 };
  }

  return {
    id,
    printerType,
    machineTypes: [printerType.machineType],
    describe: () => describe(id, printerType, now()),
    isReady: () => now().isReady,
    take: (job) => (job.printNow ? print(job) : hold(job)),
  };
}

function momentOf({ materialCode, usedMl, print, held, isReceiving }: State, nowMs: number): Moment {
  if (!print) return { materialCode, usedMl, held, isReceiving, isReady: !isReceiving };
  const { job, totals, startedMs } = print;
  const progress = progressOf(totals, nowMs - startedMs);
  const isFinished = progress.phase === "finished";
  return {
    materialCode,
    usedMl: usedMl + progress.printedShare * totals.materialMl,
    print: isFinished ? undefined : { job, layerCount: totals.layerCount, progress },
    finished: isFinished ? job.name : undefined,
    held,
    isReceiving,
    isReady: isFinished && !isReceiving,
  };
}

/** A job of another material finds a fresh tank and cartridge. */
function started(state: State, print: Print): State {
  const { materialCode } = print.job;
  const isSame = materialCode === state.materialCode;
  const usedMl = isSame ? state.usedMl + (state.print?.totals.materialMl ?? 0) : 0;
  return { ...state, materialCode, usedMl, print };
}
