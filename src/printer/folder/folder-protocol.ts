import { inputError } from "../../core/api-error.ts";
import type { EventLog } from "../../core/event-log.ts";
import { must } from "../../core/must.ts";
import type { KnownPrinter } from "../known-printers.ts";
import type { Protocol } from "../printer.ts";
import { requirePrinterType } from "../require-printer-type.ts";
import { pause } from "../waiting.ts";
import { FolderPrinter } from "./folder-printer.ts";
import { Medium } from "./medium.ts";

export interface FolderOptions {
  /** The printers of all protocols. */
  readonly known: readonly KnownPrinter[];
  /** The program of the threads that work on the folders; required where there is a folder. */
  readonly mediumThread?: URL | undefined;
  readonly log: EventLog;
  readonly timing?: FolderTiming;
}

/** ms. Tests use shorter ones. */
export interface FolderTiming {
  /** Between two looks whether a medium is there. */
  readonly pollMs: number;
  /** A medium that needs longer for a look, or for some megabytes, does not answer. */
  readonly answerMs: number;
}

/** Our choice: a stick that pauses to erase its cells still answers within half a minute. */
const TIMING: FolderTiming = { pollMs: 3000, answerMs: 30_000 };

/** The folders that count as printers, such as those of USB sticks and shares. Each is connected as long as its medium is there. */
export function folderProtocol({ known, mediumThread, log, timing = TIMING }: FolderOptions): Protocol {
  const closing = new AbortController();
  const folders = known
    .filter(({ protocol }) => protocol === "folder")
    .map((one) =>
      watchFolder(one, must(mediumThread, "the program of threads for folders"), log, timing, closing.signal),
    );
  return {
    connected: () => folders.flatMap(({ printer }) => (printer.isConnected() ? [printer] : [])),
    missing: () =>
      folders
        .filter(({ printer }) => !printer.isConnected())
        .map(({ printer }) => ({
          names: [printer.id, ...printer.otherNames],
          why: printer.failure() ?? "it has not answered yet",
        })),
    async close() {
      closing.abort();
      for (const { medium } of folders) medium.close();
    },
  };
}

interface WatchedFolder {
  readonly printer: FolderPrinter;
  readonly medium: Medium;
}

function watchFolder(
  { host: folder, name, machineType = "" }: KnownPrinter,
  entry: URL,
  log: EventLog,
  { pollMs, answerMs }: FolderTiming,
  closing: AbortSignal,
): WatchedFolder {
  const medium = new Medium(entry, answerMs);
  const printerType = requirePrinterType(machineType, inputError);
  const printer = new FolderPrinter(folder, name, printerType, medium);
  let isLogged: "found" | "missing" | undefined;

  function logChange(): void {
    const state = printer.isConnected() ? "found" : "missing";
    if (state === isLogged || closing.aborted) return;
    const event = state === "found" ? "printer found" : isLogged ? "printer lost" : "printer not reached";
    log.write(event, { printer: printer.id, reason: state === "found" ? undefined : printer.failure() });
    isLogged = state;
  }

  async function watch(): Promise<void> {
    while (!closing.aborted) {
      if (!printer.isWriting()) {
        await printer.check().catch(() => {});
        logChange();
      }
      await pause(pollMs, closing);
    }
  }

  void watch();
  return { printer, medium };
}
