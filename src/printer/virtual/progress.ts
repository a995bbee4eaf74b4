import type { PrintJobTotals } from "../printer.ts";

/** One second of a virtual printer stands for so many of a print. */
const ACCELERATION = 600;
/** However short or long a phase is: it can be seen, and waited for. */
const SHORTEST_PHASE_MS = 1000;
const LONGEST_PHASE_MS = 10_000;

export type Phase = "preparing" | "printing" | "cooling" | "finished";

/** How far a print is. */
export interface Progress {
  readonly phase: Phase;
  /** Of the phase, 0 to 1. */
  readonly share: number;
  /** Of the layers, 0 to 1. */
  readonly printedShare: number;
  /** Until the last layer is done, in the time of the print. */
  readonly remainingS: number;
}

/** How far a print is that began `elapsedMs` ago. */
export function progressOf(
  { printTimeS, preprintTimeS, coolingTimeS = 0 }: PrintJobTotals,
  elapsedMs: number,
): Progress {
  const printingS = printTimeS - preprintTimeS;
  const preparing = shareDone(elapsedMs, preprintTimeS);
  if (preparing.share < 1) {
    const remainingS = preprintTimeS * (1 - preparing.share) + printingS;
    return { phase: "preparing", share: preparing.share, printedShare: 0, remainingS };
  }
  const printing = shareDone(preparing.restMs, printingS);
  if (printing.share < 1) {
    const remainingS = printingS * (1 - printing.share);
    return { phase: "printing", share: printing.share, printedShare: printing.share, remainingS };
  }
  const cooling = shareDone(printing.restMs, coolingTimeS);
  return { phase: cooling.share < 1 ? "cooling" : "finished", share: cooling.share, printedShare: 1, remainingS: 0 };
}

/** Of a phase that takes `seconds` of print: the share done after `elapsedMs`, and what of these it leaves for the next. */
function shareDone(elapsedMs: number, seconds: number): { readonly share: number; readonly restMs: number } {
  const acceleratedMs = (seconds * 1000) / ACCELERATION;
  const phaseMs = seconds > 0 ? Math.min(LONGEST_PHASE_MS, Math.max(SHORTEST_PHASE_MS, acceleratedMs)) : 0;
  return elapsedMs < phaseMs ? { share: elapsedMs / phaseMs, restMs: 0 } : { share: 1, restMs: elapsedMs - phaseMs };
}
