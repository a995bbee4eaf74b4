import type { JobLabel, PrintJobTotals } from "../printer.ts";

/** The state of a virtual printer at one moment. */
export interface PrinterSnapshot {
  readonly materialCode: string;
  /** Used volume of that material since its cartridge was inserted. */
  readonly usedMl: number;
  /** The print in progress, if any. */
  readonly print?: { readonly job: JobLabel; readonly layerCount: number; readonly progress: PrintProgress };
  /** Name of the last job, once it is finished. */
  readonly finished?: string;
  /** Number of jobs it holds. */
  readonly held: number;
  /** Whether a job with `printNow` is being received. */
  readonly isReceiving: boolean;
  readonly firmwareVersion: string;
  readonly isReady: boolean;
}

/** The layer that is being printed, 1-based; 0 before the first one and while nothing is printed. */
export function currentLayer({ print }: PrinterSnapshot): number {
  if (!print || print.progress.phase === "preparing") return 0;
  return Math.min(print.layerCount, Math.floor(print.progress.printedShare * print.layerCount) + 1);
}

/** A virtual printer prints this many times faster than a machine. */
const ACCELERATION = 600;
/** Limits of the accelerated duration of a phase, so that it can be observed and waited for. */
const SHORTEST_PHASE_MS = 1000;
const LONGEST_PHASE_MS = 10_000;

export type Phase = "preparing" | "printing" | "cooling" | "finished";

/** The progress of a print. */
interface PrintProgress {
  readonly phase: Phase;
  /** Share of the phase that is done, 0 to 1. */
  readonly share: number;
  /** Share of the layers that is printed, 0 to 1. */
  readonly printedShare: number;
  /** Print time until the last layer is done, not accelerated. */
  readonly remainingS: number;
}

/** The progress of a print that started `elapsedMs` ago. */
export function printProgress(
  { printTimeS, preprintTimeS, coolingTimeS = 0 }: PrintJobTotals,
  elapsedMs: number,
): PrintProgress {
  const printingS = printTimeS - preprintTimeS;
  const preparing = phaseProgress(elapsedMs, preprintTimeS);
  if (preparing.share < 1) {
    const remainingS = preprintTimeS * (1 - preparing.share) + printingS;
    return { phase: "preparing", share: preparing.share, printedShare: 0, remainingS };
  }
  const printing = phaseProgress(preparing.restMs, printingS);
  if (printing.share < 1) {
    const remainingS = printingS * (1 - printing.share);
    return { phase: "printing", share: printing.share, printedShare: printing.share, remainingS };
  }
  const cooling = phaseProgress(printing.restMs, coolingTimeS);
  return { phase: cooling.share < 1 ? "cooling" : "finished", share: cooling.share, printedShare: 1, remainingS: 0 };
}

/** For a phase of `seconds` of print time: the share that is done after `elapsedMs`, and the remaining time for the next phase. */
function phaseProgress(elapsedMs: number, seconds: number): { readonly share: number; readonly restMs: number } {
  const acceleratedMs = (seconds * 1000) / ACCELERATION;
  const phaseMs = seconds > 0 ? Math.min(LONGEST_PHASE_MS, Math.max(SHORTEST_PHASE_MS, acceleratedMs)) : 0;
  return elapsedMs < phaseMs ? { share: elapsedMs / phaseMs, restMs: 0 } : { share: 1, restMs: elapsedMs - phaseMs };
}
