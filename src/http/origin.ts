import { isIPv4 } from "node:net";
import { ApiError } from "../core/api-error.ts";

/**
 * The error for a request whose `Host`, or `Origin` where it has one, is neither a loopback name or address nor a name
 * that the user allowed (interface supplement, section 2). This keeps web pages in the user's browser from using the
 * server, also those whose domain name resolves to this machine.
 */
export function checkOrigin(
  { host = "", origin }: { host?: string | undefined; origin?: string | undefined },
  allowedHosts: readonly string[],
): ApiError | undefined {
  const isAllowed = (name: string | undefined): boolean =>
    name !== undefined && (isLoopback(name) || allowedHosts.includes(name));
  if (!isAllowed(hostOf(`http://${host}`))) return forbidden(`Host "${host}"`);
  if (origin !== undefined && !isAllowed(hostOf(origin))) return forbidden(`Origin "${origin}"`);
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

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
