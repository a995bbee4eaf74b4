import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { COMMAND_OVERVIEW } from "./command/commands.ts";
import type { CompatOptions } from "./compat/compat.ts";
import type { DocumentName } from "./http/documents.ts";
import { hostOf } from "./http/origin.ts";
import { addMachines } from "./command/machines-option.ts";
import { type MetricsAddress, parseMetricsAddress } from "./farm/metrics/metrics-address.ts";
import { defaultStateFolder } from "./core/state-folder.ts";
import type { KeepOptions } from "./keep/state-folder.ts";
import { SERVER_OPTIONS } from "./command/server-options.ts";
import { WORK_USAGE, type WorkArguments, readWorkArguments, wholeNumber } from "./command/work-arguments.ts";

/** Options of a server: how it works, and where it listens. */
export interface Arguments extends WorkArguments {
  readonly port: number;
  /** Address or name of a network interface to listen on, in addition to loopback. */
  readonly host?: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Options of the 0.9 interface, which is served in addition to `/v1/` if they are present. */
  readonly compat?: CompatOptions | undefined;
  /** Whether there is a page for browsers; default true. */
  readonly page?: boolean | undefined;
  /** Where scenes are kept as they change; undefined: nowhere. */
  readonly keep?: KeepOptions | undefined;
  /** Name under which the server writes the events of its printers into the queue; undefined: it writes none. */
  readonly events?: string | undefined;
  /** Where metrics and health are served; undefined: nowhere. */
  readonly metrics?: MetricsAddress | undefined;
  /** Whether the page is opened in the browser of the user. */
  readonly open?: boolean | undefined;
}

type Command =
  | { readonly kind: "serve"; readonly args: Arguments }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "document"; readonly name: DocumentName }
  | { readonly kind: "hash-password" }
  | { readonly kind: "wrong"; readonly reason: string };

const SYNOPSIS = `Usage: printwright --port N [options]
       printwright COMMAND …`;

/** Text after the reason if the arguments are wrong: all of {@link USAGE} would push the reason out of a terminal. */
export const SHORT_USAGE = `${SYNOPSIS}

printwright --help lists the options and commands.`;

export const USAGE = `${SYNOPSIS}

Prepares print jobs for resin and powder 3D printers: over a local HTTP interface, or by a command without a server.

${COMMAND_OVERVIEW}  printwright help COMMAND

To print a part: printwright slice part.stl --printer PRUSA-SL1S --orient --support

  --port N            port to listen on, 0 to 65535; 0 picks a free one (required)
  --host ADDRESS      listen on this address too (containers); needs --allow-host
  --allow-host NAME   answer requests whose Host or Origin is NAME, too (repeatable)
${WORK_USAGE}  --compat-0.9        serve programs written for the 0.9 interface of PreFormServer, too, on the same port; the same with
                      PRINTWRIGHT_COMPAT=0.9 in the environment, or where this program is called PreFormServer
  --scene-cache-size N
                      with it, scenes kept in memory (default 100); the meshes of others wait in a temporary folder
  --state-folder FOLDER
                      keep the scenes in this folder as they change, so that the page offers them after the next start
  --open              open the page in your browser; keeps the scenes in the usual folder of this user
  --no-keep           with --open, keep no scenes
  --events NAME       write what becomes of its printers and of the jobs in their queues into the events of the queue of workers
                      (PRINTWRIGHT_QUEUE), and call this server NAME there: docs/events.md
  --metrics PORT      serve /metrics for Prometheus, /health/live and /health/ready on this port of this machine alone, or on
                      ADDRESS:PORT
  --no-page           do not serve the page for browsers, only programs
  --hash-password     read a password and print its hash for an account of the printers file
  --openapi           print the interface as OpenAPI 3.1 and exit; the server has it at /openapi.json
  --api-docs          print the interface as a page for people, in Markdown, and exit; the server has it at /api.md
  -h, --help          print this and exit
  --version           print the version and exit; as printwright version
`;

/** `isCompat`: whether the 0.9 interface is requested by other means than arguments. */
export function readArguments(argv: readonly string[], isCompat = false): Command {
  // Help is shown even if other arguments are wrong.
  if (argv.some((word) => word === "--help" || word === "-h")) return { kind: "help" };
  try {
    return toCommand(parseOptions(argv), isCompat);
  } catch (thrown) {
    return { kind: "wrong", reason: (thrown as Error).message };
  }
}

const parseOptions = (argv: readonly string[]) => parseArgs({ args: [...argv], options: SERVER_OPTIONS }).values;

function toCommand(values: ReturnType<typeof parseOptions>, isCompat: boolean): Command {
  if (values.version) return { kind: "version" };
  if (values.openapi) return { kind: "document", name: "openapi" };
  if (values["api-docs"]) return { kind: "document", name: "api-docs" };
  if (values["hash-password"]) return { kind: "hash-password" };
  if (values.port === undefined) return wrong("--port is required");
  const port = wholeNumber(values.port, 0, 65_535);
  if (port === undefined) return wrong(`--port must be a number from 0 to 65535, not "${values.port}"`);
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
  const { host, open } = values;
  const page = !values["no-page"];
  if (open && !page) return wrong("--open opens the page that --no-page turns off: give one of them");
  const keep = keepOptions(values["state-folder"], values["no-keep"], open);
  if (keep === "wrong") return wrong("--state-folder must be a folder, and excludes --no-keep");
  const sceneCacheSize = wholeNumber(values["scene-cache-size"], 1, Number.MAX_SAFE_INTEGER);
  if (sceneCacheSize === undefined)
    return wrong(`--scene-cache-size must be a number of at least 1, not "${values["scene-cache-size"]}"`);
  const { events } = values;
  if (events !== undefined && !/^[\w-]{1,40}$/.test(events))
    return wrong("--events must be a name for this server, of letters, digits, - and _, at most 40");
  const metrics = values.metrics === undefined ? undefined : parseMetricsAddress(values.metrics);
  // Before the arguments name machines.
  addMachines(values);
  const given = readWorkArguments(values);
  const work = { ...given, printers: { known: [], ...given.printers, notesEnds: events !== undefined } };
  const namesPrinters =
    values.printer.length > 0 || values["virtual-printer"].length > 0 || values.printers !== undefined;
  const builtInPrinters = namesPrinters ? undefined : { jobFolder: work.printers?.jobFolder };
  const compat = isCompat || values["compat-0.9"] ? { sceneCacheSize, builtInPrinters } : undefined;
  return { kind: "serve", args: { ...work, port, host, allowedHosts, compat, page, open, keep, events, metrics } };
}

function keepOptions(
  folder: string | undefined,
  isOff: boolean,
  isForPerson: boolean,
): KeepOptions | "wrong" | undefined {
  if (folder !== undefined) return folder === "" || isOff ? "wrong" : { folder: resolve(folder), isRequired: true };
  return isForPerson && !isOff ? { folder: defaultStateFolder(), isRequired: false } : undefined;
}

const wrong = (reason: string): Command => ({ kind: "wrong", reason });
