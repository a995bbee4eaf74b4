import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventLog } from "../../src/farm/events/event-log.ts";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { NO_SHOP, type ShopState, nextShop } from "../../src/farm/shop/shop-state.ts";
import { type ShopTeller, tellShop } from "../../src/farm/shop/tell-shop.ts";
import type { Plate } from "../../src/printer/printer.ts";
import { randomFrom } from "../fixture/random.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";

const write = temporaryFiles();
const QUEUE = "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11";

/** Printers and plates that a test changes, as a server has them. */
function fakeShop() {
  const status = new Map<string, "ready" | "receiving" | "busy">();
  const plates = new Map<string, Plate>();
  const printers = {
    running: () => [],
    list: () =>
      Array.from(status, ([id, now]) => ({
        id,
        printerType: {},
        describe: () => ({ is_connected: true, product_name: "Form 4" }),
        isReady: () => now === "ready",
        isOnlyReceiving: () => now === "receiving",
      })),
    plates: () => [...plates.values()],
    forgetPlate(id: string) {
      plates.delete(id);
    },
  } as unknown as ShopTeller["printers"];
  const put = (id: string, state: Plate["state"], printer?: string): void =>
    void plates.set(id, { id, queue: QUEUE, state, printNow: true, ...(printer !== undefined && { printer }) });
  return { status, plates, printers, put };
}

function startTelling(open: () => Promise<EventLog>, { printers }: ReturnType<typeof fakeShop>, settleMs = 0) {
  const stop = new AbortController();
  const reported: string[] = [];
  const report = (text: string): void => void reported.push(text);
  const telling = tellShop(open, { name: "desk", printers, report, lookMs: 5, settleMs }, stop.signal);
  return {
    reported,
    async stop() {
      stop.abort();
      await telling;
    },
  };
}

const openLog = () => openSqliteEventLog(write("shop.sqlite", ""));
const linesOf = async (log: EventLog): Promise<string[]> =>
  (await log.read(0, 1000)).map(
    ({ type, subject, data }) => `${subject} ${type.replace(/.*\./, "")} ${data["status"] ?? data["printer"]}`,
  );

test("what becomes of printers and plates is told once, also over a restart", async () => {
  const path = write("restart.sqlite", "");
  const shop = fakeShop();
  const open = () => openSqliteEventLog(path);
  const log = await open();
  const first = startTelling(open, shop);
  shop.status.set("A/1", "ready");
  shop.put("p", "held");
  await until("both are told", async () => (await linesOf(log)).length === 2);
  shop.put("p", "released");
  await until("it is told", async () => (await linesOf(log)).length === 3);
  shop.put("p", "sending");
  await first.stop();
  // Meanwhile a server without events went on.
  shop.put("p", "sent", "A/1");
  shop.status.set("A/1", "busy");
  const second = startTelling(open, shop);
  await until("its end is told", () => !shop.plates.has("p"));
  shop.status.set("A/1", "ready");
  await until("it is ready", async () => (await linesOf(log)).at(-1) === "printer/A%2F1 state ready");
  shop.put("q", "set-aside");
  await until("it is told", async () => (await linesOf(log)).at(-1)?.startsWith("plate/q") === true);
  shop.put("q", "cancelled");
  await until("it is told", () => !shop.plates.has("q"));
  await second.stop();
  assert.deepEqual(await linesOf(log), [
    "plate/p held null",
    "printer/A%2F1 online ready",
    "plate/p released null",
    "printer/A%2F1 offline offline",
    "plate/p sent A/1",
    "printer/A%2F1 online busy",
    "plate/p ended A/1",
    "printer/A%2F1 state ready",
    "plate/q set-aside null",
    "plate/q cancelled null",
    "printer/A%2F1 offline offline",
  ]);
  const [, second1] = (await log.read(0, 1000)).filter(({ type }) => type === "printer.online");
  assert.deepEqual(second1?.data, { product: "Form 4", status: "busy", job: "p" });
  await log.close();
});

test("a printer that a server named before has time to answer; one that does not is offline", async () => {
  const seen = { product: "Form 4", status: "ready" as const, job: null };
  const view = { plates: [], at: new Date(0), isSettled: false };
  const { shop } = nextShop(NO_SHOP, { ...view, printers: new Map([["A", seen]]) });
  assert.deepEqual(nextShop(shop, { ...view, printers: new Map() }), { shop, events: [] });
  const late = nextShop(shop, { ...view, printers: new Map(), isSettled: true });
  assert.deepEqual(
    late.events.map(({ type }) => type),
    ["printer.offline"],
  );
  const old = { ...view, printers: new Map(), at: new Date(30 * 24 * 60 * 60 * 1000) };
  assert.deepEqual(nextShop(shop, old), { shop, events: [] }, "it was ready for a month");
  const week = 7 * 24 * 60 * 60 * 1000;
  assert.ok("A" in nextShop(late.shop, { ...view, printers: new Map(), at: new Date(week - 1) }).shop.printers);
  assert.ok(!("A" in nextShop(late.shop, { ...view, printers: new Map(), at: new Date(week) }).shop.printers));
});

test("a print that waits at its printer is no job that runs there; names of printers are any words", () => {
  const seen = { product: "Form 4", status: "busy" as const, job: null };
  const printers = new Map(["constructor", "__proto__"].map((id) => [id, seen]));
  const plate = { id: "p", queue: QUEUE, state: "sent" as const, printer: "constructor" };
  const at = (printNow: boolean) =>
    nextShop(NO_SHOP, { printers, plates: [{ ...plate, printNow }], at: new Date(), isSettled: true });
  assert.equal(Object.entries(at(true).shop.printers)[0]?.[1].job, "p");
  const { shop, events } = at(false);
  assert.ok(Object.values(shop.printers).every(({ job }) => job === null));
  assert.deepEqual(Object.keys(shop.printers), ["constructor", "__proto__"]);
  assert.equal(events.length, 3);
  const again = nextShop(JSON.parse(JSON.stringify(shop)), { printers, plates: [], at: new Date(), isSettled: true });
  assert.deepEqual(again.events, []);
});

test("two servers with one name do not tell both, and a log that is away is told later", async () => {
  const path = write("two.sqlite", "");
  const log = await openSqliteEventLog(path);
  const shop = fakeShop();
  let isAway = false;
  const open = async (): Promise<EventLog> => {
    const own = await openSqliteEventLog(path);
    const append = own.append.bind(own);
    own.append = (...given) => (isAway ? Promise.reject(new Error("away")) : append(...given));
    return own;
  };
  shop.status.set("A", "ready");
  const first = startTelling(open, shop);
  await until("it is told", async () => (await linesOf(log)).length === 1);
  const second = startTelling(open, shop);
  await until("it waits", () => second.reported.length > 0);
  isAway = true;
  shop.status.set("A", "busy");
  await until("it is away", () => first.reported.some((text) => text.includes("not written: away")));
  isAway = false;
  await until("it is told", async () => (await linesOf(log)).length === 2);
  await second.stop();
  await first.stop();
  assert.deepEqual(await linesOf(log), ["printer/A online ready", "printer/A state busy", "printer/A offline offline"]);
  await log.close();
});

test("kills at any moment lose no end of a plate and repeat no state", async () => {
  const log = await openLog();
  const random = randomFrom(71);
  const shop = fakeShop();
  const ends = new Map<string, string>();
  let told: ShopState | undefined;
  // What `tellShop` does in a turn, with a kill between any two of its steps.
  const turn = async (): Promise<void> => {
    const kill = Math.floor(random() * 8);
    told ??= ((await log.load("shop/desk")) as ShopState | undefined) ?? NO_SHOP;
    const printers = new Map(
      Array.from(shop.status, ([id, status]) => [id, { product: "", status, job: null }] as const),
    );
    const view = { printers, plates: shop.printers.plates(), at: new Date(), isSettled: true };
    const next = nextShop(told, view);
    if (kill === 0) return void (told = undefined);
    if (next.events.length > 0) await log.append(next.events, { name: "shop/desk", state: next.shop });
    if (kill === 1) return void (told = undefined);
    told = next.shop;
    for (const { id, state } of view.plates)
      if ((state === "sent" || state === "cancelled") && random() < 0.8) shop.plates.delete(id);
  };
  for (let i = 0; i < 300; i++) {
    const id = `p${Math.floor(random() * 40)}`;
    const printer = random() < 0.5 ? "A" : "B";
    const plate = shop.plates.get(id);
    if (random() < 0.3) shop.status.set(printer, (["ready", "busy", "receiving"] as const)[Math.floor(random() * 3)]!);
    else if (random() < 0.1) shop.status.delete(printer);
    else if (!plate && !ends.has(id)) shop.put(id, random() < 0.5 ? "held" : "released");
    else if (plate && !ends.has(id)) {
      const state = (["held", "released", "sending", "set-aside", "sent", "cancelled"] as const)[
        Math.floor(random() * 6)
      ]!;
      if (state === "sent" || state === "cancelled") ends.set(id, state);
      shop.put(id, state, state === "sent" ? printer : undefined);
    }
    await turn();
  }
  while (shop.plates.values().some(({ state }) => state === "sent" || state === "cancelled")) await turn();
  const events = await log.read(0, 100_000);
  assert.ok(ends.size > 20 && events.length > 100);
  const bySubject = Map.groupBy(events, ({ subject }) => subject);
  for (const [subject, own] of bySubject) {
    const words = own.map(({ type, data }) => `${type} ${String(data["status"])} ${String(data["job"])}`);
    for (const [i, word] of words.entries()) assert.notEqual(word, words[i - 1], subject);
  }
  for (const [id, end] of ends) {
    const own = (bySubject.get(`plate/${id}`) ?? []).map(({ type }) => type);
    assert.equal(own.filter((type) => type === `plate.${end}`).length, 1, id);
    assert.ok(own.indexOf(`plate.${end}`) >= own.length - 2, "only its print may end after it");
  }
  await log.close();
});
