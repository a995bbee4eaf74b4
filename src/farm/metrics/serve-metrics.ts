import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { operationFailed } from "../../core/api-error.ts";
import { METRICS_TYPE, type MetricFamily, metricText, processFamilies } from "./metric-text.ts";
import type { MetricsAddress } from "./metrics-address.ts";

/** What a process tells of itself. */
interface MetricsSource {
  families(): Promise<MetricFamily[]>;
  /** Why it takes no work now; undefined where it does. */
  whyNotReady(): Promise<string | undefined>;
}

/**
 * Serves `/metrics` for Prometheus, `/health/live`, which answers as long as the process does, and `/health/ready`, which has the status 503 while it takes no work.
 * Throws OPERATION_FAILED where the port is not free. Returns the port, and a function that closes it.
 */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  source: MetricsSource,
): Promise<{ readonly port: number; close(): void }> {
  const pages: Readonly<Record<string, () => Promise<[status: number, type: string, text: string]>>> = {
    "/metrics": async () => [200, METRICS_TYPE, metricText([...(await source.families()), ...processFamilies()])],
    "/health/live": async () => [200, "text/plain", "live\n"],
    "/health/ready": async () => {
      const why = await source.whyNotReady();
      return why === undefined ? [200, "text/plain", "ready\n"] : [503, "text/plain", `${why}\n`];
    },
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/s, "").replace(/(.)\/$/, "$1");
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) return void response.writeHead(404).end("Ask for /metrics, /health/live or /health/ready.\n");
    if (request.method !== "GET" && request.method !== "HEAD")
      return void response.writeHead(405, { Allow: "GET, HEAD" }).end();
    page().then(
      ([status, type, text]) =>
        response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => resolve());
  }).catch((thrown: NodeJS.ErrnoException) => {
    throw operationFailed(`Cannot serve metrics on ${host}:${port}: ${thrown.message}. Choose another --metrics.`);
  });
  return { port: (server.address() as AddressInfo).port, close: () => void server.close().closeAllConnections() };
}
