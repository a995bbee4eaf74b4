import * as v from "valibot";
import { must } from "../../core/must.ts";

/** The reported state of a printer; see {@link ACTIVITIES} and {@link PRINT_PHASES}. */
export interface Status {
  /** Several are possible at once, such as printing and receiving a file. */
  readonly activities: readonly number[];
  /** The current print; an idle printer keeps the values of its last one. */
  readonly print: PrintInfo;
  /** V1 only: the file that it fetches. */
  readonly transfer: { readonly status: number; readonly bytes: number; readonly fileName: string };
}

interface PrintInfo {
  readonly phase: number;
  readonly layer: number;
  readonly layerCount: number;
  /** Elapsed and total time of the print, ms. */
  readonly ticks: number;
  readonly totalTicks: number;
  readonly fileName: string;
  readonly errorNumber: number;
  /** Empty while it does not print. */
  readonly taskId: string;
}

const count = v.fallback(v.pipe(v.number(), v.finite()), 0);
const text = v.fallback(v.pipe(v.string(), v.maxLength(500)), "");
const NO_PRINT = {};

const printFields = v.pipe(
  v.object({
    Status: count,
    CurrentLayer: count,
    TotalLayer: count,
    CurrentTicks: count,
    TotalTicks: count,
    Filename: text,
    ErrorNumber: count,
    TaskId: text,
  }),
  v.transform((print): PrintInfo => ({
    phase: print.Status,
    layer: print.CurrentLayer,
    layerCount: print.TotalLayer,
    ticks: print.CurrentTicks,
    totalTicks: print.TotalTicks,
    fileName: print.Filename,
    errorNumber: print.ErrorNumber,
    taskId: print.TaskId,
  })),
);

const transferFields = v.pipe(
  v.object({ Status: count, DownloadOffset: count, Filename: text }),
  v.transform((file) => ({ status: file.Status, bytes: file.DownloadOffset, fileName: file.Filename })),
);

const MAX_ACTIVITIES = 16;

/** The status object of V3 and V1. Since firmware differs, a missing or malformed number counts as 0. The activities are required. */
export const statusFields = v.pipe(
  v.object({
    CurrentStatus: v.union([v.pipe(v.array(v.number()), v.maxLength(MAX_ACTIVITIES)), v.number()]),
    PrintInfo: v.optional(v.looseObject({}), NO_PRINT),
    FileTransferInfo: v.optional(v.looseObject({}), NO_PRINT),
  }),
  v.transform(({ CurrentStatus: activities, PrintInfo: print, FileTransferInfo: file }): Status => ({
    activities: typeof activities === "number" ? [activities] : activities,
    print: v.parse(printFields, print),
    transfer: v.parse(transferFields, file),
  })),
);

const IDLE = 0;
const PRINTING = 1;
const TRANSFERRING = 2;
const CHECKING_FILE = 8;

/** Phases of an ended print: stopped, finished and failed. */
const ENDED = new Set([8, 9, 14]);

/** Some firmware reports the activity 0 while it prints, and shows the print only by its task. */
const hasTask = ({ print: { taskId, phase } }: Status): boolean => taskId !== "" && !ENDED.has(phase);

export const isPrinting = (status: Status): boolean => status.activities.includes(PRINTING) || hasTask(status);
export const isIdle = (status: Status): boolean =>
  status.activities.every((one) => one === IDLE) && !isPrinting(status);
export const isTransferring = ({ activities }: Status): boolean => activities.includes(TRANSFERRING);
/** Whether it does nothing but receive or check a file. */
export const isOnlyReceiving = (status: Status): boolean =>
  status.activities.every((one) => [IDLE, TRANSFERRING, CHECKING_FILE].includes(one)) && !isPrinting(status);
/** Whether it can receive a file: by the specification also while it prints. */
export const canReceive = ({ activities }: Status): boolean =>
  activities.every((one) => one === IDLE || one === PRINTING);

/** Texts of activities. Sources: the specification of V3 and, from 5 on, the maker's own library. */
const ACTIVITIES: Readonly<Record<number, string>> = {
  [IDLE]: "Ready",
  [PRINTING]: "Printing",
  [TRANSFERRING]: "Receiving a file",
  3: "Testing the exposure",
  4: "Checking itself",
  5: "Levelling",
  6: "Measuring resonance",
  7: "Busy",
  [CHECKING_FILE]: "Checking a file",
  9: "Homing",
  10: "Feeding resin",
  11: "Tuning its heater",
};

/** Texts of the phases of a print; a phase that only means printing is left out. Same sources. */
const PRINT_PHASES: Readonly<Record<number, string>> = {
  1: "Preparing to print",
  5: "Pausing",
  6: "Paused, printing",
  7: "Stopping",
  8: "Stopped",
  9: "Finished",
  10: "Checking",
  11: "Checking itself for",
  12: "Resuming",
  14: "Failed to print",
  15: "Levelling for",
  16: "Preheating for",
  26: "Paused, printing",
};

const MS_PER_MIN = 60_000;

/** The state of a printer for display. */
export function statusText(status: Status): string {
  if (!isPrinting(status))
    return (
      status.activities.map((one) => ACTIVITIES[one] ?? "Busy").join(", ") ||
      must(ACTIVITIES[IDLE], "the word for idle")
    );
  const { phase, layer, layerCount, ticks, totalTicks, fileName } = status.print;
  const what = PRINT_PHASES[phase] ?? ACTIVITIES[PRINTING];
  const where = layer > 0 && layerCount > 0 ? `, layer ${layer} of ${layerCount}` : "";
  const left = totalTicks > ticks ? `, about ${Math.ceil((totalTicks - ticks) / MS_PER_MIN)} min left` : "";
  const also = isTransferring(status) ? "; receiving a file" : "";
  return `${what} ${JSON.stringify(fileName)}${where}${left}${also}`;
}

/** `ErrorNumber` of a print: its meaning, and what to do. */
const PRINT_ERRORS: Readonly<Record<number, string>> = {
  1: "its check sum is wrong: send the job again",
  2: "it cannot read the file: restart it and send the job again",
  3: "the file is for another resolution: choose the scene's machine type after the printer",
  4: "it does not know the format of the file: update its firmware",
  5: "the file is for another machine: choose the scene's machine type after the printer",
};

/** Why a printer gave up a print; undefined where it did not. */
export const printError = ({ print: { errorNumber } }: Status): string | undefined =>
  errorNumber === 0
    ? undefined
    : (PRINT_ERRORS[errorNumber] ?? `it reports the error ${errorNumber}: look at its screen`);
