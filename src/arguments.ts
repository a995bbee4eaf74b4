import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { inputError } from "./core/api-error.ts";
import { type Converter, parseConverters } from "./convert/parse-converters.ts";
import type { CompatOptions } from "./compat/compat.ts";
import { hostOf, isLoopback } from "./http/origin.ts";
import { machineMemoryBytes } from "./core/machine-memory.ts";
import { parseVirtualPrinters } from "./printer/virtual/parse-virtual-printers.ts";
import type { SessionOptions } from "./printer/account/session.ts";
import { parseDiscoveryAddresses, parseV1Host } from "./printer/network-interfaces.ts";
import { firstTwice, parsePrinterUrl } from "./printer/known-printers.ts";
import { readPrintersFile } from "./printer/printers-file.ts";
import type { PrinterOptions } from "./printer/printers.ts";

export interface Arguments {
  readonly port: number;
  /** Address or name of a network interface to listen on beside loopback. */
  readonly host?: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly maxScenes: number;
  /** Most memory that the process may use, bytes. */
  readonly maxMemoryBytes: number;
  readonly printers?: PrinterOptions | undefined;
  readonly account?: SessionOptions | undefined;
  /** Programs that convert model files before they are read. */
  readonly converters?: readonly Converter[] | undefined;
  /** Path of the file to log to. */
  readonly log?: string | undefined;
  /** Of the 0.9 interface, which is served beside `/v1/` where it is given. */
  readonly compat?: CompatOptions | undefined;
  /** Whether there is a page for browsers; default true. */
  readonly page?: boolean | undefined;
  /** Whether it is opened in the browser of the user. */
  readonly open?: boolean | undefined;
}

type Command =
  | { readonly kind: "serve"; readonly args: Arguments }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "openapi" }
  | { readonly kind: "hash-password" }
  | { readonly kind: "wrong"; readonly reason: string };

export const USAGE = `Usage: printwright --port N [options]

Prepares print jobs for resin and powder 3D printers over a local HTTP interface.

  --port N            port to listen on, 0 to 65535; 0 picks a free one (required)
  --host ADDRESS      listen on this address too (containers); needs --allow-host
  --allow-host NAME   answer requests whose Host or Origin is NAME, too (repeatable)
  --max-scenes N      scenes kept at once, at least 1 (default 100)
  --max-memory SIZE   memory that the process may use: MiB, or a number with K, M, G or T, at least 256M
                      (default: 70 % of the machine's memory or of its container's limit);
                      work that would pass it is refused before it begins
  --printer URL       add a printer of the network: sdcp://HOST, prusalink://HOST or odyssey://HOST,
                      with :PORT where it is not the usual one (repeatable)
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
  --compat-0.9        serve programs written for the 0.9 interface of PreFormServer, too, on the same port; the same with
                      PRINTWRIGHT_COMPAT=0.9 in the environment, or where this program is called PreFormServer
  --scene-cache-size N
                      with it, scenes kept in memory (default 100); the meshes of others wait in a temporary folder
  --open              open the page in your browser
  --no-page           do not serve the page for browsers, only programs
  --log FILE          append a line of JSON for each event, such as a job sent or a printer lost, without secrets
  --hash-password     read a password and print its hash for an account of the printers file
  --openapi           print the interface as OpenAPI 3.1 and exit
  --help              print this and exit
  --version           print the version and exit
`;

/** Interface supplement, "Limits of the server". */
const DEFAULT_MAX_SCENES = 100;
/** That of the 0.9 interface. */
const DEFAULT_SCENE_CACHE_SIZE = 100;

/** `isCompat`: whether the 0.9 interface is asked for by other means than arguments. */
export function readArguments(argv: readonly string[], isCompat = false): Command {
  try {
    return toCommand(parseOptions(argv), isCompat);
  } catch (thrown) {
    return { kind: "wrong", reason: (thrown as Error).message };
  }
}

const parseOptions = (argv: readonly string[]) =>
  parseArgs({
    args: [...argv],
    options: {
      port: { type: "string" },
      host: { type: "string" },
      "allow-host": { type: "string", multiple: true, default: [] },
      "max-memory": { type: "string" },
      "max-scenes": { type: "string", default: String(DEFAULT_MAX_SCENES) },
      printer: { type: "string", multiple: true, default: [] },
      printers: { type: "string" },
      "account-url": { type: "string" },
      "discover-on": { type: "string", multiple: true },
      "sdcp-v1-host": { type: "string" },
      "virtual-printer": { type: "string", multiple: true, default: [] },
      "job-dir": { type: "string" },
      converter: { type: "string", multiple: true, default: [] },
      "compat-0.9": { type: "boolean", default: false },
      "scene-cache-size": { type: "string", default: String(DEFAULT_SCENE_CACHE_SIZE) },
      open: { type: "boolean", default: false },
      "no-page": { type: "boolean", default: false },
      log: { type: "string" },
      "hash-password": { type: "boolean" },
      openapi: { type: "boolean" },
      help: { type: "boolean" },
      version: { type: "boolean" },
    },
  }).values;

function toCommand(values: ReturnType<typeof parseOptions>, isCompat: boolean): Command {
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  if (values.openapi) return { kind: "openapi" };
  if (values["hash-password"]) return { kind: "hash-password" };
  if (values.port === undefined) return wrong("--port is required");
  const port = wholeNumber(values.port, 0, 65_535);
  if (port === undefined) return wrong(`--port must be a number from 0 to 65535, not "${values.port}"`);
  const maxScenes = wholeNumber(values["max-scenes"], 1, Number.MAX_SAFE_INTEGER);
  if (maxScenes === undefined)
    return wrong(`--max-scenes must be a number of at least 1, not "${values["max-scenes"]}"`);
  const maxMemory = values["max-memory"];
  const maxMemoryBytes = maxMemory === undefined ? defaultMemoryBytes() : parseSize(maxMemory);
  if (maxMemoryBytes === undefined || maxMemoryBytes < MIN_MEMORY_BYTES) {
    return wrong(`--max-memory must be a size of at least 256M, such as 900M or 4G, not "${maxMemory}"`);
  }
  const allowedHosts: string[] = [];
  for (const name of values["allow-host"]) {
    const host = hostOf(`http://${isIPv6(name) ? `[${name}]` : name}`);
    if (host === undefined) return wrong(`--allow-host must be a host name or address, not "${name}"`);
    allowedHosts.push(host);
  }
  if (values.host === "") return wrong("--host must be an address or a host name");
  if (values.host !== undefined && allowedHosts.length === 0) {
    return wrong("--host opens the server to others: name the host they call it by with --allow-host");
  }
  const virtual = parseVirtualPrinters(values["virtual-printer"]);
  const jobFolder = values["job-dir"];
  if (jobFolder === "") return wrong("--job-dir must be a folder");
  if (jobFolder === undefined && virtual.length > 0) {
    return wrong("--virtual-printer needs a folder for the jobs: name it with --job-dir");
  }
  const virtualNames = virtual.map(({ id }) => id);
  const given = values.printer.map(parsePrinterUrl);
  const twice = firstTwice(given);
  if (twice !== undefined)
    return wrong(`--printer ${values.printer[twice]} stands there twice: give each printer once`);
  const file = values.printers === undefined ? undefined : readPrintersFile(values.printers, virtualNames, given);
  const printers: PrinterOptions = {
    virtual: jobFolder === undefined ? undefined : { printers: virtual, jobFolder: resolve(jobFolder) },
    known: [...given, ...(file?.printers ?? [])],
    queues: file?.queues ?? [],
    jobFolder: jobFolder === undefined ? undefined : resolve(jobFolder),
    discoveryAddresses: parseDiscoveryAddresses(values["discover-on"]),
    v1Host: parseV1Host(values["sdcp-v1-host"]),
  };
  const account = { accounts: file?.accounts ?? [], accountUrl: parseAccountUrl(values["account-url"]) };
  const converters = parseConverters(values.converter);
  const { host, log, open } = values;
  if (log === "") return wrong("--log must be a file");
  const page = !values["no-page"];
  if (open && !page) return wrong("--open opens the page that --no-page turns off: give one of them");
  const sceneCacheSize = wholeNumber(values["scene-cache-size"], 1, Number.MAX_SAFE_INTEGER);
  if (sceneCacheSize === undefined)
    return wrong(`--scene-cache-size must be a number of at least 1, not "${values["scene-cache-size"]}"`);
  const compat = isCompat || values["compat-0.9"] ? { sceneCacheSize } : undefined;
  const limits = { maxScenes, maxMemoryBytes };
  return {
    kind: "serve",
    args: { port, host, allowedHosts, ...limits, printers, account, converters, log, compat, page, open },
  };
}

/** Secrets go there: others than this machine are called by TLS alone. */
function parseAccountUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url && isSafe && url.username === "" && url.search === "" && url.hash === "") return url;
  throw inputError("--account-url must be the https:// address of a service, without a name, a password or a query");
}

/** The rest is for the system and for what the estimates of needs leave out. */
const DEFAULT_MEMORY_SHARE = 0.7;
/** At rest the process has some 50 MiB; below this hardly a part can be printed. */
const MIN_MEMORY_BYTES = 256 * 2 ** 20;

const defaultMemoryBytes = (): number => Math.max(MIN_MEMORY_BYTES, DEFAULT_MEMORY_SHARE * machineMemoryBytes());

const SIZE_UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, "": 2 ** 20, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Bytes of a size such as 4G, 900M or, in MiB, 900. Undefined for anything else. */
function parseSize(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * SIZE_UNITS[unit.toUpperCase()];
}

const wrong = (reason: string): Command => ({ kind: "wrong", reason });

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
