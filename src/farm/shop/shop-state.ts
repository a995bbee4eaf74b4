import type { NewEvent } from "../events/event-log.ts";
import type { Plate } from "../../printer/printer.ts";

/** `ready`: it takes a print now. `receiving`: it does nothing but receive or check a file. `busy`: it prints, or people work with it. */
export const PRINTER_STATUSES = ["offline", "ready", "receiving", "busy"] as const;

/** A printer as the events of a shop describe it. */
export interface PrinterState {
  /** Name of the product. */
  readonly product: string;
  readonly status: (typeof PRINTER_STATUSES)[number];
  /** Id of the print job that it got from the server and that runs there. */
  readonly job: string | null;
  /** Since when (ISO 8601). */
  readonly since: string;
}

/** A job of a queue of printers, as the events describe it. One that is `sent` and no longer seen may still be printed. */
type PlateState = Omit<Plate, "id">;

/** The printers and plates of a server, as its events have described them. It is kept beside the events, and changes with them. */
export interface ShopState {
  readonly printers: Readonly<Record<string, PrinterState>>;
  readonly plates: Readonly<Record<string, PlateState>>;
}

/** What the states of servers are saved under, each with the name of its server. */
export const SHOPS = "shop/";

export const NO_SHOP: ShopState = { printers: {}, plates: {} };

/** What a server sees now. */
export interface ShopView {
  readonly printers: ReadonlyMap<
    string,
    Pick<PrinterState, "product" | "job"> & { readonly status: "ready" | "receiving" | "busy" }
  >;
  readonly plates: readonly Plate[];
  readonly at: Date;
  /** False while the server has just begun, and has not reached its printers yet. */
  readonly isSettled: boolean;
}

/** Printers that were offline for so long are forgotten. */
const FORGET_MS = 7 * 24 * 60 * 60 * 1000;

/** The events that lead from what was told to what is seen, and what has been told with them. */
export function nextShop(told: ShopState, view: ShopView): { readonly shop: ShopState; readonly events: NewEvent[] } {
  const plates = nextPlates(told, view);
  const printers = nextPrinters(told, view, plates.shop);
  return { shop: { printers: printers.shop, plates: plates.shop }, events: [...plates.events, ...printers.events] };
}

/** Ids of printers are names that people may have chosen, with any characters. */
export const printerSubject = (id: string): string => `printer/${encodeURIComponent(id)}`;

function nextPrinters(told: ShopState, view: ShopView, plates: ShopState["plates"]) {
  const events: NewEvent[] = [];
  // Names of printers may be those of properties that every object has.
  const before = new Map(Object.entries(told.printers));
  const shop = new Map<string, PrinterState>();
  for (const id of new Set([...before.keys(), ...view.printers.keys()])) {
    const old = before.get(id);
    const seen = view.printers.get(id);
    if (!seen && old && (old.status === "offline" || !view.isSettled)) {
      const isForgotten = old.status === "offline" && view.at.getTime() - Date.parse(old.since) >= FORGET_MS;
      if (!isForgotten) shop.set(id, old);
      continue;
    }
    const status = seen?.status ?? "offline";
    const onIt = Object.entries(plates).find(
      ([, { state, printer, printNow }]) => state === "sent" && printNow && printer === id,
    );
    const job = (seen ? (seen.job ?? onIt?.[0]) : undefined) ?? null;
    if (old?.status === status && old.job === job) shop.set(id, old);
    else {
      const product = seen?.product ?? old?.product ?? "";
      shop.set(id, { product, status, job, since: view.at.toISOString() });
      const wasOnline = old !== undefined && old.status !== "offline";
      const type = status === "offline" ? "offline" : wasOnline ? "state" : "online";
      events.push({ type: `printer.${type}`, subject: printerSubject(id), data: { product, status, job } });
    }
  }
  return { shop: Object.fromEntries(shop), events };
}

function nextPlates(told: ShopState, { plates, printers }: ShopView) {
  const events: NewEvent[] = [];
  const shop: Record<string, PlateState> = {};
  const tell = (
    id: string,
    what: string,
    { queue, printer = null }: { queue: string; printer?: string | null | undefined },
  ) => events.push({ type: `plate.${what}`, subject: `plate/${id}`, data: { queue, printer } });
  for (const { id, ...seen } of plates) {
    const old = told.plates[id];
    // A printer that is asked may refuse.
    const state = seen.state === "sending" ? (old?.state ?? "released") : seen.state;
    shop[id] = { ...seen, state };
    if (old?.state !== state) tell(id, state, seen);
  }
  const isDone = (printer: string | undefined): boolean =>
    printers.get(printer ?? "")?.status === "ready" ||
    plates.some((one) => one.state === "sent" && one.printNow && one.printer === printer);
  for (const [id, old] of Object.entries(told.plates)) {
    if (id in shop) continue;
    if (old.state === "cancelled" || (old.state === "sent" && !old.printNow)) continue;
    if (old.state !== "sent") tell(id, "removed", old);
    else if (isDone(old.printer)) tell(id, "ended", old);
    else shop[id] = old;
  }
  return { shop, events };
}
