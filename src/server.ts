import { lookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ENDPOINTS } from "./api/table.ts";
import { newOperationRecords } from "./api/operation/records.ts";
import type { Arguments } from "./arguments.ts";
import { defaultSetting } from "./catalog/default-setting.ts";
import { newId } from "./core/id.ts";
import { newApp } from "./http/app.ts";
import { newLanes } from "./http/lanes.ts";
import { listen } from "./http/listen.ts";
import { SYNC_TIMEOUT_MS } from "./http/run-request.ts";
import { newPrinters } from "./printer/printers.ts";
import { openProtocols } from "./printer/protocols.ts";
import { newStore } from "./scene/store.ts";
import { VERSION } from "./version.ts";
import { newPool } from "./worker/pool.ts";

const LOOPBACK = ["127.0.0.1", "::1"];
/** Addresses that mean every interface, loopback included. */
const EVERY_IPV4 = "0.0.0.0";
const EVERY_IPV6 = "::";

/** How long requests that were cancelled by the end of the server may tidy up: jobs on their way remove their files. */
const TIDY_MS = 300;

export interface Running {
  readonly port: number;
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

/** Puts the house together: a project with its default scene, workers, endpoints, and the listener before them. */
export async function startServer(args: Arguments, syncTimeoutMs = SYNC_TIMEOUT_MS): Promise<Running> {
  const printers = newPrinters(openProtocols(args.virtualPrinters));
  const store = newStore({ scenes: [{ id: newId(), setting: defaultSetting(), models: [] }] });
  const pool = newPool(new URL("./worker.ts", import.meta.url));
  const server = {
    version: VERSION,
    maxScenes: args.maxScenes,
    store,
    operations: newOperationRecords(),
    printers,
  };
  const lanes = newLanes();
  const app = newApp(ENDPOINTS, { server, pool, lanes, syncTimeoutMs });
  const listening = await listen((request, delivered) => app.fetch(request, delivered), {
    port: args.port,
    addresses: await addressesOf(args.host),
    allowedHosts: args.allowedHosts,
  });
  return {
    port: listening.port,
    addresses: listening.addresses,
    async stop() {
      listening.close();
      await pool.close();
      await Promise.race([lanes.settled(), sleep(TIDY_MS)]);
    },
  };
}

async function addressesOf(host: string | undefined): Promise<string[]> {
  if (host === undefined) return LOOPBACK;
  const { address } = await lookup(host);
  if (address === EVERY_IPV6) return [EVERY_IPV6];
  return [...new Set(address === EVERY_IPV4 ? [EVERY_IPV4, "::1"] : [address, ...LOOPBACK])];
}
