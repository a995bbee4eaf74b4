import type { JobLabel } from "../printer.ts";
import type { Progress } from "./progress.ts";

/** A virtual printer at one moment. */
export interface Moment {
  readonly materialCode: string;
  /** Of that material, since it was put in. */
  readonly usedMl: number;
  /** Only while it goes on. */
  readonly print?: { readonly job: JobLabel; readonly layerCount: number; readonly progress: Progress };
  /** Name of the job that was printed last. */
  readonly finished?: string;
  /** How many jobs it holds. */
  readonly held: number;
  /** Whether a job to be printed at once is on its way. */
  readonly isReceiving: boolean;
  readonly isReady: boolean;
}

/** The layer that is being printed, counted from 1; 0 before the first one and where nothing is printed. */
export function layerOf({ print }: Moment): number {
  if (!print || print.progress.phase === "preparing") return 0;
  return Math.min(print.layerCount, Math.floor(print.progress.printedShare * print.layerCount) + 1);
}
