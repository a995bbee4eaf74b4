import { lookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ENDPOINTS } from "./feature/endpoints.ts";
import type { Arguments } from "./arguments.ts";
import { newCompat } from "./compat/compat.ts";
import type { EventLog } from "./farm/events/event-log.ts";
import type { MetricsAddress } from "./farm/metrics/metrics-address.ts";
import { SceneKeeper } from "./keep/scene-keeper.ts";
import { type KeepOptions, openStateFolder } from "./keep/state-folder.ts";
import { newApp } from "./http/app.ts";
import { addDocuments } from "./http/documents.ts";
import { newEventRoutes } from "./farm/events/event-routes.ts";
import { listen } from "./http/listen.ts";
import type { Runner } from "./http/run-request.ts";
import { newPrintwright } from "./printwright.ts";
import { newUi } from "./ui/ui.ts";

const LOOPBACK = ["127.0.0.1", "::1"];
/** Addresses that mean every network interface, loopback included. */
const EVERY_IPV4 = "0.0.0.0";
const EVERY_IPV6 = "::";

/** Longest wait, when it stops, until the queue has the last events of its printers. */
const LAST_EVENTS_MS = 2000;

/** The state folder is tidied once the page has begun. */
const SWEEP_AFTER_MS = 10_000;

export interface RunningServer {
  readonly port: number;
  readonly addresses: readonly string[];
  /** Where metrics are served. */
  readonly metricsPort: number | undefined;
  /** Folder in which the scenes are kept. */
  readonly keptIn: string | undefined;
  stop(): Promise<void>;
}

/** Starts to answer the requests of clients. */
export async function startServer(args: Arguments, syncTimeoutMs?: number): Promise<RunningServer> {
  const printwright = newPrintwright(args, syncTimeoutMs);
  const compat = args.compat && newCompat(printwright.runner, args.compat);
  const runner = compat?.runner ?? printwright.runner;
  const keeper = args.keep && openKeeper(runner, args.keep);
  const ui = args.page === false ? undefined : newUi(runner, printwright.budget, keeper);
  const events = newEventRoutes(openEvents);
  // The page comes first, because it answers `/` for browsers.
  const parts = [addDocuments, events.addRoutes, ...[ui, compat].flatMap((part) => part?.addRoutes ?? [])];
  const app = newApp(ENDPOINTS, runner, parts);
  const listener = await listen((request, raw) => app.fetch(request, raw), {
    port: args.port,
    addresses: await addressesOf(args.host),
    allowedHosts: args.allowedHosts,
    ...(ui && { streamedPaths: ui.streamedPaths }),
  });
  const shop = args.events === undefined ? undefined : startShop(args.events, printwright.runner);
  const metrics = args.metrics && (await startMetrics(args.metrics, runner));
  return {
    port: listener.port,
    addresses: listener.addresses,
    metricsPort: metrics?.port,
    keptIn: keeper?.folder,
    async stop() {
      listener.close();
      metrics?.close();
      await Promise.all([events.close(), shop?.close()]);
      // Before the threads end that write.
      await keeper?.close();
      await Promise.all([ui?.close(), printwright.close(), compat?.close()]);
    },
  };
}

async function startMetrics(address: MetricsAddress, runner: Runner) {
  const { serverMetrics } = await import("./farm/metrics/server-metrics.ts");
  return serverMetrics(address, runner);
}

/** Writes the events of its printers. The server does not wait for the queue. */
function startShop(name: string, { server }: Runner): { close(): Promise<void> } {
  const stop = new AbortController();
  const report = (text: string): void => console.error(`printwright: ${text}`);
  const told = (async () => {
    const { tellShop } = await import("./farm/shop/tell-shop.ts");
    await tellShop(openEvents, { name, printers: server.printers, report }, stop.signal);
  })().catch(({ message }: Error) => report(`events of printers are not written: ${message}`));
  return {
    async close() {
      stop.abort();
      await Promise.race([told, sleep(LAST_EVENTS_MS)]);
    },
  };
}

async function openEvents(): Promise<EventLog> {
  const { openEventLog } = await import("./farm/events/open-event-log.ts");
  return openEventLog();
}

/** Keeps the scenes in a state folder; not if another process uses a folder that nobody asked for. */
function openKeeper(runner: Runner, { folder, isRequired }: KeepOptions): SceneKeeper | undefined {
  try {
    const keeper = new SceneKeeper(runner, folder, openStateFolder(folder));
    setTimeout(() => void keeper.sweep().catch(() => {}), SWEEP_AFTER_MS).unref();
    return keeper;
  } catch (thrown) {
    if (isRequired) throw thrown;
    console.error(`printwright: scenes are not kept: ${(thrown as Error).message}`);
    return undefined;
  }
}

async function addressesOf(host: string | undefined): Promise<string[]> {
  if (host === undefined) return LOOPBACK;
  const { address } = await lookup(host);
  if (address === EVERY_IPV6) return [EVERY_IPV6];
  return [...new Set(address === EVERY_IPV4 ? [EVERY_IPV4, "::1"] : [address, ...LOOPBACK])];
}
