import { lookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ENDPOINTS } from "./api/endpoints.ts";
import { newOperationRecords } from "./api/operation-records.ts";
import type { Arguments } from "./arguments.ts";
import { defaultSetting } from "./catalog/resolve.ts";
import { newConverters } from "./convert/converters.ts";
import { noLog, openEventLog } from "./core/event-log.ts";
import { newId } from "./core/id.ts";
import { newMemoryBudget } from "./core/memory-budget.ts";
import { VERSION } from "./core/version.ts";
import { newApp } from "./http/app.ts";
import { listen } from "./http/listen.ts";
import { SYNC_TIMEOUT_MS } from "./http/run-request.ts";
import { newSceneQueue } from "./http/scene-queue.ts";
import { openSession } from "./printer/account/session.ts";
import { newPrinters, openProtocols } from "./printer/printers.ts";
import { newStore } from "./scene/project.ts";
import { newPool } from "./worker/pool.ts";
import { newSharedResults } from "./worker/shared-results.ts";

const LOOPBACK = ["127.0.0.1", "::1"];
/** Addresses that stand for every network interface, loopback included. */
const EVERY_IPV4 = "0.0.0.0";
const EVERY_IPV6 = "::";

/** How long the server waits at its end for cancelled requests to remove their unfinished files. */
const CLEANUP_MS = 200;

export interface RunningServer {
  readonly port: number;
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

/** Puts the program together: a project with its default scene, worker threads, endpoints and the listener. */
export async function startServer(args: Arguments, syncTimeoutMs = SYNC_TIMEOUT_MS): Promise<RunningServer> {
  const log = args.log === undefined ? noLog : openEventLog(args.log);
  const session = openSession(args.account ?? { accounts: [], accountUrl: undefined }, log);
  const printers = newPrinters(openProtocols(args.printers ?? { known: [] }, session, log), log);
  const store = newStore({ scenes: [{ id: newId(), setting: defaultSetting(), models: [], cages: [] }] });
  const pool = newPool(new URL("./worker.ts", import.meta.url), { budget: newMemoryBudget(args.maxMemoryBytes) });
  const operations = newOperationRecords();
  const converters = newConverters(args.converters ?? []);
  const server = {
    version: VERSION,
    maxScenes: args.maxScenes,
    store,
    pool,
    sharedResults: newSharedResults(pool),
    operations,
    converters,
    printers,
    session,
  };
  const sceneQueue = newSceneQueue();
  const app = newApp(ENDPOINTS, { server, sceneQueue, syncTimeoutMs, unanswered: new Set() });
  const listener = await listen((request, raw) => app.fetch(request, raw), {
    port: args.port,
    addresses: await addressesOf(args.host),
    allowedHosts: args.allowedHosts,
  });
  return {
    port: listener.port,
    addresses: listener.addresses,
    async stop() {
      listener.close();
      await Promise.all([pool.close(), printers.close(), converters.close()]);
      await Promise.race([sceneQueue.settled(), sleep(CLEANUP_MS)]);
      log.close();
    },
  };
}

async function addressesOf(host: string | undefined): Promise<string[]> {
  if (host === undefined) return LOOPBACK;
  const { address } = await lookup(host);
  if (address === EVERY_IPV6) return [EVERY_IPV6];
  return [...new Set(address === EVERY_IPV4 ? [EVERY_IPV4, "::1"] : [address, ...LOOPBACK])];
}
