import { noLog } from "../../core/event-log.ts";
import { USUAL_PORTS } from "../known-printers.ts";
import { POLL_TIMING } from "../polled/machine.ts";
import { type Listen, type PolledOptions, polledProtocol } from "../polled/polled-protocol.ts";
import type { Protocol } from "../printer.ts";
import { browse } from "./browse.ts";
import { identifyPrusaLink } from "./identify.ts";

/** Port of multicast DNS. */
const MDNS_PORT = 5353;

/** The protocol of Original Prusa SL1 and SL1S: PrusaLink's interface, and that of their older firmware. */
export function prusaLinkProtocol(
  { known, discoveryAddresses: addresses, log = noLog, timing = POLL_TIMING }: PolledOptions,
  mdnsPort = MDNS_PORT,
): Protocol {
  const listen: Listen = (found, signal) => browse({ addresses, port: mdnsPort }, found, signal);
  const refusedAt = new Set<string>();
  return polledProtocol({
    protocol: "prusalink",
    known,
    port: USUAL_PORTS.prusalink,
    identify: (host, ofHost, signal) => identifyPrusaLink(host, refusedAt, ofHost, signal),
    // Without interfaces to search, nothing can be found.
    ...(addresses?.length !== 0 && { listen }),
    timing,
    log,
  });
}
