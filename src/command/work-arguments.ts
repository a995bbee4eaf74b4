import { resolve } from "node:path";
import type { ParseArgsConfig, parseArgs } from "node:util";
import type { ExtensionCommand } from "../convert/command-line.ts";
import { type Converter, parseConverters, parseJobConverters } from "../convert/parse-converters.ts";
import { inputError } from "../core/api-error.ts";
import { machineMemoryBytes } from "../core/machine-memory.ts";
import { MACHINES_OPTION } from "./machines-option.ts";
import { readCtbNotice } from "../job/chitu/ctb-notice.ts";
import { isLoopback } from "../http/origin.ts";
import type { SessionOptions } from "../printer/account/session.ts";
import { firstDuplicate, parseGivenPrinter } from "../printer/known-printers.ts";
import { parseDiscoveryAddresses, parseV1Host } from "../printer/network-interfaces.ts";
import { readPrintersFile } from "../printer/printers-file.ts";
import type { PrinterOptions } from "../printer/printers.ts";
import { parseVirtualPrinters } from "../printer/virtual/parse-virtual-printers.ts";

/** The options with which requests are carried out, on a server or without one. */
export interface WorkArguments {
  readonly maxScenes: number;
  /** Most memory that the process may use, bytes. */
  readonly maxMemoryBytes: number;
  /** Worker threads for long work; default one per core. */
  readonly threads?: number | undefined;
  readonly printers?: PrinterOptions | undefined;
  readonly account?: SessionOptions | undefined;
  /** Programs that convert model files before they are read. */
  readonly converters?: readonly Converter[] | undefined;
  /** See `ctbNotice` of `JobFacts`. */
  readonly ctbNotice?: Uint8Array | undefined;
  /** Programs that make jobs of readable jobs, for machines whose jobs are not written. */
  readonly jobConverters?: readonly ExtensionCommand[] | undefined;
  /** Path of the file to log to. */
  readonly log?: string | undefined;
}

/** Default of the interface supplement, "Limits of the server". */
const DEFAULT_MAX_SCENES = 100;

/** The options of {@link WorkArguments}, and that of machines, which are added before, in the form of `parseArgs`. */
export const WORK_OPTIONS = {
  "max-memory": { type: "string" },
  "max-scenes": { type: "string", default: String(DEFAULT_MAX_SCENES) },
  threads: { type: "string" },
  printer: { type: "string", multiple: true, default: [] as string[] },
  printers: { type: "string" },
  "account-url": { type: "string" },
  "discover-on": { type: "string", multiple: true },
  "sdcp-v1-host": { type: "string" },
  "virtual-printer": { type: "string", multiple: true, default: [] as string[] },
  "job-dir": { type: "string" },
  converter: { type: "string", multiple: true, default: [] as string[] },
  "job-converter": { type: "string", multiple: true, default: [] as string[] },
  ...MACHINES_OPTION,
  "ctb-notice-from": { type: "string" },
  log: { type: "string" },
} as const satisfies ParseArgsConfig["options"];

export const WORK_USAGE = `  --max-scenes N      scenes kept at once, at least 1 (default 100)
  --max-memory SIZE   memory that the process may use: MiB, or a number with K, M, G or T, at least 256M
                      (default: 70 % of the machine's memory or of its container's limit);
                      work that would pass it is refused before it begins
  --threads N         worker threads for long work (default: one per core), for several processes on one machine
  --printer URL       add a printer of the network: sdcp://HOST, prusalink://HOST, odyssey://HOST or
                      "nanodlp://HOST?machine_type=MACHINE_TYPE", or those of a server for Form and Fuse printers:
                      preform://HOST; with :PORT where it is not the usual one; or a folder, such as that of a USB stick:
                      "folder:///media/usb?machine_type=MACHINE_TYPE" (repeatable)
  --printers FILE     read printers with their names and keys, queues of printers and accounts from this JSON file
  --account-url URL   service of the accounts that the printers file does not have (default https://api.formlabs.com;
                      none where the file has accounts)
  --discover-on ADDRESS
                      look for printers only on the network interface with this IPv4 address (repeatable), or on
                      none; without it on all but loopback; nothing is sent unless a request asks for it
  --sdcp-v1-host ADDRESS
                      let printers of SDCP V1 (Saturn 3 Ultra) fetch their jobs from this IPv4 address of this machine,
                      which listens there only while a job goes out
  --virtual-printer MACHINE_TYPE[=NAME]
                      add a printer that prints in accelerated time (repeatable)
  --job-dir FOLDER    where virtual printers put their jobs and queues hold theirs; made where it is missing
  --converter "EXT=COMMAND {in} {out}.step"
                      convert model files with the extension EXT by a program before they are read, also those that could
                      be read without (repeatable); {in} is the file, {out} the file to make without its extension, which
                      may be any that is read; the program runs without a shell in a folder of its own that is removed:
                      give its scripts with their full paths
  --machines FILE     add printers and resins of your own from this JSON file (repeatable): docs/own-printers.md;
                      printwright printers --schema prints what it holds
  --resin FILE        add a resin from a JSON file, or the materials of a config of PrusaSlicer (.ini)
  --ctb-notice-from FILE
                      any .ctb file of version 4 that Chitubox made: files of version 4, which only machines of your own
                      description have, contain a notice of its maker that this program takes from there
  --job-converter "EXT=COMMAND {in} {out}"
                      make jobs with the extension EXT, which are not written here, by a program of yours of readable jobs
                      (repeatable); {in} is the readable job, {out} the file to make, with its extension; the program
                      runs as those of --converter
  --log FILE          append a line of JSON for each event, such as a job sent or a printer lost, without secrets
`;

type WorkValues = ReturnType<typeof parseArgs<{ options: typeof WORK_OPTIONS }>>["values"];

/** Reads the values of {@link WORK_OPTIONS}. Throws an error that names the wrong one. */
export function readWorkArguments(values: WorkValues): WorkArguments {
  const maxScenes = wholeNumber(values["max-scenes"], 1, Number.MAX_SAFE_INTEGER);
  if (maxScenes === undefined)
    throw inputError(`--max-scenes must be a number of at least 1, not "${values["max-scenes"]}"`);
  const maxMemory = values["max-memory"];
  const maxMemoryBytes = maxMemory === undefined ? defaultMemoryBytes() : parseSize(maxMemory);
  if (maxMemoryBytes === undefined || maxMemoryBytes < MIN_MEMORY_BYTES)
    throw inputError(`--max-memory must be a size of at least 256M, such as 900M or 4G, not "${maxMemory}"`);
  const threads = values.threads === undefined ? undefined : wholeNumber(values.threads, 1, MAX_THREADS);
  if (values.threads !== undefined && threads === undefined)
    throw inputError(`--threads must be a number from 1 to ${MAX_THREADS}, not "${values.threads}"`);
  const { printers, accounts } = readPrinters(values);
  const account = { accounts, accountUrl: parseAccountUrl(values["account-url"]) };
  const { log } = values;
  if (log === "") throw inputError("--log must be a file");
  const converters = parseConverters(values.converter);
  const noticeFile = values["ctb-notice-from"];
  const ctbNotice = noticeFile === undefined ? undefined : readCtbNotice(noticeFile);
  const jobConverters = parseJobConverters(values["job-converter"]);
  return { maxScenes, maxMemoryBytes, threads, printers, account, converters, jobConverters, ctbNotice, log };
}

/** Extensions of the model files that are converted before they are read. */
export const convertedExtensions = ({ converters = [] }: WorkArguments): string[] =>
  converters.map(({ extension }) => extension);

function readPrinters(values: WorkValues): { printers: PrinterOptions; accounts: SessionOptions["accounts"] } {
  const virtual = parseVirtualPrinters(values["virtual-printer"]);
  const jobFolder = values["job-dir"];
  if (jobFolder === "") throw inputError("--job-dir must be a folder");
  if (jobFolder === undefined && virtual.length > 0)
    throw inputError("--virtual-printer needs a folder for the jobs: name it with --job-dir");
  const virtualNames = virtual.map(({ id }) => id);
  const given = values.printer.map(parseGivenPrinter);
  const twice = firstDuplicate(given);
  if (twice !== undefined)
    throw inputError(`--printer ${values.printer[twice]} is given twice: give each printer once`);
  const file = values.printers === undefined ? undefined : readPrintersFile(values.printers, virtualNames, given);
  const printers = {
    virtual: jobFolder === undefined ? undefined : { printers: virtual, jobFolder: resolve(jobFolder) },
    known: [...given, ...(file?.printers ?? [])],
    queues: file?.queues ?? [],
    jobFolder: jobFolder === undefined ? undefined : resolve(jobFolder),
    discoveryAddresses: parseDiscoveryAddresses(values["discover-on"]),
    v1Host: parseV1Host(values["sdcp-v1-host"]),
  };
  return { printers, accounts: file?.accounts ?? [] };
}

/** Secrets are sent to this URL: other machines than this one must be called by TLS. */
function parseAccountUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url && isSafe && url.username === "" && url.search === "" && url.hash === "") return url;
  throw inputError("--account-url must be the https:// address of a service, without a name, a password or a query");
}

/** Far more than the cores of any machine; each thread takes memory. */
const MAX_THREADS = 256;

/** The rest is for the system and for inaccuracies of the estimated needs. */
const DEFAULT_MEMORY_SHARE = 0.7;
/** The idle process takes about 50 MiB; with less than this, hardly any part can be printed. */
const MIN_MEMORY_BYTES = 256 * 2 ** 20;

const defaultMemoryBytes = (): number => Math.max(MIN_MEMORY_BYTES, DEFAULT_MEMORY_SHARE * machineMemoryBytes());

const SIZE_UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, "": 2 ** 20, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Parses a size such as 4G, 900M or, in MiB, 900. Returns bytes; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(text) ?? [];
  const factor = SIZE_UNITS[unit.toUpperCase()];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** Parses a whole number, written in digits, from `min` to `max`; undefined for anything else. */
export function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
