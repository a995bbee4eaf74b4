import { type MachinesFile, readMachinesFile, readResinFile } from "./machines-file.ts";
import type { OpenPrinter } from "./open-printer.ts";
import type { Resin, ResinFigures } from "./resin.ts";
import type { Combination } from "./setting.ts";
import openPrintersFile from "./open-printers.json" with { type: "json" };

/** A known printer or resin whose data a file of the user replaced. */
interface Replacement {
  /** Machine type of the printer, or code of the resin. */
  readonly id: string;
  /** Path of the file. */
  readonly file: string;
}

/** The open printers and their resins beside the generic one, in the order of lists. */
interface OpenPrinters {
  readonly printers: readonly OpenPrinter[];
  readonly resins: readonly Resin[];
  readonly replaced: readonly Replacement[];
  /** Codes of the resins of `--resin`. */
  readonly usual: readonly string[];
}

// `as unknown as`: the inferred types of JSON imports have arrays and strings in place of tuples and literals.
const BUILT_IN: OpenPrinters = {
  printers: openPrintersFile.printers as unknown as OpenPrinter[],
  resins: [],
  replaced: [],
  usual: [],
};

let current = BUILT_IN;
let isUsed = false;
let files: OwnFiles = { machines: [] };

/** Files of the user with printers and resins. */
export interface OwnFiles {
  readonly machines: readonly string[];
  /** A file with a resin, which is the usual one of all printers that it is for. */
  readonly resin?: string | undefined;
}

/**
 * Adds the printers and resins of the user's files, once at the start of the program: all later lists and settings are derived from them.
 * Reads all files before it changes anything. Throws as {@link readMachinesFile}.
 */
export function addOwnFiles(added: OwnFiles): void {
  const { machines, resin } = added;
  if (machines.length === 0 && resin === undefined) return;
  if (isUsed) throw new Error("Machines were added after the catalog was used.");
  current = withFiles(current, added);
  files = added;
}

function withFiles(before: OpenPrinters, { machines, resin }: OwnFiles): OpenPrinters {
  const added = machines.reduce((all, path) => withMachines(all, readMachinesFile(path, all.printers), path), before);
  if (resin === undefined) return added;
  const file = readResinFile(resin, added.printers);
  return { ...withMachines(added, file, resin), usual: file.resins.map(({ code }) => code) };
}

/** The printers and resins with those of a file: one with a known id takes the place of that one, others come last. */
export function withMachines(
  before: OpenPrinters,
  { printers, resins }: Pick<MachinesFile, "printers" | "resins">,
  file: string,
): OpenPrinters {
  const allPrinters = merged(before.printers, printers, ({ machine_type }) => machine_type);
  const allResins = merged(before.resins, resins, ({ code }) => code);
  const replaced = [...allPrinters.replaced, ...allResins.replaced].map((id) => ({ id, file }));
  return {
    ...before,
    printers: allPrinters.items,
    resins: allResins.items,
    replaced: [...before.replaced, ...replaced],
  };
}

function merged<T>(before: readonly T[], added: readonly T[], idOf: (item: T) => string) {
  const byId = new Map(before.map((item) => [idOf(item), item]));
  const replaced = added.map(idOf).filter((id) => byId.has(id));
  for (const item of added) byId.set(idOf(item), item);
  return { items: [...byId.values()], replaced };
}

function used(): OpenPrinters {
  isUsed = true;
  return current;
}

/** The open printers of this program and those of the user. */
export const openPrinters = (): readonly OpenPrinter[] => used().printers;

/** The printers of the user's files. */
export const ownPrinters = (): readonly OpenPrinter[] =>
  current.printers.filter((printer) => !BUILT_IN.printers.includes(printer));

/** The user's resins for an open printer. */
export const resinsFor = (machineType: string): readonly Resin[] =>
  used().resins.filter(({ printers }) => printers === undefined || printers.includes(machineType));

/** The figures of the user's resin in a combination; undefined for other materials. */
export const resinFiguresOf = ({
  machineType,
  materialCode,
  layerThicknessMm,
}: Combination): ResinFigures | undefined =>
  resinsFor(machineType)
    .find(({ code }) => code === materialCode)
    ?.settings.find(({ layer_mm }) => layer_mm === layerThicknessMm);

/** Codes of the resins that the user gave with `--resin`. */
export const usualResins = (): readonly string[] => used().usual;

/** The files of the user that were added. */
export const ownFiles = (): OwnFiles => files;

/** What files of the user have replaced. */
export const replacements = (): readonly Replacement[] => current.replaced;
