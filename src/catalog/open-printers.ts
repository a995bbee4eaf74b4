import { type MachinesFile, readMachinesFile } from "./machines-file.ts";
import type { OpenPrinter } from "./open-printer.ts";
import openPrintersFile from "./open-printers.json" with { type: "json" };

/** A known printer whose data a file of `--machines` replaced. */
interface ReplacedPrinter {
  readonly machineType: string;
  /** Path of the file. */
  readonly file: string;
}

/** The open printers, in the order of lists. */
interface OpenPrinters {
  readonly printers: readonly OpenPrinter[];
  readonly replaced: readonly ReplacedPrinter[];
}

// `as unknown as`: the inferred types of JSON imports have arrays and strings in place of tuples and literals.
const BUILT_IN: OpenPrinters = { printers: openPrintersFile.printers as unknown as OpenPrinter[], replaced: [] };

let current = BUILT_IN;
let isUsed = false;

/**
 * Adds the printers of machines files, once at the start of the program: all later lists and settings are derived from them. Reads all
 * files before it changes anything. Throws as {@link readMachinesFile}.
 */
export function addMachinesFiles(paths: readonly string[]): void {
  if (isUsed) throw new Error("Machines were added after the catalog was used.");
  current = paths.reduce(
    (before, path) => withPrinters(before, readMachinesFile(path, before.printers), path),
    current,
  );
}

/** The open printers with those of a file: a printer with a known id takes the place of that one, others come last. */
export function withPrinters(before: OpenPrinters, { printers }: MachinesFile, file: string): OpenPrinters {
  const byId = new Map(before.printers.map((printer) => [printer.machine_type, printer]));
  const replaced = printers
    .filter(({ machine_type }) => byId.has(machine_type))
    .map((printer) => ({ machineType: printer.machine_type, file }));
  for (const printer of printers) byId.set(printer.machine_type, printer);
  return { printers: [...byId.values()], replaced: [...before.replaced, ...replaced] };
}

/** The open printers of this program and those of the user. */
export function openPrinters(): readonly OpenPrinter[] {
  isUsed = true;
  return current.printers;
}

/** Printers whose data the user has replaced. */
export const replacedPrinters = (): readonly ReplacedPrinter[] => current.replaced;
