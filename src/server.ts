import { lookup } from "node:dns/promises";
import { ENDPOINTS } from "./feature/endpoints.ts";
import type { Arguments } from "./arguments.ts";
import { newCompat } from "./compat/compat.ts";
import { newApp } from "./http/app.ts";
import { addDocuments } from "./http/documents.ts";
import { listen } from "./http/listen.ts";
import { newPrintwright } from "./printwright.ts";
import { newUi } from "./ui/ui.ts";

const LOOPBACK = ["127.0.0.1", "::1"];
/** Addresses that mean every network interface, loopback included. */
const EVERY_IPV4 = "0.0.0.0";
const EVERY_IPV6 = "::";

export interface RunningServer {
  readonly port: number;
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

/** Starts to answer the requests of clients. */
export async function startServer(args: Arguments, syncTimeoutMs?: number): Promise<RunningServer> {
  const printwright = newPrintwright(args, syncTimeoutMs);
  const compat = args.compat && newCompat(printwright.runner, args.compat);
  const runner = compat?.runner ?? printwright.runner;
  const ui = args.page === false ? undefined : newUi(runner, printwright.budget);
  // The page comes first, because it answers `/` for browsers.
  const parts = [addDocuments, ...[ui, compat].flatMap((part) => part?.addRoutes ?? [])];
  const app = newApp(ENDPOINTS, runner, parts);
  const listener = await listen((request, raw) => app.fetch(request, raw), {
    port: args.port,
    addresses: await addressesOf(args.host),
    allowedHosts: args.allowedHosts,
    ...(ui && { streamedPaths: ui.streamedPaths }),
  });
  return {
    port: listener.port,
    addresses: listener.addresses,
    async stop() {
      listener.close();
      await Promise.all([ui?.close(), printwright.close(), compat?.close()]);
    },
  };
}

async function addressesOf(host: string | undefined): Promise<string[]> {
  if (host === undefined) return LOOPBACK;
  const { address } = await lookup(host);
  if (address === EVERY_IPV6) return [EVERY_IPV6];
  return [...new Set(address === EVERY_IPV4 ? [EVERY_IPV4, "::1"] : [address, ...LOOPBACK])];
}
