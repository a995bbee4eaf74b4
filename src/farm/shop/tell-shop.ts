import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "../../core/api-error.ts";
import { type Printer, isPrinter } from "../../printer/printer.ts";
import type { Printers } from "../../printer/printers.ts";
import { claimWhenFree } from "../events/claim-when-free.ts";
import type { EventLog } from "../events/event-log.ts";
import { keepTidy } from "../events/keep-tidy.ts";
import { NO_SHOP, SHOPS, type ShopState, type ShopView, nextShop } from "./shop-state.ts";

const LOOK_MS = 1000;
const OPEN_AGAIN_MS = 10_000;
/** Time in which a server reaches the printers that it was named. */
const SETTLE_MS = 20_000;

export interface ShopTeller {
  readonly name: string;
  readonly printers: Pick<Printers, "list" | "running" | "plates" | "forgetPlate">;
  readonly report: (text: string) => void;
  readonly lookMs?: number;
  readonly settleMs?: number;
}

/**
 * Writes what becomes of the printers and the held jobs of a server into the log that `open` opens, until `signal` is aborted; then its printers are offline. The server is known by
 * its name: what it has told is saved with the events, so that a restart tells of what has changed meanwhile, and of nothing twice.
 */
export async function tellShop(open: () => Promise<EventLog>, teller: ShopTeller, signal: AbortSignal): Promise<void> {
  const log = await openWhenThere(open, teller.report, signal);
  if (!log) return;
  const stopTidying = keepTidy(log);
  try {
    while (!signal.aborted) {
      const claim = await claimWhenFree(log, `${SHOPS}${teller.name}`, signal, teller.report);
      if (!claim) return;
      await tellWhileClaimed(log, teller, signal, claim.lost).finally(claim.release);
    }
  } finally {
    stopTidying();
    await log.close();
  }
}

/** A database may begin after the server. Undefined where `signal` was aborted before. */
async function openWhenThere(
  open: () => Promise<EventLog>,
  report: (text: string) => void,
  signal: AbortSignal,
): Promise<EventLog | undefined> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      return await open();
    } catch (thrown) {
      if (isFirst) report(`events of printers are not written yet: ${(thrown as Error).message}`);
      await sleep(OPEN_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

async function tellWhileClaimed(
  log: EventLog,
  { name: server, printers, report, lookMs = LOOK_MS, settleMs = SETTLE_MS }: ShopTeller,
  signal: AbortSignal,
  lost: AbortSignal,
): Promise<void> {
  const name = `${SHOPS}${server}`;
  const begin = performance.now();
  const either = AbortSignal.any([signal, lost]);
  let told: ShopState | undefined;
  let isAway = false;

  const tell = async (view: ShopView): Promise<void> => {
    told ??= ((await log.load(name)) as ShopState | undefined) ?? NO_SHOP;
    const { shop, events } = nextShop(told, view);
    if (events.length > 0) await log.append(events, { name, state: shop });
    told = shop;
    for (const { id, state } of view.plates) if (state === "sent" || state === "cancelled") printers.forgetPlate(id);
  };

  while (!either.aborted) {
    try {
      await tell(viewOf(printers, performance.now() - begin >= settleMs));
      if (isAway) report("events of printers are written again");
      isAway = false;
    } catch (thrown) {
      // What was saved is read again: a call that failed may have taken effect.
      told = undefined;
      if (!isAway) report(`events of printers are not written: ${(thrown as ApiError).message}`);
      isAway = true;
    }
    await sleep(lookMs, undefined, { signal: either }).catch(() => undefined);
  }
  if (!lost.aborted)
    await tell({ ...viewOf(printers, true), printers: new Map() }).catch(({ message }: Error) => report(message));
}

function viewOf(printers: ShopTeller["printers"], isSettled: boolean): ShopView {
  const jobs = new Map(printers.running().map(({ printer, jobId }) => [printer, jobId]));
  const seen = printers
    .list()
    .filter(isPrinter)
    .map((one) => ({ one, device: one.describe() }))
    .filter(({ device }) => device.is_connected);
  return {
    printers: new Map(
      seen.map(({ one, device }) => [
        one.id,
        { product: device.product_name, status: statusOf(one), job: jobs.get(one.id) ?? null },
      ]),
    ),
    plates: printers.plates(),
    at: new Date(),
    isSettled,
  };
}

function statusOf(printer: Printer): "ready" | "receiving" | "busy" {
  const isReady = printer.startsNoPrints === true ? printer.acceptsJobs?.() === true : printer.isReady();
  if (isReady) return "ready";
  return printer.isOnlyReceiving?.() === true ? "receiving" : "busy";
}
