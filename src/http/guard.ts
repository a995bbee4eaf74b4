import { isIPv4 } from "node:net";
import { Fault } from "../core/fault.ts";

/**
 * Who may call (interface supplement, section 2): only requests whose `Host`, and `Origin` if there is one, is a loopback
 * name or address, or a name that the user allowed. A page in the user's browser must not drive the server, whatever name
 * it made point here.
 */
export function guardOrigin(
  headers: { host?: string; origin?: string },
  allowedHosts: readonly string[],
): Fault | undefined {
  const isAllowed = (host: string | undefined): boolean =>
    host !== undefined && (isLoopback(host) || allowedHosts.includes(host));
  if (!isAllowed(hostOf(`http://${headers.host ?? ""}`))) return forbidden(`Host "${headers.host ?? ""}"`);
  if (headers.origin !== undefined && !isAllowed(hostOf(headers.origin)))
    return forbidden(`Origin "${headers.origin}"`);
  return undefined;
}

const forbidden = (what: string): Fault =>
  new Fault(
    "FORBIDDEN_ORIGIN",
    `${what} is not allowed here: use localhost, or start the server with --allow-host NAME.`,
  );

/** The host name in an `http` address, lower case and without its port; undefined when it is none. */
export function hostOf(address: string): string | undefined {
  // A host holds no user, path or query: what the URL parser would drop, an attacker may have put there.
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : undefined;
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
