import { type EventLog, noLog } from "../../core/event-log.ts";
import type { KnownPrinter } from "../known-printers.ts";
import type { Protocol } from "../printer.ts";
import { pause } from "../waiting.ts";
import { MAKER_TIMING, type MakerTiming } from "./maker-calls.ts";
import { MakerServer } from "./maker-server.ts";

interface MakerServerOptions {
  /** The printers of all protocols. */
  readonly known: readonly KnownPrinter[];
  readonly log?: EventLog;
  readonly timing?: MakerTiming;
}

/** Between two questions of a search. */
const SEARCH_INTERVAL_MS = 2000;

/** The protocol of the printers that servers of their maker list in the 0.9 interface. Such servers are known, since none announces itself. */
export function makerServerProtocol({ known, log = noLog, timing = MAKER_TIMING }: MakerServerOptions): Protocol {
  const servers = known
    .filter(({ protocol }) => protocol === "preform")
    .map((one) => new MakerServer(one, timing, log));

  async function search(_: string | undefined, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const server of servers) void server.ask();
      await pause(SEARCH_INTERVAL_MS, signal);
    }
  }

  return {
    connected: () => servers.flatMap((server) => server.connectedPrinters()),
    missing: () => servers.flatMap((server) => server.missing()),
    unusable: () => servers.flatMap((server) => server.unusable()),
    ...(servers.length > 0 && { search }),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
