import type { Printer } from "../printer.ts";
import type { Connection } from "./connection.ts";
import type { DiscoveryReply } from "./discovery-reply.ts";
import type { Status } from "./status.ts";

/** The host of a printer and its ports. */
export interface HostAddress {
  /** Name or IP address. */
  readonly host: string;
  /** TCP port of connections and uploads. */
  readonly port: number;
  /** UDP port of discovery. */
  readonly udpPort: number;
}

/** The state of a host, as its printer object reads it. */
export interface HostView {
  /** Id of the printer object's own mainboard: another printer may get the address of the host. */
  readonly mainboardId: string;
  readonly address: HostAddress;
  /** The last discovery reply of the host. */
  discoveryReply(): DiscoveryReply;
  /** The IP address that sent it. */
  ipAddress(): string;
  /** Sets the listener that is called with each status that the printer reports; it replaces the listener before. */
  onStatus(listener: (status: Status) => void): void;
  /** V3 only, and only while this printer itself is connected. */
  connection(): Connection | undefined;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

/** A printer that was identified at a host. */
export interface FoundPrinter {
  readonly mainboardId: string;
  readonly name: string;
  readonly printer: Printer;
}
