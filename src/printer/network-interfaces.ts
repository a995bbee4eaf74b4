import { isIPv4 } from "node:net";
import { networkInterfaces as interfacesOfSystem } from "node:os";
import { inputError } from "../core/api-error.ts";

/** A network interface on which printers are searched. */
export interface NetworkInterface {
  /** IPv4. */
  readonly address: string;
  /** The broadcast address of its network. */
  readonly broadcast: string;
}

/**
 * Parses `--discover-on`: the addresses of interfaces, an empty list for `none`, undefined where the option is missing. Throws INPUT_ERROR.
 */
export function parseDiscoveryAddresses(values: readonly string[] | undefined): readonly string[] | undefined {
  if (values?.length === 1 && values[0] === "none") return [];
  const wrong = values?.find((value) => !isIPv4(value));
  if (wrong === undefined) return values;
  throw inputError(`--discover-on must be the IPv4 address of a network interface, or none alone, not "${wrong}"`);
}

/** Parses `--sdcp-v1-host`. Throws INPUT_ERROR for anything but the address of an interface that is up. */
export function parseV1Host(value: string | undefined): string | undefined {
  if (value === undefined || (isIPv4(value) && isOwn(value))) return value;
  throw inputError(
    `--sdcp-v1-host must be the IPv4 address of a network interface of this machine (${ownAddresses().join(", ")}), not "${value}"`,
  );
}

/** A warning for addresses of `--discover-on` that no interface has now; it may come up later. */
export function absenceWarning(addresses: readonly string[] = []): string | undefined {
  const absent = addresses.filter((address) => !isOwn(address));
  if (absent.length === 0) return undefined;
  return `--discover-on: this machine has no network interface with the address ${absent.join(", ")} now, but ${ownAddresses().join(", ")}`;
}

const ownAddresses = (): string[] =>
  Object.values(interfacesOfSystem())
    .flatMap((entries) => entries ?? [])
    .filter(({ family }) => family === "IPv4")
    .map(({ address }) => address);

/** Loopback interfaces have all addresses of their network (RFC 1122, 3.2.1.3), of which the system lists one. */
const isOwn = (address: string): boolean => address.startsWith("127.") || ownAddresses().includes(address);

/**
 * The interfaces that are up and have one of the addresses; without addresses, all but loopback. Ask again each time, since interfaces come
 * and go.
 */
export function networkInterfaces(addresses?: readonly string[]): NetworkInterface[] {
  return Object.values(interfacesOfSystem())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, address, internal }) => family === "IPv4" && (addresses?.includes(address) ?? !internal))
    .map(({ address, netmask }) => ({ address, broadcast: broadcastOf(address, netmask) }));
}

/** The address whose host bits are all set (RFC 919). */
function broadcastOf(address: string, netmask: string): string {
  const mask = netmask.split(".").map(Number);
  return address
    .split(".")
    .map((part, i) => Number(part) | (~(mask[i] ?? 0) & 0xff))
    .join(".");
}
