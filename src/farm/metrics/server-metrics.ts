import type { Runner } from "../../http/run-request.ts";
import { gauge } from "./metric-text.ts";
import type { MetricsAddress } from "./metrics-address.ts";
import { serveMetrics } from "./serve-metrics.ts";

/** Serves the metrics and the health of a server, which is ready as long as it answers. */
export function serverMetrics(address: MetricsAddress, { server, unanswered }: Runner) {
  return serveMetrics(address, {
    families: async () => [
      gauge("printwright_scenes", "Scenes of this server.", server.store.read().scenes.length),
      gauge("printwright_requests_unanswered", "Requests and operations that run or wait.", [...unanswered].length),
      gauge("printwright_printers", "Printers and queues that are connected.", server.printers.list().length),
      gauge("printwright_prints", "Prints that this server started and that run.", server.printers.running().length),
    ],
    whyNotReady: async () => undefined,
  });
}
