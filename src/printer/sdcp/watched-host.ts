import type { PrinterType } from "../../catalog/setting.ts";
import type { Printer } from "../printer.ts";
import { type DiscoveryReply, printerTypeOf } from "./discovery-reply.ts";
import { search } from "./search.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { Status } from "./status.ts";
import type { Timing } from "./timing.ts";
import { pause } from "../waiting.ts";

/** A host at which a printer is, or may be. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly udpPort: number;
}

/** What a printer can ask of its site. */
export interface HostView {
  /** Its own; another printer may get its address. */
  readonly mainboardId: string;
  /** What the printer said last, and from where. */
  announcement(): DiscoveryReply;
  address(): string;
  /** Calls `listener`, in place of the one before, with each status that the printer tells. */
  onStatus(listener: (status: Status) => void): void;
  /** V3 only, and only while it is connected itself. */
  connection(): Connection | undefined;
  readonly place: Place;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

interface SiteOptions {
  readonly place: Place;
  readonly timing: Timing;
  /** Whether it is looked for as long as the server runs. */
  readonly isKnown: boolean;
  /** Ids of the mainboards that sites are connected to: a printer may have two names or addresses, and gets one connection. */
  readonly served: Set<string>;
  makePrinter(view: HostView, printerType: PrinterType): Printer;
  /** Called when the printer there connects, and with the cause when it is lost. */
  changed(lost?: string): void;
  /** Called with the reason of the first try in vain, where none has come about before. */
  missed(why: string): void;
}

/** A printer that is there, with the id of its mainboard. */
export interface FoundPrinter {
  readonly mainboardId: string;
  readonly name: string;
  readonly printer: Printer;
}

/** A place that is watched: the printer there is connected to, asked what it does, and connected to again after it was lost. */
export interface Site {
  /** Whether this is the place of an address that printers answer from. */
  isAt(address: string): boolean;
  readonly place: Place;
  /** The printer that is or was there. */
  found(): FoundPrinter | undefined;
  isConnected(): boolean;
  /** Why the last try to connect was in vain; without a full stop. */
  failure(): string | undefined;
  /** Takes note that a printer there answered, which is connected to now. */
  heard(announcement: DiscoveryReply, address: string): void;
  /** Whether it is looked for no longer, since nothing was heard of it. */
  isForsaken(): boolean;
  close(): Promise<void>;
}

/** A printer that was found by a search is looked for this long after it was heard last; the next search finds it again. */
const FORSAKEN_MS = 600_000;

/** A connection that was lost before was none: a flood is dropped within a second. */
const SHORT_VISIT_MS = 5000;

/** The last answer to a question. */
interface Heard {
  readonly announcement: DiscoveryReply;
  readonly address: string;
  readonly atMs: number;
}

const silent = ({ host, udpPort }: Place): string =>
  `${host} does not answer on UDP port ${udpPort}: check its address, that it is switched on, and the network between`;

const noSuchType = (address: string, machineName: string): string =>
  `the printer at ${address} is ${JSON.stringify(machineName)}, for which there are no jobs here`;

export function newSite(options: SiteOptions): Site {
  const { place, timing, isKnown, served, makePrinter, changed, missed } = options;
  const closing = new AbortController();
  let heard: Heard | undefined;
  let present: FoundPrinter | undefined;
  let connection: Connection | undefined;
  /** Whether it has answered since the last visit. */
  let hasAnswered = false;
  /** Whether a printer of V1, which has no connection, is taken to be there. */
  let isListed = false;
  let isForsaken = false;
  let failure: string | undefined;
  /** When the last connection ended. */
  let leftMs = -Infinity;
  /** Ends the wait for the next try. */
  let wake = (): void => {};
  let hearStatus: (status: Status) => void = () => {};

  const note = (announcement: DiscoveryReply, address: string): void => {
    heard = { announcement, address, atMs: performance.now() };
    hasAnswered = true;
    if (announcement.status) hearStatus(announcement.status);
  };
  const silentMs = (): number => performance.now() - (heard?.atMs ?? -Infinity);
  const viewOf = (mainboardId: string): HostView => ({
    mainboardId,
    announcement: () => heard!.announcement,
    address: () => heard!.address,
    onStatus: (listener) => {
      hearStatus = listener;
    },
    connection: () => (present?.mainboardId === mainboardId ? connection : undefined),
    place,
    closing: closing.signal,
  });

  /** Asks the host who is there, until it answers. */
  async function ask(): Promise<void> {
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, closing.signal, AbortSignal.timeout(timing.probeMs)]);
    const places = { hosts: [{ host: place.host, port: place.udpPort }], interfaceAddresses: [], port: place.udpPort };
    await search(places, timing, signal, (announcement, address) => {
      note(announcement, address);
      answered.abort();
    });
  }

  function meet(mainboardId: string, name: string, printerType: PrinterType): void {
    // The printer outlives its connections: it knows which jobs are on their way.
    const printer =
      present?.mainboardId === mainboardId ? present.printer : makePrinter(viewOf(mainboardId), printerType);
    present = { mainboardId, name, printer };
  }

  /** Keeps why a try was in vain. */
  const fail = (why: string): false => {
    const isFirst = failure === undefined && !present;
    failure = why;
    if (isFirst && !closing.signal.aborted) missed(why);
    return false;
  };

  /** Stays with the printer as long as it is connected. False where nothing came of it, or little. */
  async function visit({ announcement, address }: Heard): Promise<boolean> {
    const { mainboardId, name, machineName, resolution, version } = announcement;
    const printerType = printerTypeOf(machineName, resolution);
    if (!printerType) return fail(noSuchType(address, machineName));
    if (served.has(mainboardId)) return fail(`the printer at ${address} is connected under another name or address`);
    served.add(mainboardId);
    const leaving = new AbortController();
    try {
      if (version === "V1") {
        meet(mainboardId, name, printerType);
        if (!isListed) changed();
        isListed = true;
        await pause(timing.idlePollMs, closing.signal);
        return true;
      }
      isListed = false;
      const signal = AbortSignal.any([closing.signal, leaving.signal]);
      const asked = {
        host: address,
        port: place.port,
        mainboardId,
        timing,
        heard: (status: Status) => hearStatus(status),
      };
      const opened = await openConnection(asked, signal);
      const told = opened.attributes();
      const confirmedType = printerTypeOf(told.machineName || machineName, told.resolution);
      if (!confirmedType) return fail(noSuchType(address, told.machineName));
      meet(mainboardId, told.name || name, confirmedType);
      connection = opened;
      changed();
      const beganMs = performance.now();
      const reason = await opened.ended;
      connection = undefined;
      failure = reason;
      if (!closing.signal.aborted) changed(reason);
      leftMs = performance.now();
      // One that is lost soon, as a flood is, is tried more and more seldom.
      return leftMs - beganMs > SHORT_VISIT_MS;
    } catch (thrown) {
      return fail(
        `${address} answers, but takes no connection on port ${place.port} (${(thrown as Error).message}): restart the printer, and close other programs that are connected to it`,
      );
    } finally {
      connection = undefined;
      leaving.abort();
      served.delete(mainboardId);
    }
  }

  async function watch(): Promise<void> {
    const [firstMs, lastMs] = timing.backoffMs;
    let waitMs = firstMs;
    while (!closing.signal.aborted) {
      // Also after a connection, since another printer may have got the address.
      if (!hasAnswered) await ask();
      if (!hasAnswered) fail(silent(place));
      const isThere = hasAnswered && (await visit(heard!));
      hasAnswered = false;
      if (isListed && silentMs() > timing.deadMs) {
        isListed = false;
        changed(`it was not heard for ${Math.round(silentMs() / 1000)} s`);
      }
      if (!isKnown && Math.min(silentMs(), performance.now() - leftMs) > FORSAKEN_MS) break;
      waitMs = isThere ? firstMs : Math.min(2 * waitMs, lastMs);
      const waking = new AbortController();
      wake = () => waking.abort();
      await pause(waitMs, AbortSignal.any([waking.signal, closing.signal]));
    }
    isForsaken = true;
  }

  let watching: Promise<void> | undefined;
  const start = (): void => void (watching ??= watch());
  if (isKnown) start();
  return {
    place,
    isAt: (address) => address === place.host || address === heard?.address,
    found: () => present,
    failure: () => failure,
    isConnected: () => connection !== undefined || (isListed && silentMs() < timing.deadMs),
    heard(announcement, address) {
      note(announcement, address);
      wake();
      start();
    },
    isForsaken: () => isForsaken,
    async close() {
      closing.abort();
      await watching;
    },
  };
}
