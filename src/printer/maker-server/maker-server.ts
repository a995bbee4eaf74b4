import type { ApiError } from "../../core/api-error.ts";
import type { EventLog } from "../../core/event-log.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { type KnownPrinter, USUAL_PORTS, portOf } from "../known-printers.ts";
import { MachineRefusal } from "../polled/machine.ts";
import { PolledPrinter } from "../polled/polled-printer.ts";
import type { MissingPrinter, Printer } from "../printer.ts";
import { type StartWatch, newStartWatch } from "../start-watch.ts";
import { type UnusablePrinter, UnusablePrinters } from "../unusable-printers.ts";
import {
  type ListedDevice,
  askDevice,
  factsOf,
  listDevices,
  notListed,
  problemOf,
  statusOf,
} from "./listed-devices.ts";
import { MakerCalls, type MakerTiming } from "./maker-calls.ts";
import { deleteScene } from "./scene-there.ts";
import { type SharedFolder, removeStaleJobFiles } from "./shared-folder.ts";
import { transferToMaker } from "./transfer-to-maker.ts";

/** A server of the maker that is asked for its printers repeatedly. */
export class MakerServer {
  readonly #known: KnownPrinter;
  readonly #timing: MakerTiming;
  readonly #log: EventLog;
  readonly #calls: MakerCalls;
  readonly #folder: SharedFolder;
  /** Why it gets no jobs. */
  readonly #problem: ApiError | undefined;
  readonly #closing = new AbortController();
  /** By their ids. */
  readonly #printers = new Map<string, PolledPrinter>();
  /** They outlive the connections to the printers. */
  readonly #startWatches = new Map<string, StartWatch>();
  /** Those of products that the catalog lacks, by their ids. */
  readonly #unknown: UnusablePrinters;
  /** Scenes of jobs that could not be deleted. */
  readonly #leftScenes = new Set<string>();
  /** Why the last question was not answered; undefined where it was, and before the first one. */
  #failure: string | undefined;
  #hasAnswered = false;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(known: KnownPrinter, timing: MakerTiming, log: EventLog) {
    this.#known = known;
    this.#timing = timing;
    this.#log = log;
    this.#unknown = new UnusablePrinters(log);
    const host = known.host.includes(":") ? `[${known.host}]` : known.host;
    const base = new URL(`${known.isSecure ? "https" : "http"}://${host}:${portOf(known, USUAL_PORTS.preform)}/`);
    this.#calls = new MakerCalls(base, timing);
    this.#folder = { here: known.sharedFolder, there: known.sharedFolderThere };
    this.#problem = problemOf(known);
    void removeStaleJobFiles(this.#folder);
    void this.ask();
  }

  connectedPrinters(): Printer[] {
    return [...this.#printers.values()].flatMap((one) => (one.isConnected() ? [one.printer] : []));
  }

  /** The printers of products that the catalog lacks, and all where the server gets no jobs. */
  unusable(): UnusablePrinter[] {
    const unknown = this.#unknown.list();
    if (!this.#problem) return unknown;
    const { message: reason } = this.#problem;
    const idle = this.connectedPrinters().map((one) => ({
      id: one.id,
      productName: one.describe().product_name,
      reason,
    }));
    return [...unknown, ...idle];
  }

  /** The server, where it does not answer, and the printers of the file that it does not list. */
  missing(): MissingPrinter[] {
    const { base } = this.#calls;
    const connected = new Set(this.connectedPrinters().map(({ id }) => id));
    const absent = (this.#known.printers ?? []).filter((name) => !connected.has(name));
    const isAnswering = this.#hasAnswered && this.#failure === undefined;
    const whyUnusable = new Map(this.#unknown.list().map(({ id, reason }) => [id, `cannot be used: ${reason}`]));
    const whyAbsent = (name: string): string =>
      whyUnusable.get(name) ?? this.#printers.get(name)?.failure() ?? notListed(base).message;
    if (isAnswering) return absent.map((name) => ({ names: [name], why: whyAbsent(name) }));
    const names = [
      this.#known.host,
      base.host,
      `${base.hostname}:${portOf(this.#known, USUAL_PORTS.preform)}`,
      ...absent,
    ];
    return [{ names, why: this.#failure ?? "it has not answered yet" }];
  }

  /** Asks for the printers once, unless that is under way, and again when the answer is out of date. */
  ask(): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve();
    clearTimeout(this.#timer);
    return (this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = undefined;
      this.#scheduleNext();
    }));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#asking;
  }

  #scheduleNext(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    const waits = [...this.#printers.values()].map((one) => one.pollAfterMs());
    this.#timer = setTimeout(() => void this.ask(), Math.min(this.#timing.idlePollMs, ...waits));
  }

  async #askOnce(): Promise<void> {
    const { signal } = this.#closing;
    try {
      const devices = await listDevices(this.#calls, signal);
      this.#failure = undefined;
      this.#hasAnswered = true;
      this.#noteDevices(devices);
      for (const scene of this.#leftScenes) await this.#dropScene(scene);
    } catch (thrown) {
      if (!signal.aborted) this.#noteFailure(thrown);
    }
  }

  #noteDevices(devices: readonly ListedDevice[]): void {
    for (const device of devices) {
      const known = this.#printers.get(device.id);
      if (known) known.noteStatus(statusOf(device, this.#problem));
      else this.#add(device);
    }
    const ids = new Set(devices.map(({ id }) => id));
    for (const id of this.#printers.keys()) if (!ids.has(id)) this.#noteLoss(id, notListed(this.#calls.base));
  }

  #add(device: ListedDevice): void {
    const { id } = device;
    const machine = factsOf(device, this.#problem);
    if (!machine) return this.#noteUnknown(device);
    this.#unknown.remove(id);
    const timing = this.#timing;
    const askStatus = async (signal: AbortSignal) => statusOf(await askDevice(this.#calls, id, signal), this.#problem);
    const dropScene = (scene: string): Promise<boolean> => this.#dropScene(scene);
    const target = { calls: this.#calls, folder: this.#folder, timing, printer: id, askStatus, dropScene };
    const polled = new PolledPrinter({
      machine,
      ipAddress: device.ip_address || undefined,
      status: statusOf(device, this.#problem),
      askStatus,
      transfer: (job, spooled, events) => transferToMaker(target, job, spooled, events),
      startWatch: getOrInsert(this.#startWatches, id, () => newStartWatch(timing.busyPollMs)),
      timing,
      onSubmitted: () => {
        if (!this.#asking) this.#scheduleNext();
      },
    });
    this.#printers.set(id, polled);
    this.#log.write("printer found", { printer: id, reason: this.#problem?.message });
  }

  #noteUnknown({ id, product_name: productName, ip_address }: ListedDevice): void {
    const missingAs = this.#known.printers?.includes(id) ? id : undefined;
    const reason = `its server lists it as ${JSON.stringify(productName)}, which the catalog does not have: use its maker's program`;
    this.#unknown.note(id, { id, productName, ipAddress: ip_address || undefined, missingAs, reason });
  }

  #noteFailure(thrown: unknown): void {
    const { host } = this.#calls.base;
    const { message } = thrown as Error;
    const reason = thrown instanceof MachineRefusal ? `${host} does not list its printers: ${message}` : message;
    if (this.#failure === undefined && !this.#hasAnswered)
      this.#log.write("printer not reached", { printer: host, reason });
    this.#failure = reason;
    for (const id of this.#printers.keys()) this.#noteLoss(id, thrown);
  }

  /** A printer that gets a job stays connected. */
  #noteLoss(id: string, thrown: unknown): void {
    const polled = this.#printers.get(id);
    polled?.noteFailure(thrown);
    if (!polled || polled.isConnected()) return;
    this.#printers.delete(id);
    this.#log.write("printer lost", { printer: id, reason: (thrown as Error).message });
  }

  async #dropScene(scene: string): Promise<boolean> {
    try {
      await deleteScene(this.#calls, scene, AbortSignal.timeout(this.#timing.cleanupMs));
      this.#leftScenes.delete(scene);
      return true;
    } catch {
      this.#leftScenes.add(scene);
      return false;
    }
  }
}
