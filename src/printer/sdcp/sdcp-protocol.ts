import { isIP } from "node:net";
import { type EventLog, noLog } from "../../core/event-log.ts";
import { type KnownPrinter, USUAL_PORTS } from "../known-printers.ts";
import type { Printer, Protocol } from "../printer.ts";
import { V1Printer } from "../sdcp-v1/v1-printer.ts";
import { type UnusablePrinter, UnusablePrinters } from "../unusable-printers.ts";
import { sdcpPrinterType } from "./discovery-reply.ts";
import type { FoundPrinter, HostAddress } from "./host-view.ts";
import { SdcpPrinter } from "./sdcp-printer.ts";
import { search } from "./search.ts";
import { TIMING, type Timing } from "./timing.ts";
import { type DiscoveryAnswer, isUnusable, whyNoSdcpType } from "./unusable-reply.ts";
import { WatchedHost } from "./watched-host.ts";

export interface SdcpOptions {
  /** The printers of all protocols from the command line and the printers file. */
  readonly known: readonly KnownPrinter[];
  /** See {@link networkInterfaces}. */
  readonly discoveryAddresses?: readonly string[] | undefined;
  /** The address of this machine from which printers of version 1 may fetch jobs; undefined where none may. */
  readonly v1Host?: string | undefined;
  /** The ports of printers that are given without one; a given port is used for both. */
  readonly ports?: { readonly udp: number; readonly tcp: number };
  readonly timing?: Timing;
  readonly log?: EventLog;
}

const PORTS = { udp: 3000, tcp: USUAL_PORTS.sdcp };

/** Most hosts found by searches that are watched at the same time; no shop has more printers. */
const MAX_FOUND = 256;

/** The protocol of Elegoo's resin printers. Known printers are looked for from now on, others in searches. */
export function sdcpProtocol(options: SdcpOptions): Protocol {
  const hosts = new SdcpHosts(options);
  const { discoveryAddresses, ports = PORTS, timing = TIMING } = options;

  function searchNetwork(target: string | undefined, signal: AbortSignal): Promise<void> {
    hosts.removeExpired();
    const asked = hosts.all().map(({ address: { host, udpPort } }) => ({ host, port: udpPort }));
    if (target !== undefined && isIP(target) !== 0 && !asked.some(({ host }) => host === target)) {
      asked.push({ host: target, port: ports.udp });
    }
    const targets = { hosts: asked, interfaceAddresses: discoveryAddresses, port: ports.udp };
    return search(targets, timing, signal, (answer, ipAddress) => hosts.noteAnswer(answer, ipAddress));
  }

  return {
    connected: () => hosts.connectedPrinters(),
    missing: () =>
      hosts.known
        .filter(({ host }) => !host.isConnected())
        .map(({ names, host }) => ({ names, why: host.failure() ?? "it has not answered yet" })),
    unusable: () => hosts.unusable(),
    ...((discoveryAddresses?.length !== 0 || hosts.known.length > 0) && { search: searchNetwork }),
    async close() {
      await Promise.all(hosts.all().map((host) => host.close()));
    },
  };
}

/** A host that was given at the start, with the names under which requests find it. */
interface KnownHost {
  readonly names: readonly string[];
  readonly host: WatchedHost;
}

/** The hosts that are watched, known ones and those that searches have found, and the names of their printers. */
class SdcpHosts {
  readonly known: readonly KnownHost[];
  readonly #options: SdcpOptions;
  readonly #ports: NonNullable<SdcpOptions["ports"]>;
  readonly #connectedBoards = new Set<string>();
  readonly #unusable: UnusablePrinters;
  #found: readonly WatchedHost[] = [];

  constructor(options: SdcpOptions) {
    this.#options = options;
    this.#unusable = new UnusablePrinters(options.log ?? noLog);
    const ports = options.ports ?? PORTS;
    this.#ports = ports;
    this.known = options.known
      .filter(({ protocol }) => protocol === "sdcp")
      .map((known) => ({
        names: namesOf(known, ports.tcp),
        host: this.#watch(addressOf(known, ports), known),
      }));
  }

  all(): WatchedHost[] {
    return [...this.known.map(({ host }) => host), ...this.#found];
  }

  /** Each connected printer once. */
  connectedPrinters(): FoundPrinter["printer"][] {
    const found = this.all().flatMap((host) => (host.isConnected() ? [host.found()!] : []));
    return [...new Map(found.map(({ mainboardId, printer }) => [mainboardId, printer])).values()];
  }

  removeExpired(): void {
    this.#found = this.#found.filter((host) => !host.isExpired());
  }

  /** The printers that answered and cannot be used, and those that are connected and get no jobs. */
  unusable(): UnusablePrinter[] {
    const idle = this.connectedPrinters().flatMap((printer) => {
      const reason = problemOf(printer);
      return reason === undefined ? [] : [{ id: printer.id, productName: printer.describe().product_name, reason }];
    });
    return [...this.#unusable.list(), ...idle];
  }

  /** Notes the answer of a printer to a search; watches its host from now on where that is new and the printer can be used. */
  noteAnswer(answer: DiscoveryAnswer, ipAddress: string): void {
    if (isUnusable(answer)) return this.#noteUnusable(answer.whyUnusable, answer, ipAddress);
    let host = this.all().find((one) => one.isAt(ipAddress));
    if (!host) {
      const { machineName, resolution } = answer;
      if (!sdcpPrinterType(machineName, resolution))
        return this.#noteUnusable(whyNoSdcpType(machineName, resolution), answer, ipAddress);
      if (this.#found.length >= MAX_FOUND) return;
      host = this.#watch({ host: ipAddress, port: this.#ports.tcp, udpPort: this.#ports.udp });
      this.#found = [...this.#found, host];
    }
    host.noteReply(answer, ipAddress);
  }

  #noteUnusable(reason: string, answer: DiscoveryAnswer, ipAddress: string, known?: KnownPrinter): void {
    const { mainboardId, name, machineName: productName } = answer;
    const id = known?.name ?? (name || ipAddress);
    const missingAs = known && (known.name ?? known.host);
    this.#unusable.note(mainboardId || ipAddress, { id, productName, ipAddress, missingAs, reason });
  }

  #watch(address: HostAddress, known?: KnownPrinter): WatchedHost {
    const isKnown = known !== undefined;
    const givenName = known?.name;
    const { timing = TIMING, log = noLog, v1Host } = this.#options;
    const host: WatchedHost = new WatchedHost({
      address,
      timing,
      isKnown,
      connectedBoards: this.#connectedBoards,
      makePrinter: (view, printerType) => {
        const of = { host: view, printerType, timing, names: () => this.#namesOf(host, givenName) };
        return view.discoveryReply().version === "V1" ? new V1Printer({ ...of, v1Host }) : new SdcpPrinter(of);
      },
      onChange: (reason) => {
        const printer = this.#namesOf(host, givenName).id;
        if (reason === undefined) this.#unusable.remove(host.found()!.mainboardId);
        if (reason === undefined) log.write("printer found", { printer, reason: problemOf(host.found()!.printer) });
        else log.write("printer lost", { printer, reason });
      },
      onUnreached: (reason) => {
        if (isKnown) log.write("printer not reached", { printer: givenName ?? address.host, reason });
      },
      onUnusable: (reason, answer, ipAddress) => this.#noteUnusable(reason, answer, ipAddress, known),
    });
    return host;
  }

  /** The id of a printer and its other names. Its own name is the id while no other printer has it: printers of one make have equal names when new. */
  #namesOf(
    host: WatchedHost,
    givenName: string | undefined,
  ): { readonly id: string; readonly others: readonly string[] } {
    // Only a printer that was found is asked for its names.
    const { mainboardId, name } = host.found()!;
    const isOther = (other: FoundPrinter | undefined): boolean =>
      other !== undefined && other.mainboardId !== mainboardId && other.name === name;
    const others = this.all().filter((one) => isOther(one.found()));
    // An ambiguous name matches every connected printer, so that the request is refused. Where one alone is connected, the name matches none: it
    // may be the wrong one.
    const shared = others.some((one) => one.isConnected()) ? name : "";
    const own = others.length === 0 ? name : "";
    const names = [givenName ?? "", own, mainboardId, host.address.host, shared].filter((one) => one !== "");
    const [id = host.address.host, ...otherNames] = names;
    return { id, others: otherNames };
  }
}

const problemOf = (printer: Printer): string | undefined =>
  printer instanceof V1Printer ? printer.problem : undefined;

function namesOf({ name, host, port }: KnownPrinter, usualPort: number): string[] {
  return [name ?? "", host, `${host}:${port ?? usualPort}`].filter((one) => one !== "");
}

const addressOf = (
  { host, port }: KnownPrinter,
  ports: { readonly udp: number; readonly tcp: number },
): HostAddress => ({
  host,
  port: port ?? ports.tcp,
  udpPort: port ?? ports.udp,
});
