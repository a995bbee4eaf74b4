import { lookup } from "node:dns/promises";
import type { EventLog } from "../../core/event-log.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { type KnownPrinter, portOf } from "../known-printers.ts";
import type { MissingPrinter, Printer, Protocol } from "../printer.ts";
import { type StartWatch, newStartWatch } from "../start-watch.ts";
import { HttpFailure } from "../http-failure.ts";
import { type UnusablePrinter, UnusablePrinters } from "../unusable-printers.ts";
import type { Machine, PollTiming } from "./machine.ts";
import { PolledPrinter } from "./polled-printer.ts";
import { transferToMachine } from "./transfer-to-machine.ts";
import { pause } from "../waiting.ts";

/** A host at which a machine is, or may be. */
export interface PolledHost {
  /** The root of its interface. */
  readonly base: URL;
  readonly known: KnownPrinter;
  /** Its announcement, where it was found by one. */
  readonly announced?: Announcement | undefined;
}

/** What a machine announced of itself by DNS-SD (RFC 6763), which is not proven until it is asked. */
export interface Announcement {
  /** IPv4. */
  readonly host: string;
  readonly port: number;
  /** Without the domain; empty where it is not announced. */
  readonly hostname: string;
  /** Its model, else its name, as announced. */
  readonly model: string;
}

/** Options that the protocols of polled machines have in common. */
export interface PolledOptions {
  /** The printers of all protocols. */
  readonly known: readonly KnownPrinter[];
  /** See `networkInterfaces`. */
  readonly discoveryAddresses?: readonly string[] | undefined;
  readonly log?: EventLog;
  readonly timing?: PollTiming;
}

export type Listen = (found: (announced: Announcement) => void, signal: AbortSignal) => Promise<void>;

interface PolledProtocolOptions {
  readonly protocol: KnownPrinter["protocol"];
  /** The printers of all protocols. */
  readonly known: readonly KnownPrinter[];
  /** The port of the machines' interface where none is given. */
  readonly port: number;
  /** Identifies the machine at a host. Throws where it is none of this protocol. */
  identify(host: PolledHost, timing: PollTiming, signal: AbortSignal): Promise<Machine>;
  /** Reports machines that announce themselves, until the signal is aborted; absent where none do. Never rejects. */
  listen?: Listen;
  readonly timing: PollTiming;
  readonly log: EventLog;
}

/** Most hosts that searches may add to the known ones: each costs a connection every few seconds. */
const MAX_FOUND = 64;
/** Between two attempts to reach hosts during a search. */
const SEARCH_INTERVAL_MS = 2000;

/** The protocol of machines that are asked for their state over HTTP: known ones are asked from now on, others once a search finds them. */
export function polledProtocol(options: PolledProtocolOptions): Protocol {
  const { protocol, known, listen } = options;
  const hosts = new PolledHosts({ ...options, known: known.filter((one) => one.protocol === protocol) });

  async function search(_: string | undefined, signal: AbortSignal): Promise<void> {
    const listening = listen?.((announcement) => hosts.noteAnnouncement(announcement), signal);
    while (!signal.aborted) {
      hosts.askUnidentified();
      await pause(SEARCH_INTERVAL_MS, signal);
    }
    await listening;
  }

  return {
    connected: () => hosts.connectedPrinters(),
    missing: () => hosts.missing(),
    unusable: () => hosts.unusable(),
    // Where nothing can be found, a request need not wait.
    ...((hosts.hasKnown || listen) && { search }),
    close: () => hosts.close(),
  };
}

/** A host that is asked repeatedly. */
interface Polling {
  readonly host: PolledHost;
  readonly startWatch: StartWatch;
  /** Why the last question failed; undefined where it was answered. */
  failure?: string | undefined;
  /** The printer, once the machine was identified. */
  polled?: PolledPrinter | undefined;
  /** The question that is on its way. */
  asking?: Promise<void> | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** The hosts that are asked: the known ones, and those that searches have found. */
class PolledHosts {
  readonly #options: PolledProtocolOptions;
  readonly #closing = new AbortController();
  /** By the roots of their interfaces. */
  readonly #pollings = new Map<string, Polling>();
  readonly #unusable: UnusablePrinters;

  /** `known` has the printers of this protocol only. */
  constructor(options: PolledProtocolOptions) {
    this.#options = options;
    this.#unusable = new UnusablePrinters(options.log);
    for (const one of options.known) void this.#ask(this.#add(one));
  }

  get hasKnown(): boolean {
    return this.#options.known.length > 0;
  }

  connectedPrinters(): Printer[] {
    return this.#all().flatMap(({ polled }) => (polled?.isConnected() === true ? [polled.printer] : []));
  }

  missing(): MissingPrinter[] {
    return this.#all()
      .filter((one) => this.#isKnown(one) && one.polled?.isConnected() !== true)
      .map((one) => ({
        names: this.#namesOf(one),
        why: one.failure ?? one.polled?.failure() ?? "it has not answered yet",
      }));
  }

  /** The hosts whose machines cannot be used, and the machines that accept no orders. */
  unusable(): UnusablePrinter[] {
    const locked = this.#all().flatMap(({ polled }) => {
      const problem = polled?.isConnected() === true ? polled.machine.problem : undefined;
      if (!polled || !problem) return [];
      const { id, product_name: productName } = polled.printer.describe();
      return [{ id, productName, reason: problem.message }];
    });
    return [...this.#unusable.list(), ...locked];
  }

  askUnidentified(): void {
    for (const one of this.#pollings.values()) if (!one.polled) void this.#ask(one);
  }

  /** Asks the host of an announcement from now on, unless that is already connected or too many were found. */
  noteAnnouncement(announcement: Announcement): void {
    const { known, protocol } = this.#options;
    if (this.#pollings.size >= known.length + MAX_FOUND || this.#isConnectedAt(announcement)) return;
    const { host, port } = announcement;
    void this.#ask(this.#add({ protocol, host, port }, announcement));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const { timer } of this.#all()) clearTimeout(timer);
    await Promise.all(this.#all().map(({ asking }) => asking));
  }

  #all(): Polling[] {
    return [...this.#pollings.values()];
  }

  #add(known: KnownPrinter, announced?: Announcement): Polling {
    const { port, timing } = this.#options;
    const name = known.host.includes(":") ? `[${known.host}]` : known.host;
    const base = new URL(`${known.isSecure ? "https" : "http"}://${name}:${portOf(known, port)}/`);
    return getOrInsert(this.#pollings, base.href, () => ({
      host: { base, known, announced },
      startWatch: newStartWatch(timing.busyPollMs),
    }));
  }

  #isKnown({ host }: Polling): boolean {
    return this.#options.known.includes(host.known);
  }

  #namesOf({ host: { known, base } }: Polling): string[] {
    const address = `${base.hostname}:${portOf(known, this.#options.port)}`;
    return [known.name, known.host, base.host, address].filter((name) => name !== undefined);
  }

  /** Asks once, unless that is under way, and again when the answer is out of date. */
  #ask(polling: Polling): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve();
    clearTimeout(polling.timer);
    return (polling.asking ??= this.#askOnce(polling).finally(() => {
      polling.asking = undefined;
      this.#scheduleNext(polling);
    }));
  }

  /** Hosts that are neither known nor identified are dropped, unless they may be printing. */
  #scheduleNext(polling: Polling): void {
    const isKept = polling.polled !== undefined || this.#isKnown(polling) || polling.startWatch.mayPrint();
    if (!isKept) {
      this.#pollings.delete(polling.host.base.href);
      return;
    }
    clearTimeout(polling.timer);
    if (this.#closing.signal.aborted) return;
    const waitMs = polling.polled?.pollAfterMs() ?? this.#options.timing.idlePollMs;
    polling.timer = setTimeout(() => void this.#ask(polling), waitMs);
  }

  async #askOnce(polling: Polling): Promise<void> {
    const { polled } = polling;
    try {
      if (polled && !polled.machine.problem) await polled.poll(this.#closing.signal);
      else await this.#identify(polling);
      polling.failure = undefined;
    } catch (thrown) {
      if (!this.#closing.signal.aborted) this.#noteFailure(polling, thrown as Error);
    }
  }

  async #identify(polling: Polling): Promise<void> {
    const { identify, timing, log } = this.#options;
    const { host, startWatch, polled } = polling;
    const machine = this.#withUniqueId(polling, await identify(host, timing, this.#closing.signal));
    const status = await machine.api.status(this.#closing.signal);
    const ipAddress = await addressOf(host.base.hostname);
    const onSubmitted = (): void => {
      if (!polling.asking) this.#scheduleNext(polling);
    };
    polling.polled = new PolledPrinter({
      machine,
      ipAddress,
      status,
      askStatus: (signal) => machine.api.status(signal),
      requireFit: (job, signal) => machine.api.requireFit?.(job, signal),
      transfer: (job, spooled, events) => transferToMachine(machine, job, spooled, timing, events),
      startWatch,
      timing,
      onSubmitted,
    });
    this.#unusable.remove(host.base.href);
    if (!polled) log.write("printer found", { printer: machine.id, reason: machine.problem?.message });
  }

  #noteFailure(polling: Polling, thrown: Error): void {
    const { log } = this.#options;
    const { polled } = polling;
    const reason = thrown.message;
    const isFirst = polling.failure === undefined;
    polling.failure = reason;
    if (!polled) {
      if (hasAnswered(thrown) || polling.host.announced) this.#noteUnusable(polling, reason);
      else if (isFirst && this.#isKnown(polling))
        log.write("printer not reached", { printer: this.#namesOf(polling)[0], reason });
      return;
    }
    if (polled.isConnected()) return;
    // Another machine may be there when the host answers again, so it is identified anew.
    polling.polled = undefined;
    log.write("printer lost", { printer: polled.printer.id, reason });
  }

  #noteUnusable(polling: Polling, reason: string): void {
    const { base, announced } = polling.host;
    const [name = base.host] = this.#namesOf(polling);
    const id = announced?.hostname || announced?.model || name;
    const missingAs = this.#isKnown(polling) ? name : undefined;
    const productName = announced?.model ?? "";
    this.#unusable.note(base.href, { id, productName, ipAddress: announced?.host, missingAs, reason });
  }

  /** Factory names are equal: the address is appended where the name is taken. */
  #withUniqueId(own: Polling, machine: Machine): Machine {
    const isTaken = this.#all().some((one) => one !== own && one.polled?.printer.id === machine.id);
    return isTaken ? { ...machine, id: `${machine.id} (${own.host.base.host})` } : machine;
  }

  /** By IP address: a known printer may have been given by its host name. */
  #isConnectedAt(announcement: Announcement): boolean {
    return this.#all().some(({ host: { known }, polled }) => {
      const device = polled?.printer.describe() ?? {};
      const isSameAddress = "ip_address" in device && device.ip_address === announcement.host;
      return isSameAddress && portOf(known, this.#options.port) === announcement.port;
    });
  }
}

const hasAnswered = (thrown: Error): boolean => !(thrown instanceof HttpFailure) || thrown.kind === "unusable";

const addressOf = (host: string): Promise<string | undefined> =>
  lookup(host.replace(/^\[|\]$/g, "")).then(
    ({ address }) => address,
    () => undefined,
  );
