import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseJson } from "../../core/json.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import type { PrintJob } from "../printer.ts";

/** Names of the printers that have been busy since a person last reported their platforms as clear: nothing starts on these by itself. */
export interface UnclearedPlatforms {
  has(printer: string): boolean;
  /** Notes that something is, or may be, on the platform of a printer. */
  add(printer: string): void;
  /** Notes that a person has cleared the platforms. */
  clear(printers: readonly string[]): void;
}

/** File name in the folder of held jobs. */
const FILE = ".uncleared";
const MAX_BYTES = 2 ** 20;
const names = v.array(v.string());

/**
 * Opens the list, which is kept in the folder over restarts; without a folder, in memory. `failed` is called with the reason where a list
 * was not read or written.
 */
export function openUnclearedPlatforms(
  folder: string | undefined,
  failed: (reason: string) => void,
): UnclearedPlatforms {
  const path = folder === undefined ? undefined : join(folder, FILE);
  const printers = new Set(path === undefined ? [] : read(path, failed));

  function keep(): void {
    if (path === undefined) return;
    try {
      writeFileAtomically(path, [new TextEncoder().encode(JSON.stringify([...printers]))], undefined, 0o600);
    } catch (thrown) {
      // The printers continue even if the disk is full.
      failed((thrown as Error).message);
    }
  }

  return {
    has: (printer) => printers.has(printer),
    add(printer) {
      if (printers.has(printer)) return;
      printers.add(printer);
      keep();
    },
    clear(cleared) {
      const isChanged = cleared.map((printer) => printers.delete(printer)).includes(true);
      if (isChanged) keep();
    },
  };
}

/**
 * The job with a task that notes the print on the platform of its printer before the printer may begin it: a power cut right after the start
 * must not leave the platform noted as clear. Where the printer surely refused the start, a platform that was clear before is so again.
 */
export function notingPrint(job: PrintJob, printer: string, uncleared: UnclearedPlatforms): PrintJob {
  if (!job.printNow) return job;
  let isAdded = false;
  return {
    ...job,
    task: {
      ...job.task,
      commit(fileName) {
        job.task.commit(fileName);
        isAdded ||= !uncleared.has(printer);
        uncleared.add(printer);
      },
      withdraw() {
        job.task.withdraw?.();
        if (isAdded) uncleared.clear([printer]);
      },
    },
  };
}

function read(path: string, failed: (reason: string) => void): readonly string[] {
  if (!existsSync(path)) return [];
  try {
    return v.parse(names, parseJson(readWholeFile(path, MAX_BYTES), 2));
  } catch (thrown) {
    failed(`The list ${JSON.stringify(path)} cannot be read: ${(thrown as Error).message}`);
    return [];
  }
}
