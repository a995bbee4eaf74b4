import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { ApiError, excerpt } from "../core/api-error.ts";

/** The headers of a request that identify its sender. */
interface Caller {
  readonly host?: string | undefined;
  /** Number of `Host` headers. */
  readonly hostCount?: number;
  readonly origin?: string | undefined;
  /** The header `Sec-Fetch-Site`, which browsers set and pages cannot. */
  readonly site?: string | undefined;
}

export const callerOf = ({ headers, rawHeaders }: IncomingMessage): Caller => ({
  host: headers.host,
  hostCount: rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === "host").length,
  origin: headers.origin,
  site: headers["sec-fetch-site"]?.toString(),
});

/**
 * The error for a request whose `Host`, or `Origin` where present, is neither a loopback name or address nor a name that the user allowed
 * (interface supplement, section 2). This prevents web pages in the user's browser from using the server, also those whose domain name
 * resolves to this machine.
 */
export function checkOrigin(
  { host = "", hostCount = 1, origin, site }: Caller,
  allowedHosts: readonly string[],
): ApiError | undefined {
  const isAllowed = (name: string | undefined): boolean =>
    name !== undefined && (isLoopback(name) || allowedHosts.includes(name));
  if (hostCount > 1) return new ApiError("FORBIDDEN_ORIGIN", "The request has several Host headers: send one.");
  if (!isAllowed(hostOf(`http://${host}`))) return forbidden(`Host "${excerpt(host)}"`);
  if (origin !== undefined && !isAllowed(hostOf(origin))) return forbidden(`Origin "${excerpt(origin)}"`);
  // Browsers send no Origin with requests of links and pictures.
  if (origin === undefined && site === "cross-site") return forbidden("A page of another site");
  return undefined;
}

const forbidden = (what: string): ApiError =>
  new ApiError(
    "FORBIDDEN_ORIGIN",
    `${what} is not allowed here: use localhost, or start the server with --allow-host NAME.`,
  );

/** The host name of an `http` address, in lower case and without the port. Undefined for anything else. */
export function hostOf(address: string): string | undefined {
  // The URL parser would drop a user, path or query, with which an attacker could hide the real host.
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : undefined;
}

/** Whether a host, as {@link hostOf} returns it, is a name or address of this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
