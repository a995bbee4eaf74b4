import assert from "node:assert/strict";
import { after, test } from "node:test";
import { apiDocument } from "../../src/api/api-document.ts";
import { operationFailed } from "../../src/core/api-error.ts";
import type { EventLog } from "../../src/farm/events/event-log.ts";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { newApp } from "../../src/http/app.ts";
import { DOCUMENTS } from "../../src/http/documents.ts";
import { newEventRoutes } from "../../src/farm/events/event-routes.ts";
import { listen } from "../../src/http/listen.ts";
import { inProcess } from "../fixture/in-process.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";

const path = temporaryFiles()("queue.sqlite", "");
const { runner } = inProcess();
let opened = 0;
let isBroken = false;
const routes = newEventRoutes(async () => {
  opened++;
  if (isBroken) throw operationFailed("The queue is away.");
  return openSqliteEventLog(path);
});
const app = newApp([], runner, [routes.addRoutes]);
const listener = await listen((request, raw) => app.fetch(request, raw), {
  port: 0,
  addresses: ["127.0.0.1"],
  allowedHosts: [],
});
const log: EventLog = await openSqliteEventLog(path);
after(async () => {
  listener.close();
  await routes.close();
  await log.close();
});

interface Received {
  readonly id?: string;
  readonly event?: string;
  readonly data?: any;
  readonly retry?: string;
}

/** The blocks of a stream, read by the rules of the HTML standard for the fields. */
async function openStream(query: string, headers: Record<string, string> = {}) {
  const hangUp = new AbortController();
  const url = `http://127.0.0.1:${listener.port}/v1/events/${query}`;
  const response = await fetch(url, { headers, signal: hangUp.signal });
  const blocks: Received[] = [];
  const state = { hasEnded: false };
  const read = async (): Promise<void> => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      rest += decoder.decode(chunk, { stream: true });
      const whole = rest.split("\n\n");
      rest = whole.pop() ?? "";
      for (const block of whole) {
        const lines = block.split("\n").filter((line) => !line.startsWith(":"));
        const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
        blocks.push(fields.data === undefined ? fields : { ...fields, data: JSON.parse(fields.data) });
      }
    }
  };
  const ended = read().then(
    () => (state.hasEnded = true),
    () => (state.hasEnded = true),
  );
  return { response, blocks, state, ended, close: () => hangUp.abort() };
}

const state = (n: number) => ({ type: "printer.state", subject: "printer/P", data: { n } });
const numbers = (blocks: readonly Received[]): unknown[] =>
  blocks
    .filter(({ event }) => event !== undefined)
    .map(({ event, data }) => (event === "reset" ? "reset" : data.data.n));

test("a wrong request is refused, and opens no queue", async () => {
  for (const [query, headers] of [
    ["?since=x"],
    ["?since=-1"],
    ["?types=jobs"],
    ["", { "Last-Event-ID": "a" }],
  ] as const) {
    const { response } = await openStream(query, headers);
    assert.equal(response.status, 400, query);
  }
  const response = await fetch(`http://127.0.0.1:${listener.port}/v1/events/`, { method: "POST" });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get("allow"), "GET");
  assert.equal(opened, 0);
});

test("a queue that cannot be opened is an error, and is tried again", async () => {
  isBroken = true;
  const { response } = await openStream("");
  assert.equal(response.status, 400);
  isBroken = false;
  const again = await openStream("");
  assert.equal(again.response.status, 200);
  again.close();
});

test("a stream has the events since its begin, each with its number, type and envelope", async () => {
  await log.append([state(0)]);
  const stream = await openStream("");
  assert.equal(stream.response.headers.get("content-type"), "text/event-stream");
  assert.equal(stream.response.headers.get("cache-control"), "no-store");
  await until("the stream begins", () => stream.blocks.length > 0);
  const { last } = await log.range();
  assert.deepEqual(stream.blocks[0], { retry: "3000", id: String(last) });
  await log.append([state(1), { type: "job.done", subject: "job/a", data: { n: 2, text: "ä\n\u2028" } }]);
  await until("both events come", () => stream.blocks.length === 3);
  const [, first, second] = stream.blocks;
  assert.deepEqual(
    [first?.event, first?.id, first?.data.n],
    ["printwright.printer.state", String(last + 1), undefined],
  );
  assert.equal(second?.data.data.text, "ä\n\u2028");
  assert.equal(second?.data.sequence, second?.id);
  stream.close();
  await stream.ended;
});

test("a client that comes back gets what it missed; Last-Event-ID has precedence over since", async () => {
  const { last } = await log.range();
  await log.append([state(10), state(11), { type: "job.done", subject: "job/b", data: { n: 12 } }]);
  const stream = await openStream(`?since=${last}&types=printer.*`);
  await until("the events come", () => numbers(stream.blocks).length === 2);
  assert.deepEqual(numbers(stream.blocks), [10, 11]);
  stream.close();
  const again = await openStream(`?since=${last}`, { "Last-Event-ID": String(last + 1) });
  await until("the events come", () => numbers(again.blocks).length === 2);
  assert.deepEqual(numbers(again.blocks), [11, 12]);
  again.close();
});

test("many events arrive whole and in order, also for a client that is slow to read", async () => {
  const { last } = await log.range();
  await log.append(Array.from({ length: 2500 }, (_, n) => state(n)));
  const stream = await openStream(`?since=${last}`);
  await until("all come", () => numbers(stream.blocks).length === 2500);
  assert.deepEqual(
    numbers(stream.blocks),
    Array.from({ length: 2500 }, (_, n) => n),
  );
  stream.close();
});

test("a client that was away too long, or knows another log, is told to begin anew", async () => {
  const { last } = await log.range();
  const other = await openStream(`?since=${last + 1000}`);
  await until("it is told", () => numbers(other.blocks).includes("reset"));
  other.close();
  await log.removeOld(-1000);
  await log.append([state(20)]);
  const stream = await openStream(`?since=${last - 5}`);
  await until("it is told", () => numbers(stream.blocks).length === 2);
  assert.deepEqual(numbers(stream.blocks), ["reset", 20]);
  assert.deepEqual([stream.blocks[1]?.id, stream.blocks[1]?.data], [String(last), { first: String(last + 1) }]);
  stream.close();
  const whole = await openStream(`?since=${last}`);
  await until("the event comes", () => numbers(whole.blocks).length === 1);
  assert.deepEqual(numbers(whole.blocks), [20]);
  whole.close();
});

test("a server that ends closes the streams", async () => {
  const stream = await openStream("");
  await until("it has begun", () => stream.blocks.length > 0);
  assert.equal(opened, 2);
  await routes.close();
  await stream.ended;
  assert.ok(stream.state.hasEnded);
});

test("the stream is part of the description of the interface", async () => {
  const document = JSON.parse(await DOCUMENTS.openapi.text());
  const { get } = document.paths["/v1/events/"];
  assert.deepEqual(
    get.parameters.map(({ name }: { name: string }) => name),
    ["types", "since"],
  );
  assert.ok(get.responses[200].content["text/event-stream"]);
  assert.match(apiDocument(document), /GET \/v1\/events\//);
});
