import { inputError } from "../core/api-error.ts";

/** The protocols of printers in the network, as the schemes of their URLs. */
export const NETWORK_PROTOCOLS = ["sdcp", "prusalink", "odyssey"] as const;

/** Where a URL has none: of Odyssey's default configuration, of the SL1's web server, of SDCP's web socket. */
export const USUAL_PORTS: Readonly<Record<KnownPrinter["protocol"], number>> = {
  sdcp: 3030,
  prusalink: 80,
  odyssey: 12_357,
};

/** A printer that the command line or the printers file names. */
export interface KnownPrinter {
  readonly protocol: (typeof NETWORK_PROTOCOLS)[number];
  /** Name or address. */
  readonly host: string;
  /** Undefined for the protocol's own. */
  readonly port?: number | undefined;
  /** Whether it is asked over https, as behind a proxy. */
  readonly isSecure?: true;
  /** The name to list it by, where that is not left to the printer. */
  readonly name?: string | undefined;
  /** Canonical machine type, where the printer does not tell it. */
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

/** Ending of the schemes of URLs that are asked over https. */
const SECURE = "+https";
const HTTPS_PORT = 443;
/** Those that answer over HTTP. */
const SECURABLE: readonly KnownPrinter["protocol"][] = ["prusalink", "odyssey"];

/**
 * Parses `PROTOCOL://HOST[:PORT]` of the command line. Throws INPUT_ERROR for an unknown protocol, a URL with more than that, and for
 * credentials, which the list of processes would show to everybody.
 */
export function parsePrinterUrl(text: string): KnownPrinter {
  const url = URL.parse(text);
  const scheme = url?.protocol.slice(0, -1) ?? "";
  const isSecure = scheme.endsWith(SECURE);
  const protocol = (isSecure ? SECURABLE : NETWORK_PROTOCOLS).find((one) => one === scheme.replace(SECURE, ""));
  if (url && (url.username !== "" || url.password !== "")) {
    throw inputError(
      `the URL of ${url.hostname} holds credentials, which others can see: put them into the printers file, beside the URL`,
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

/** The port of a printer, where `usual` is that of its protocol. */
export const portOf = ({ protocol, port, isSecure }: KnownPrinter, usual = USUAL_PORTS[protocol]): number =>
  port ?? (isSecure ? HTTPS_PORT : usual);

/** Equal for two URLs of one printer. */
export const placeOf = (printer: KnownPrinter): string =>
  `${printer.protocol}://${printer.host.toLowerCase()} ${portOf(printer)}`;

/** The first that has the URL of one before it. */
export function firstTwice(printers: readonly KnownPrinter[]): number | undefined {
  const places = printers.map(placeOf);
  const found = places.findIndex((place, i) => places.indexOf(place) < i);
  return found < 0 ? undefined : found;
}
