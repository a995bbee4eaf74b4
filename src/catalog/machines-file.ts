import { basename, extname } from "node:path";
import * as v from "valibot";
import { type ErrorFactory, inputError } from "../core/api-error.ts";
import { parseJson } from "../core/json.ts";
import { atPointer, schemaProblems } from "../core/match-schema.ts";
import { readWholeFile } from "../core/read-file.ts";
import { resinsOfIni } from "./ini-resins.ts";
import machines from "./machines.json" with { type: "json" };
import { type OpenPrinter, openPrinterSchema } from "./open-printer.ts";
import { GENERIC_RESIN, type Resin, resinSchema } from "./resin.ts";
import { UNKNOWN_MACHINE_TYPE } from "./setting.ts";

const MAX_BYTES = 4 * 2 ** 20;
/** `printers`, an entry, `display`, `pixels` and the file itself are five levels. */
const MAX_DEPTH = 8;
const MAX_PRINTERS = 300;
const MAX_RESINS = 1000;
/** Settings of all resins of a file, each of which all printers may have. */
const MAX_SETTINGS = 5000;
/** Most problems of a file in a message. */
const MAX_PROBLEMS = 20;

/** A file of `--machines`: printers of one's own, in the form of open-printers.json, and resins. */
export const machinesFileSchema = v.strictObject({
  $schema: v.pipe(v.optional(v.string()), v.description("The JSON Schema of the file, for editors.")),
  printers: v.pipe(
    v.optional(v.pipe(v.array(openPrinterSchema), v.maxLength(MAX_PRINTERS)), []),
    v.description("Printers of one's own. One with the machine_type of a known printer replaces that."),
  ),
  resins: v.pipe(
    v.optional(v.pipe(v.array(resinSchema), v.maxLength(MAX_RESINS)), []),
    v.description("Resins of one's own. One with the code of an earlier file's resin replaces that."),
  ),
});

export type MachinesFile = v.InferOutput<typeof machinesFileSchema>;

/**
 * Reads a file of `--machines`. Throws OPERATION_FAILED if it cannot be read, and INPUT_ERROR with everything that is wrong with it, each at
 * a JSON pointer. `known` are the open printers so far: their names are taken.
 */
export function readMachinesFile(path: string, known: readonly OpenPrinter[]): MachinesFile {
  const refuse: ErrorFactory = (why) => inputError(`--machines: ${JSON.stringify(path)}: ${why}`);
  const content = parseMachinesJson(readWholeFile(path, MAX_BYTES), refuse);
  requireNone(schemaProblems(machinesFileSchema, content), refuse);
  const file = v.parse(machinesFileSchema, content);
  requireNone([...printerConflicts(file.printers, known), ...resinConflicts(file, known)], refuse);
  return file;
}

/**
 * Reads a file of `--resin`: a resin as JSON, in the form of those of machines files, or the materials of a config of PrusaSlicer (`.ini`).
 * Throws as {@link readMachinesFile}.
 */
export function readResinFile(path: string, known: readonly OpenPrinter[]): MachinesFile {
  const refuse: ErrorFactory = (why) => inputError(`--resin: ${JSON.stringify(path)}: ${why}`);
  const bytes = readWholeFile(path, MAX_BYTES);
  const isIni = extname(path).toLowerCase() === ".ini";
  const resins = isIni
    ? resinsOfIni(new TextDecoder().decode(bytes), basename(path, extname(path)), refuse)
    : [parseMachinesJson(bytes, refuse)];
  requireNone(
    resins.flatMap((resin) => schemaProblems(resinSchema, resin)),
    refuse,
  );
  const file = { printers: [], resins: v.parse(v.array(resinSchema), resins) };
  requireNone(resinConflicts(file, known), refuse);
  return file;
}

function parseMachinesJson(bytes: Uint8Array, refuse: ErrorFactory): unknown {
  try {
    return parseJson(bytes, MAX_DEPTH);
  } catch (thrown) {
    // The brackets in a binary file are counted, too.
    const isText = /^\s*[[{]/.test(new TextDecoder().decode(bytes.subarray(0, 64)));
    if (thrown instanceof RangeError && isText) throw refuse(thrown.message);
    if (!isText) throw refuse("it is not JSON, which would begin with a brace: name the file with the data");
    throw refuse(`it is not JSON in UTF-8 (${(thrown as Error).message}): look for a missing comma, quote or bracket`);
  }
}

function requireNone(problems: readonly string[], refuse: ErrorFactory): void {
  if (problems.length > 0) throw refuse(listed(problems));
}

function listed(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `\n  ${problem}`);
  const more = problems.length > MAX_PROBLEMS ? `\n  and ${problems.length - MAX_PROBLEMS} more` : "";
  return `${problems.length === 1 ? "one value is" : `${problems.length} values are`} wrong:${shown.join("")}${more}`;
}

/** Machine types of Formlabs, whose materials are published with them, and the reserved one. */
const TAKEN_IDS: ReadonlySet<string> = new Set([
  UNKNOWN_MACHINE_TYPE,
  ...Object.entries(machines.aliases).flat(),
  ...machines.printerTypes.flatMap((type) => [type.machineType, ...type.supportedMachineTypes]),
]);

/** Machine type by product name, in lower case: commands find printers by their names, too. */
const namesOf = (printers: readonly OpenPrinter[]): [string, string][] =>
  printers.map((printer) => [printer.product_name.toLowerCase(), printer.machine_type]);

const PUBLISHED_NAMES: readonly [string, string][] = machines.printerTypes.flatMap((type) =>
  [type.label, ...type.productNames].map((name): [string, string] => [name.toLowerCase(), type.machineType]),
);

/** Printers that cannot be told apart from others, of the file or known. */
function printerConflicts(printers: readonly OpenPrinter[], known: readonly OpenPrinter[]): string[] {
  const names = new Map([...PUBLISHED_NAMES, ...namesOf(known)]);
  const ids = new Set<string>();
  return printers.flatMap(({ machine_type, product_name }, i) => {
    const at = (key: string, reason: string): string => atPointer(["printers", i, key], reason);
    const owner = names.get(product_name.toLowerCase());
    const isTwice = ids.has(machine_type);
    ids.add(machine_type);
    names.set(product_name.toLowerCase(), machine_type);
    return [
      TAKEN_IDS.has(machine_type) && at("machine_type", `${machine_type} is of Formlabs or reserved: give another id`),
      isTwice && at("machine_type", `${machine_type} is the id of an earlier printer of this file: give each once`),
      owner !== undefined &&
        owner !== machine_type &&
        at("product_name", `is the name of ${owner}: give another name, or that machine_type to replace it`),
    ].filter((problem) => problem !== false);
  });
}

/** Resins with a code that is taken, or for unknown printers. */
function resinConflicts({ resins, printers }: MachinesFile, known: readonly OpenPrinter[]): string[] {
  const ids = new Set([...known, ...printers].map(({ machine_type }) => machine_type));
  const codes = new Set<string>();
  const count = resins.reduce((sum, { settings }) => sum + settings.length, 0);
  if (count > MAX_SETTINGS) return [atPointer(["resins"], `have ${count} settings: ${MAX_SETTINGS} are the most`)];
  return resins.flatMap((resin: Resin, i) => {
    const isTwice = codes.has(resin.code);
    codes.add(resin.code);
    const unknown = (resin.printers ?? []).flatMap((id, k) =>
      ids.has(id)
        ? []
        : [atPointer(["resins", i, "printers", k], `${id} is no printer here: printwright printers lists them`)],
    );
    const at = (reason: string): string => atPointer(["resins", i, "code"], reason);
    return [
      ...(isTwice ? [at(`${resin.code} is the code of an earlier resin of this file: give each once`)] : []),
      ...(resin.code === GENERIC_RESIN
        ? [at(`${GENERIC_RESIN} is the resin that every printer has: give another`)]
        : []),
      ...unknown,
    ];
  });
}
