import { lookup } from "node:dns/promises";
import type { EventLog } from "../../core/event-log.ts";
import { type KnownPrinter, portOf } from "../known-printers.ts";
import type { Protocol } from "../printer.ts";
import { type StartWatch, newStartWatch } from "../start-watch.ts";
import type { Machine, PollTiming } from "./machine.ts";
import { type PolledPrinter, newPolledPrinter } from "./polled-printer.ts";
import { pause } from "../waiting.ts";

/** Where a machine is, or may be. */
export interface PolledHost {
  /** The root of its interface. */
  readonly base: URL;
  readonly known: KnownPrinter;
  /** What it says of itself where it announces itself. */
  readonly announced?: Announcement | undefined;
}

export interface Announcement {
  readonly host: string;
  readonly port: number;
  readonly hostname: string;
  readonly model: string;
}

/** What the protocols of such machines are opened with. */
export interface PolledOptions {
  /** Of all protocols. */
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
  /** Of the machines' interface, where it is not told. */
  readonly port: number;
  /** Asks what is there. Throws where it is nothing that this protocol is for. */
  identify(host: PolledHost, timing: PollTiming, signal: AbortSignal): Promise<Machine>;
  /** Tells of machines that announce themselves, until the signal is aborted; absent where none do. Never rejects. */
  listen?: Listen;
  readonly timing: PollTiming;
  readonly log: EventLog;
}

/** A host that is asked again and again. */
interface Entry {
  readonly host: PolledHost;
  readonly startWatch: StartWatch;
  /** Why the last question failed; undefined where it was answered. */
  failure?: string | undefined;
  /** Once it has told what it is. */
  polled?: PolledPrinter | undefined;
  /** The question that is on its way. */
  asking?: Promise<void> | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** Hosts that may be found in a network beside the known ones: each costs a connection every few seconds. */
const MAX_FOUND = 64;
/** Between two tries to reach known printers during a search. */
const SEARCH_INTERVAL_MS = 2000;

/** The protocol of machines that answer over HTTP and are asked for their state: the known ones from now on, others once a search finds them. */
export function polledProtocol({
  protocol,
  known: all,
  port,
  identify,
  listen,
  timing,
  log,
}: PolledProtocolOptions): Protocol {
  const known = all.filter((one) => one.protocol === protocol);
  const closing = new AbortController();
  const entries = new Map<string, Entry>();

  function add(one: KnownPrinter, announced?: Announcement): Entry {
    const name = one.host.includes(":") ? `[${one.host}]` : one.host;
    const host = {
      base: new URL(`${one.isSecure ? "https" : "http"}://${name}:${portOf(one, port)}/`),
      known: one,
      announced,
    };
    const entry = entries.get(host.base.href) ?? { host, startWatch: newStartWatch(timing.busyPollMs) };
    entries.set(host.base.href, entry);
    return entry;
  }

  const isKnown = ({ host }: Entry): boolean => known.includes(host.known);
  const namesOf = ({ host: { known: one, base } }: Entry): string[] =>
    [one.name, one.host, base.host, `${base.hostname}:${portOf(one, port)}`].filter((name) => name !== undefined);

  /** Asks once, unless that is under way, and again when the answer is out of date. */
  function ask(entry: Entry): Promise<void> {
    if (closing.signal.aborted) return Promise.resolve();
    clearTimeout(entry.timer);
    return (entry.asking ??= askOnce(entry).finally(() => {
      entry.asking = undefined;
      const isKept = entry.polled !== undefined || isKnown(entry) || entry.startWatch.mayPrint();
      if (!isKept) entries.delete(entry.host.base.href);
      else if (!closing.signal.aborted) {
        entry.timer = setTimeout(() => void ask(entry), entry.polled?.pollAfterMs() ?? timing.idlePollMs);
      }
    }));
  }

  async function askOnce(entry: Entry): Promise<void> {
    const { host, startWatch, polled } = entry;
    try {
      if (polled && !polled.machine.problem) {
        await polled.poll(closing.signal);
        entry.failure = undefined;
        return;
      }
      const machine = distinct(entry, await identify(host, timing, closing.signal));
      const status = await machine.api.status(closing.signal);
      entry.failure = undefined;
      const ipAddress = await addressOf(host.base.hostname);
      entry.polled = newPolledPrinter({ machine, ipAddress, status, startWatch, timing });
      if (!polled) log.write("printer found", { printer: machine.id });
    } catch (thrown) {
      if (closing.signal.aborted) return;
      const isNew = entry.failure === undefined;
      entry.failure = (thrown as Error).message;
      if (!polled) {
        if (isNew && isKnown(entry))
          log.write("printer not reached", { printer: namesOf(entry)[0], reason: entry.failure });
        return;
      }
      // What it is may have changed when it is back.
      if (polled.isConnected()) return;
      entry.polled = undefined;
      log.write("printer lost", { printer: polled.printer.id, reason: entry.failure });
    }
  }

  /** All new machines have the same name: those that have one which is taken are told apart by their addresses. */
  const distinct = (own: Entry, machine: Machine): Machine => {
    const isTaken = [...entries.values()].some((one) => one !== own && one.polled?.printer.id === machine.id);
    return isTaken ? { ...machine, id: `${machine.id} (${own.host.base.host})` } : machine;
  };

  /** A known printer may have been given by its name. */
  const isConnectedAt = (announced: Announcement): boolean =>
    [...entries.values()].some(({ host: { known }, polled }) => {
      const device = polled?.printer.describe() ?? {};
      return "ip_address" in device && device.ip_address === announced.host && portOf(known, port) === announced.port;
    });

  async function search(_: string | undefined, signal: AbortSignal): Promise<void> {
    const listening = listen?.((announced) => {
      if (entries.size < known.length + MAX_FOUND && !isConnectedAt(announced)) {
        const { host, port } = announced;
        void ask(add({ protocol, host, port }, announced));
      }
    }, signal);
    while (!signal.aborted) {
      for (const entry of entries.values()) if (!entry.polled) void ask(entry);
      await pause(SEARCH_INTERVAL_MS, signal);
    }
    await listening;
  }

  for (const one of known) void ask(add(one));
  return {
    connected: () =>
      [...entries.values()].flatMap(({ polled }) => (polled?.isConnected() === true ? [polled.printer] : [])),
    missing: () =>
      [...entries.values()]
        .filter((entry) => isKnown(entry) && entry.polled?.isConnected() !== true)
        .map((entry) => ({
          names: namesOf(entry),
          why: entry.failure ?? entry.polled?.failure() ?? "it has not answered yet",
        })),
    // Where nothing can be found, a request need not wait.
    ...((known.length > 0 || listen) && { search }),
    async close() {
      closing.abort();
      for (const { timer } of entries.values()) clearTimeout(timer);
      await Promise.all([...entries.values()].map(({ asking }) => asking));
    },
  };
}

const addressOf = (host: string): Promise<string | undefined> =>
  lookup(host.replace(/^\[|\]$/g, "")).then(
    ({ address }) => address,
    () => undefined,
  );
