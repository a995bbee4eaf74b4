import { noLog } from "../../core/event-log.ts";
import { PACE } from "../polled/machine.ts";
import { type PolledOptions, polledProtocol } from "../polled/polled-protocol.ts";
import type { Protocol } from "../printer.ts";
import { identifyPrusaLink } from "./identify.ts";

/** Of the SL1's web server. */
const PORT = 80;

/** Original Prusa SL1 and SL1S: PrusaLink's interface, and that of their older firmware. */
export function prusaLinkProtocol({ known, log = noLog, pace = PACE }: PolledOptions): Protocol {
  const own = known.filter(({ protocol }) => protocol === "prusalink");
  return polledProtocol({ known: own, port: PORT, identify: identifyPrusaLink, pace, log });
}
