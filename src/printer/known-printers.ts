import { inputError } from "../core/api-error.ts";

/** The protocols of printers in the network, as the schemes of their URLs. */
export const NETWORK_PROTOCOLS = ["sdcp", "prusalink", "odyssey", "preform"] as const;

/** Default ports of URLs. Sources: Odyssey's default configuration, the web server of the SL1, SDCP's web socket, clients of 0.9. */
export const USUAL_PORTS: Readonly<Record<KnownPrinter["protocol"], number>> = {
  sdcp: 3030,
  prusalink: 80,
  odyssey: 12_357,
  preform: 44_388,
};

/** A printer that the command line or the printers file names. */
export interface KnownPrinter {
  readonly protocol: (typeof NETWORK_PROTOCOLS)[number];
  /** Name or address. */
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
  /** Canonical machine type, for printers that do not report it. */
  readonly machineType?: string | undefined;
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
const SECURABLE: readonly KnownPrinter["protocol"][] = ["prusalink", "odyssey", "preform"];

/**
 * Parses `PROTOCOL://HOST[:PORT]` of the command line. Throws INPUT_ERROR for an unknown protocol, for a URL with further parts, and for
 * credentials, which the list of processes would show to everybody.
 */
export function parsePrinterUrl(text: string): KnownPrinter {
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
    throw inputError(`a printer must be given as ${forms}, with a port where it is not the usual one, not "${text}"`);
  }
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") {
    throw inputError(`the URL of a printer ends after its host and port, unlike "${text}"`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? undefined : Number(url.port);
  return { protocol, host, port, ...(isSecure && { isSecure }) };
}

/** The port of a printer; `usual` is the default port of its protocol. */
export const portOf = ({ protocol, port, isSecure }: KnownPrinter, usual = USUAL_PORTS[protocol]): number =>
  port ?? (isSecure ? HTTPS_PORT : usual);

/** A key that is equal for all URLs of one printer. */
export const urlKey = (printer: KnownPrinter): string =>
  `${printer.protocol}://${printer.host.toLowerCase()} ${portOf(printer)}`;

/** Index of the first printer with the URL of an earlier one. */
export function firstDuplicate(printers: readonly KnownPrinter[]): number | undefined {
  const keys = printers.map(urlKey);
  const found = keys.findIndex((key, i) => keys.indexOf(key) < i);
  return found < 0 ? undefined : found;
}
