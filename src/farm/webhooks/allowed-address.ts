import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { BlockList, type LookupFunction, isIP, isIPv6 } from "node:net";
import { inputError } from "../../core/api-error.ts";

/** Addresses inside a network, which a company's own services have (RFC 1918, RFC 6598, RFC 4193), and those of this machine. */
const PRIVATE = blockList([
  ["127.0.0.0", 8],
  ["::1", 128],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["fc00::", 7],
]);

/**
 * Addresses at which no receiver is (the registries of special addresses of IANA): this network, link-local with the metadata services of clouds, tests,
 * multicast, reserved; and those of IPv6 that stand for one of IPv4 elsewhere.
 */
const FORBIDDEN = blockList([
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["2001::", 32],
]);

function blockList(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, isIPv6(network) ? "ipv6" : "ipv4");
  return list;
}

/** Whether webhooks may go to an address. `::ffff:10.0.0.1` counts as `10.0.0.1`. */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const name = family === 6 ? "ipv6" : "ipv4";
  return !FORBIDDEN.check(address, name) && (allowPrivate || !PRIVATE.check(address, name));
}

/**
 * Looks a name up, and gives only addresses that are allowed: the connection is made to what was checked. An address in place of a name is never looked up:
 * {@link requireAllowedHost} checks it.
 */
export const checkedLookup =
  (allowPrivate: boolean): LookupFunction =>
  (host, options, callback) => {
    const all: LookupAllOptions = { ...options, all: true };
    lookup(host, all, (error, addresses: LookupAddress[] = []) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, allowPrivate));
      const [first] = allowed;
      if (!first) return callback(forbidden(host, allowPrivate), []);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

/** Throws INPUT_ERROR for the host of a URL that is an address which is not allowed. */
export function requireAllowedHost(host: string, allowPrivate: boolean): void {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) !== 0 && !isAllowedAddress(address, allowPrivate)) throw forbidden(host, allowPrivate);
}

const forbidden = (host: string, allowPrivate: boolean): Error =>
  inputError(
    allowPrivate
      ? `${host} has no address to which webhooks are sent`
      : `${host} has only addresses inside a network, to which webhooks are sent only with "allow_private_addresses": true`,
  );
