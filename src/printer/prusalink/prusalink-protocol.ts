import { type EventLog, noLog } from "../../core/event-log.ts";
import type { KnownPrinter } from "../known-printers.ts";
import { PACE, type Pace } from "../polled/machine.ts";
import { polledProtocol } from "../polled/polled-protocol.ts";
import type { Protocol } from "../printer.ts";
import { identifyPrusaLink } from "./identify.ts";

/** Of the SL1's web server. */
const PORT = 80;

/** Original Prusa SL1 and SL1S: PrusaLink's interface, and that of their older firmware. */
export function prusaLinkProtocol(known: readonly KnownPrinter[], log: EventLog = noLog, pace: Pace = PACE): Protocol {
  return polledProtocol({ known, port: PORT, identify: identifyPrusaLink, pace, log });
}
