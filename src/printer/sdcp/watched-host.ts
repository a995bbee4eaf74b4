import type { PrinterType } from "../../catalog/setting.ts";
import type { Printer } from "../printer.ts";
import { pause } from "../waiting.ts";
import { type Connection, openConnection } from "./connection.ts";
import { type DiscoveryReply, sdcpPrinterType } from "./discovery-reply.ts";
import type { FoundPrinter, HostAddress, HostView } from "./host-view.ts";
import { search } from "./search.ts";
import type { Status } from "./status.ts";
import type { Timing } from "./timing.ts";
import { type DiscoveryAnswer, isUnusable, whyNoSdcpType } from "./unusable-reply.ts";

interface WatchedHostOptions {
  readonly address: HostAddress;
  readonly timing: Timing;
  /** Whether it is watched as long as the server runs. */
  readonly isKnown: boolean;
  /** Ids of the mainboards that some host is connected to: a printer with two names or addresses gets one connection. */
  readonly connectedBoards: Set<string>;
  makePrinter(view: HostView, printerType: PrinterType): Printer;
  /** Called when a printer connects, and with the cause when its connection is lost. */
  onChange(lost?: string): void;
  /** Called with the reason of the first failure, where no printer was reached before. */
  onUnreached(why: string): void;
  /** Called at each attempt at which a printer answered that cannot be used. */
  onUnusable(why: string, answer: DiscoveryAnswer, ipAddress: string): void;
}

/** The last reply to discovery. */
interface Reply {
  readonly content: DiscoveryReply;
  readonly ipAddress: string;
  readonly atMs: number;
}

/**
 * The printer at a host. `absent`: none is known to be there; `v1`: one of V1, which has no permanent connection, replies to discovery;
 * `connected`: one of V3 has a connection; `expired`: the host is not watched any more.
 */
type Presence =
  | { readonly kind: "absent" }
  | { readonly kind: "v1" }
  | { readonly kind: "connected"; readonly connection: Connection }
  | { readonly kind: "expired" };

/** A host that was found by a search is watched this long after the last sign of a printer; the next search finds it again. */
const EXPIRY_MS = 600_000;

/** A shorter connection counts as a failed attempt: a printer that floods is dropped within a second. */
const SHORT_CONNECTION_MS = 5000;

const noReply = ({ host, udpPort }: HostAddress): string =>
  `${host} does not answer on UDP port ${udpPort}: check its address, that it is switched on, and the network between`;

/** Watches a host: connects to the printer there, reads its state, and connects again after the connection was lost. */
export class WatchedHost {
  readonly #options: WatchedHostOptions;
  readonly #closing = new AbortController();
  #reply: Reply | undefined;
  /** Whether the host has replied since the last attempt to connect. */
  #hasNewReply = false;
  /** The printer that is or was there. */
  #found: FoundPrinter | undefined;
  #presence: Presence = { kind: "absent" };
  #failure: string | undefined;
  #connectionEndedMs = -Infinity;
  /** Ends the wait for the next attempt. */
  #endWait = (): void => {};
  #onStatus: (status: Status) => void = () => {};
  #watching: Promise<void> | undefined;

  constructor(options: WatchedHostOptions) {
    this.#options = options;
    if (options.isKnown) this.#start();
  }

  get address(): HostAddress {
    return this.#options.address;
  }

  /** Whether printers at this host reply from the IP address. */
  isAt(ipAddress: string): boolean {
    return ipAddress === this.address.host || ipAddress === this.#reply?.ipAddress;
  }

  /** The printer that is or was there. */
  found(): FoundPrinter | undefined {
    return this.#found;
  }

  isConnected(): boolean {
    if (this.#presence.kind === "v1") return this.#silentMs() < this.#options.timing.deadMs;
    return this.#presence.kind === "connected";
  }

  /** Why the last attempt to connect failed; without a full stop. */
  failure(): string | undefined {
    return this.#failure;
  }

  /** Whether it is not watched any more, since no printer replied. */
  isExpired(): boolean {
    return this.#presence.kind === "expired";
  }

  /** Notes a discovery reply of the host, and connects to the printer now. */
  noteReply(content: DiscoveryReply, ipAddress: string): void {
    this.#note(content, ipAddress);
    this.#endWait();
    this.#start();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watching;
  }

  #start(): void {
    this.#watching ??= this.#watch();
  }

  async #watch(): Promise<void> {
    const [firstMs, lastMs] = this.#options.timing.backoffMs;
    let waitMs = firstMs;
    while (!this.#closing.signal.aborted) {
      const hadPrinter = await this.#attempt();
      this.#dropSilentV1();
      if (this.#isOverdue()) {
        this.#presence = { kind: "expired" };
        return;
      }
      waitMs = hadPrinter ? firstMs : Math.min(2 * waitMs, lastMs);
      await this.#waitForReply(waitMs);
    }
  }

  /** Asks who is there and stays with that printer. False where no printer was there, or only briefly. */
  async #attempt(): Promise<boolean> {
    // It asks after each connection too, since another printer may have got the address.
    const refusal = this.#hasNewReply ? undefined : await this.#discover();
    if (!this.#hasNewReply) return refusal ?? this.#fail(noReply(this.address));
    const hadPrinter = await this.#serve(this.#reply!);
    this.#hasNewReply = false;
    return hadPrinter;
  }

  /** Asks the host for a discovery reply until it sends one, for `probeMs` at most. False if that cannot be used. */
  async #discover(): Promise<false | undefined> {
    const { host, udpPort: port } = this.address;
    const replied = new AbortController();
    const { timing } = this.#options;
    const signal = AbortSignal.any([replied.signal, this.#closing.signal, AbortSignal.timeout(timing.probeMs)]);
    const targets = { hosts: [{ host, port }], interfaceAddresses: [], port };
    let refusal: false | undefined;
    await search(targets, timing, signal, (answer, ipAddress) => {
      if (isUnusable(answer)) refusal = this.#refuse(answer.whyUnusable, answer, ipAddress);
      else this.#note(answer, ipAddress);
      replied.abort();
    });
    return refusal;
  }

  /** Serves the printer that replied as long as it is there. False where no connection came about or it ended soon. */
  async #serve({ content, ipAddress }: Reply): Promise<boolean> {
    const { mainboardId, name, machineName, resolution, version } = content;
    const { connectedBoards } = this.#options;
    const printerType = sdcpPrinterType(machineName, resolution);
    if (!printerType) return this.#refuse(whyNoSdcpType(machineName, resolution), content, ipAddress);
    if (connectedBoards.has(mainboardId))
      return this.#fail(`the printer at ${ipAddress} is connected under another name or address`);
    connectedBoards.add(mainboardId);
    try {
      if (version === "V3") return await this.#serveV3(content, ipAddress);
      this.#identify(mainboardId, name, printerType);
      await this.#serveV1();
      return true;
    } finally {
      connectedBoards.delete(mainboardId);
    }
  }

  async #serveV1(): Promise<void> {
    const { onChange, timing } = this.#options;
    if (this.#presence.kind !== "v1") onChange();
    this.#presence = { kind: "v1" };
    await pause(timing.idlePollMs, this.#closing.signal);
  }

  /** Connects to a printer of V3 and waits until the connection ends. */
  async #serveV3(content: DiscoveryReply, ipAddress: string): Promise<boolean> {
    this.#presence = { kind: "absent" };
    const { port } = this.address;
    const leaving = new AbortController();
    try {
      const connection = await this.#connect(content.mainboardId, ipAddress, leaving.signal);
      const reported = connection.attributes();
      const machineName = reported.machineName || content.machineName;
      const printerType = sdcpPrinterType(machineName, reported.resolution);
      if (!printerType)
        return this.#refuse(whyNoSdcpType(machineName, reported.resolution), { ...content, machineName }, ipAddress);
      this.#identify(content.mainboardId, reported.name || content.name, printerType);
      return await this.#stayConnected(connection);
    } catch (thrown) {
      const why = `it takes no connection on port ${port} (${(thrown as Error).message}): restart the printer, and close other programs that are connected to it`;
      // A printer that was connected before may only be starting.
      return this.#found ? this.#fail(`${ipAddress}: ${why}`) : this.#refuse(why, content, ipAddress);
    } finally {
      this.#presence = { kind: "absent" };
      leaving.abort();
    }
  }

  #connect(mainboardId: string, host: string, leaving: AbortSignal): Promise<Connection> {
    const { timing } = this.#options;
    const onStatus = (status: Status): void => this.#onStatus(status);
    const signal = AbortSignal.any([this.#closing.signal, leaving]);
    return openConnection({ host, port: this.address.port, mainboardId, timing, onStatus }, signal);
  }

  /** Waits until the connection ends. False where that was soon, as for a flood: then the waits between attempts grow. */
  async #stayConnected(connection: Connection): Promise<boolean> {
    const { onChange } = this.#options;
    this.#presence = { kind: "connected", connection };
    onChange();
    const beganMs = performance.now();
    const reason = await connection.ended;
    this.#presence = { kind: "absent" };
    this.#failure = reason;
    if (!this.#closing.signal.aborted) onChange(reason);
    this.#connectionEndedMs = performance.now();
    return this.#connectionEndedMs - beganMs > SHORT_CONNECTION_MS;
  }

  /** Notes which printer is there. Its object is kept over connections, since it knows the jobs on their way. */
  #identify(mainboardId: string, name: string, printerType: PrinterType): void {
    const printer =
      this.#found?.mainboardId === mainboardId
        ? this.#found.printer
        : this.#options.makePrinter(this.#viewOf(mainboardId), printerType);
    this.#found = { mainboardId, name, printer };
  }

  #viewOf(mainboardId: string): HostView {
    return {
      mainboardId,
      address: this.address,
      discoveryReply: () => this.#reply!.content,
      ipAddress: () => this.#reply!.ipAddress,
      onStatus: (listener) => {
        this.#onStatus = listener;
      },
      connection: () =>
        this.#presence.kind === "connected" && this.#found?.mainboardId === mainboardId
          ? this.#presence.connection
          : undefined,
      closing: this.#closing.signal,
    };
  }

  #note(content: DiscoveryReply, ipAddress: string): void {
    this.#reply = { content, ipAddress, atMs: performance.now() };
    this.#hasNewReply = true;
    if (content.status) this.#onStatus(content.status);
  }

  /** Keeps why an attempt failed. */
  #fail(why: string): false {
    const isFirst = this.#failure === undefined && !this.#found;
    this.#failure = why;
    if (isFirst && !this.#closing.signal.aborted) this.#options.onUnreached(why);
    return false;
  }

  /** Keeps why the printer that answered cannot be used. */
  #refuse(why: string, answer: DiscoveryAnswer, ipAddress: string): false {
    this.#failure = `the printer at ${ipAddress} cannot be used: ${why}`;
    if (!this.#closing.signal.aborted) this.#options.onUnusable(why, answer, ipAddress);
    return false;
  }

  #dropSilentV1(): void {
    if (this.#presence.kind !== "v1" || this.#silentMs() <= this.#options.timing.deadMs) return;
    this.#presence = { kind: "absent" };
    this.#options.onChange(`it was not heard for ${Math.round(this.#silentMs() / 1000)} s`);
  }

  #isOverdue(): boolean {
    const sinceMs = Math.min(this.#silentMs(), performance.now() - this.#connectionEndedMs);
    return !this.#options.isKnown && sinceMs > EXPIRY_MS;
  }

  #silentMs(): number {
    return performance.now() - (this.#reply?.atMs ?? -Infinity);
  }

  async #waitForReply(ms: number): Promise<void> {
    const replied = new AbortController();
    this.#endWait = () => replied.abort();
    await pause(ms, AbortSignal.any([replied.signal, this.#closing.signal]));
  }
}
