import { isIP } from "node:net";
import { type EventLog, noLog } from "../../core/event-log.ts";
import { type KnownPrinter, USUAL_PORTS } from "../known-printers.ts";
import type { Protocol } from "../printer.ts";
import { newV1Printer } from "../sdcp-v1/v1-printer.ts";
import { printerTypeOf } from "./discovery-reply.ts";
import { newSdcpPrinter } from "./sdcp-printer.ts";
import { search } from "./search.ts";
import { type FoundPrinter, type Place, type Site, newSite } from "./watched-host.ts";
import { TIMING, type Timing } from "./timing.ts";

export interface SdcpOptions {
  /** All of the command line and the printers file. */
  readonly known: readonly KnownPrinter[];
  /** See {@link networkInterfaces}. */
  readonly discoveryAddresses?: readonly string[] | undefined;
  /** The address of this machine from which printers of version 1 may fetch jobs; undefined where none may. */
  readonly v1Host?: string | undefined;
  /** The ports of printers for which none is given; one that is given is both. */
  readonly ports?: { readonly udp: number; readonly tcp: number };
  readonly timing?: Timing;
  readonly log?: EventLog;
}

const PORTS = { udp: 3000, tcp: USUAL_PORTS.sdcp };

/** Printers that searches have found and that are still watched. More at once are no shop. */
const MAX_FOUND = 256;

/** The protocol of Elegoo's resin printers. Known ones are looked for from now on, others in searches. */
export function sdcpProtocol(options: SdcpOptions): Protocol {
  const { known, discoveryAddresses, v1Host, ports = PORTS, timing = TIMING, log = noLog } = options;
  const served = new Set<string>();
  const knownSites = known
    .filter(({ protocol }) => protocol === "sdcp")
    .map(({ host, port, name }) => ({
      names: [name ?? "", host, `${host}:${port ?? ports.tcp}`].filter((one) => one !== ""),
      site: newSdcpSite({ host, port: port ?? ports.tcp, udpPort: port ?? ports.udp }, true, name),
    }));
  let foundSites: readonly Site[] = [];
  const sites = (): Site[] => [...knownSites.map(({ site }) => site), ...foundSites];

  function newSdcpSite(place: Place, isKnown: boolean, givenName?: string): Site {
    const site: Site = newSite({
      place,
      timing,
      isKnown,
      served,
      makePrinter(view, printerType) {
        const of = { site: view, printerType, timing, names: () => namesOf(site, givenName) };
        return view.announcement().version === "V1" ? newV1Printer({ ...of, v1Host }) : newSdcpPrinter(of);
      },
      changed(reason) {
        const printer = namesOf(site, givenName).id;
        log.write(reason === undefined ? "printer found" : "printer lost", { printer, reason });
      },
      missed(reason) {
        if (isKnown) log.write("printer not reached", { printer: givenName ?? place.host, reason });
      },
    });
    return site;
  }

  /** The name that the owner gave a printer is its id as long as no other has it: those of one make are all called the same at first. */
  function namesOf(site: Site, givenName: string | undefined) {
    // A printer that is asked for its names was found.
    const { mainboardId, name } = site.found()!;
    const isOther = (other: FoundPrinter | undefined): boolean =>
      other !== undefined && other.mainboardId !== mainboardId && other.name === name;
    const others = sites().filter((one) => isOther(one.found()));
    // Under a name of several, requests find all that are there, so that they can be told so; one that is left may be the wrong one.
    const shared = others.some((one) => one.isConnected()) ? name : "";
    const own = others.length === 0 ? name : "";
    const names = [givenName ?? "", own, mainboardId, site.place.host, shared].filter((one) => one !== "");
    return { id: names[0], others: names.slice(1) };
  }

  function removeForsaken(): void {
    foundSites = foundSites.filter((site) => !site.isForsaken());
  }

  return {
    connected() {
      const here = sites().filter((site) => site.isConnected());
      const byId = new Map(here.map((site) => [site.found()!.mainboardId, site.found()!.printer]));
      return [...byId.values()];
    },
    missing: () =>
      knownSites
        .filter(({ site }) => !site.isConnected())
        .map(({ names, site }) => ({ names, why: site.failure() ?? "it has not answered yet" })),
    ...((discoveryAddresses?.length !== 0 || knownSites.length > 0) && { search: lookFor }),
    async close() {
      await Promise.all(sites().map((site) => site.close()));
    },
  };

  function lookFor(target: string | undefined, signal: AbortSignal): Promise<void> {
    removeForsaken();
    const hosts = sites().map(({ place: { host, udpPort } }) => ({ host, port: udpPort }));
    if (target !== undefined && isIP(target) !== 0 && !hosts.some(({ host }) => host === target)) {
      hosts.push({ host: target, port: ports.udp });
    }
    const places = { hosts, interfaceAddresses: discoveryAddresses, port: ports.udp };
    return search(places, timing, signal, (announcement, address) => {
      let site = sites().find((one) => one.isAt(address));
      if (!site) {
        // Printers of other kinds answer, too.
        if (!printerTypeOf(announcement.machineName, announcement.resolution)) return;
        if (foundSites.length >= MAX_FOUND) return;
        site = newSdcpSite({ host: address, port: ports.tcp, udpPort: ports.udp }, false);
        foundSites = [...foundSites, site];
      }
      site.heard(announcement, address);
    });
  }
}
