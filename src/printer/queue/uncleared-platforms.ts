import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseJson } from "../../core/json.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { writeFileAtomically } from "../../core/write-file.ts";

/** Names of the printers that have been busy since a person last said that their platforms are clear: on these nothing starts by itself. */
export interface UnclearedPlatforms {
  has(printer: string): boolean;
  /** Notes that something is, or may be, on its platform. */
  add(printer: string): void;
  /** Notes that a person has cleared them. */
  clear(printers: readonly string[]): void;
}

/** In the folder of held jobs, beside these. */
const FILE = ".uncleared";
const MAX_BYTES = 2 ** 20;
const names = v.array(v.string());

/** Remembers them in the folder, over restarts; without one, as long as the process runs. `failed` is told why a list was not read or kept. */
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
      // Where the disk is full, the printers go on.
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

function read(path: string, failed: (reason: string) => void): readonly string[] {
  if (!existsSync(path)) return [];
  try {
    return v.parse(names, parseJson(readWholeFile(path, MAX_BYTES), 2));
  } catch (thrown) {
    failed(`The list ${JSON.stringify(path)} cannot be read: ${(thrown as Error).message}`);
    return [];
  }
}
