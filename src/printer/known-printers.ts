import process from "node:process";
import { fileURLToPath } from "node:url";
import { type ErrorFactory, inputError } from "../core/api-error.ts";
import { NETWORK_PROTOCOLS, type PrinterProtocol, UNREPORTED, requireFittingType } from "./printer-protocols.ts";

/**
 * Default ports of URLs. Sources: Odyssey's default configuration, the web servers of the SL1 and of NanoDLP, SDCP's web socket, clients
 * of 0.9.
 */
export const USUAL_PORTS: Readonly<Record<Exclude<PrinterProtocol, "folder">, number>> = {
  sdcp: 3030,
  prusalink: 80,
  odyssey: 12_357,
  nanodlp: 80,
  preform: 44_388,
};

/** A printer that the command line or the printers file names. */
export interface KnownPrinter {
  readonly protocol: PrinterProtocol;
  /** Name or address; the absolute path of a folder. */
  readonly host: string;
  /** Undefined for the default port of the protocol. */
  readonly port?: number | undefined;
  /** Whether it is called over https, for example through a proxy. */
  readonly isSecure?: true;
  /** The name under which it is listed; undefined where the printer's own name is used. */
  readonly name?: string | undefined;
  /** For servers of a maker: a folder that both see, and its path there if it is another one; from the printers file only. */
  readonly sharedFolder?: string | undefined;
  readonly sharedFolderThere?: string | undefined;
  /** For servers of a maker: names of printers that they list, for queues. */
  readonly printers?: readonly string[] | undefined;
  /** Canonical machine type, for printers that do not report it; always given for those in {@link UNREPORTED}. */
  readonly machineType?: string | undefined;
  /** The machine's own profile for jobs, by its number or title: for NanoDLP, from the printers file only. */
  readonly profile?: string | undefined;
  /** From the printers file only. */
  readonly credentials?:
    | {
        readonly username: string | undefined;
        readonly key: string;
        /** Whether the key itself may be sent over http, where everybody in the network can read it. */
        readonly plainKey?: true;
      }
    | undefined;
}

/** Suffix of the scheme in URLs of printers that are called over https. */
const SECURE = "+https";
const HTTPS_PORT = 443;
/** The protocols that use HTTP. */
const SECURABLE: readonly KnownPrinter["protocol"][] = ["prusalink", "odyssey", "nanodlp", "preform"];

/**
 * Parses `PROTOCOL://HOST[:PORT]` or `folder:///PATH[?machine_type=TYPE]`. Throws INPUT_ERROR for an unknown protocol, for a URL with further
 * parts, and for credentials, which the list of processes would show to everybody.
 */
export function parsePrinterUrl(text: string): KnownPrinter {
  if (/^folder:/i.test(text)) return parseFolderUrl(text);
  const url = URL.parse(text);
  const scheme = url?.protocol.slice(0, -1) ?? "";
  const isSecure = scheme.endsWith(SECURE);
  const protocol = (isSecure ? SECURABLE : NETWORK_PROTOCOLS).find((one) => one === scheme.replace(SECURE, ""));
  if (url && (url.username !== "" || url.password !== "")) {
    throw inputError(
      `the URL of ${url.hostname} holds credentials, which others can see: put them into the printers file, next to the URL`,
    );
  }
  if (!url || !protocol || url.hostname === "") {
    const forms = NETWORK_PROTOCOLS.map((one) => `${one}://HOST`).join(", ");
    throw inputError(
      `a printer must be given as ${forms}, with a port where it is not the usual one, or as folder:///PATH, not "${text}"`,
    );
  }
  const isUnreported = UNREPORTED.includes(protocol);
  if (!["", "/"].includes(url.pathname) || (url.search !== "" && !isUnreported) || url.hash !== "") {
    throw inputError(`the URL of a printer ends after its host and port, unlike "${text}"`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? undefined : Number(url.port);
  const machineType = machineTypeIn(url, protocol, (why) =>
    inputError(`the URL "${text}" of a printer is wrong: ${why}`),
  );
  return { protocol, host, port, ...(isSecure && { isSecure }), ...(machineType !== undefined && { machineType }) };
}

/** The machine type in the query of a URL. Throws for any other query. */
function machineTypeIn(url: URL, protocol: PrinterProtocol, refuse: ErrorFactory): string | undefined {
  const [first, ...more] = [...url.searchParams];
  if (!first) return undefined;
  const [key, machineType] = first;
  if (key !== "machine_type" || more.length > 0) throw refuse("nothing but machine_type may follow the address");
  return requireFittingType(protocol, machineType, refuse);
}

const FOLDER_FORMS = "folder:///media/usb, folder:///D:/jobs or, on Windows, folder://SERVER/SHARE/jobs";

/** The path may have percent escapes, which a `?` and a `#` in it need. `windows`: whether paths are those of Windows. */
export function parseFolderUrl(text: string, windows = process.platform === "win32"): KnownPrinter {
  const refuse: ErrorFactory = (why) => inputError(`a folder must be given as ${FOLDER_FORMS}, not "${text}": ${why}`);
  const url = URL.parse(text);
  if (!url || !/^folder:\/\//i.test(text) || url.hash !== "") throw refuse("its path is missing or has a #");
  if (url.host !== "" && !windows)
    throw refuse(`there are three slashes before the path, and a share is given by the folder where it is mounted`);
  return { protocol: "folder", host: pathOf(url, windows, refuse), machineType: machineTypeIn(url, "folder", refuse) };
}

function pathOf({ host, pathname }: URL, windows: boolean, refuse: ErrorFactory): string {
  try {
    const path = fileURLToPath(`file://${host}${pathname}`, { windows });
    // Without a separator at the end, except for the root of a disk.
    return path.replace(/(?<=[^:/\\])[/\\]+$/, "");
  } catch (thrown) {
    throw refuse((thrown as Error).message);
  }
}

/** {@link parsePrinterUrl} for the command line, where nothing else gives the machine type. */
export function parseGivenPrinter(text: string): KnownPrinter {
  const known = parsePrinterUrl(text);
  requireKnownType(known, (why) => inputError(`--printer ${text}: ${why}`));
  return known;
}

/** Throws for a printer of {@link UNREPORTED} without a machine type. */
export function requireKnownType({ protocol, machineType }: KnownPrinter, toError: ErrorFactory): void {
  if (!UNREPORTED.includes(protocol) || machineType !== undefined) return;
  throw toError(
    `printers of ${protocol}:// do not report their machine: give it as machine_type in the printers file, or at the end of the URL, as in folder:///media/usb?machine_type=ANYCUBIC-M5S`,
  );
}

/** The port of a printer in the network; `usual` is the default port of its protocol. */
export const portOf = ({ port, isSecure }: KnownPrinter, usual: number): number =>
  port ?? (isSecure ? HTTPS_PORT : usual);

/** A key that is equal for all URLs of one printer. */
export const urlKey = (printer: KnownPrinter): string =>
  printer.protocol === "folder"
    ? `folder://${printer.host}`
    : `${printer.protocol}://${printer.host.toLowerCase()} ${portOf(printer, USUAL_PORTS[printer.protocol])}`;

/** Index of the first printer with the URL of an earlier one. */
export function firstDuplicate(printers: readonly KnownPrinter[]): number | undefined {
  const keys = printers.map(urlKey);
  const found = keys.findIndex((key, i) => keys.indexOf(key) < i);
  return found < 0 ? undefined : found;
}
