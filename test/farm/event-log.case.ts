import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventLog } from "../../src/farm/events/event-log.ts";
import type { JobQueue } from "../../src/farm/queue/job-queue.ts";

/** Where a test gets its logs from: `open` opens the same events each time, of the queue that `openQueue` opens. */
export interface LogKind {
  readonly name: string;
  open(): Promise<EventLog>;
  openQueue(): Promise<JobQueue>;
}

const event = (n: number) => ({ type: "printer.state", subject: "printer/P", data: { n } });

/** The tests that each kind of log passes. */
export function testEventLog(kind: LogKind): void {
  let log: EventLog;
  before(async () => {
    log = await kind.open();
  });
  after(() => log.close());
  const it = (name: string, run: () => Promise<void>): void => void test(`${kind.name}: ${name}`, run);

  it("events are read in pieces, in their order, as they were written", async () => {
    const { last } = await log.range();
    await log.append([event(0), event(1)]);
    await log.append([event(2)]);
    const first = await log.read(last, 2);
    const rest = await log.read(first[1]?.sequence ?? 0, 2);
    assert.deepEqual(
      [...first, ...rest].map(({ type, subject, data }) => ({ type, subject, data })),
      [0, 1, 2].map(event),
    );
    assert.ok(Math.abs(Date.now() - Number(first[0]?.at)) < 60_000);
    assert.equal((await log.range()).last, rest[0]?.sequence);
    assert.deepEqual(await log.read(rest[0]?.sequence ?? 0, 2), []);
  });

  it("changes of jobs are events, one for each state", async () => {
    const { last } = await log.range();
    const queue = await kind.openQueue();
    const [added] = await queue.submit([{ key: `k${last}`, lane: "quote", payload: 1, group: "g" }]);
    const [job] = await queue.claim("w", { quote: 1 });
    assert.ok(job && added);
    await queue.finish(job, { secret: "not in events" });
    await queue.close();
    const events = await log.read(last, 10);
    assert.deepEqual(
      events.map(({ type, subject }) => [type, subject]),
      ["ready", "running", "done"].map((state) => [`job.${state}`, `job/${added.id}`]),
    );
    assert.ok(!JSON.stringify(events).includes("secret"));
  });

  it("a waiting reader hears of events of other processes, and of those before it waits", async () => {
    const other = await kind.open();
    const changed = log.watch();
    await other.append([event(0)]);
    const late = sleep(30_000, "late", { ref: false });
    assert.notEqual(await Promise.race([changed(60_000), late]), "late");
    setTimeout(() => void other.append([event(1)]), 20);
    assert.notEqual(await Promise.race([changed(60_000), late]), "late");
    await other.close();
  });

  it("readers keep how far they are", async () => {
    assert.equal(await log.load("nobody"), undefined);
    await log.save("shop", { position: 1 });
    await log.save("shop", { position: 2 });
    assert.deepEqual(await log.load("shop"), { position: 2 });
  });

  it("events that a writer saves its state with are written once, however often they are", async () => {
    const { last } = await log.range();
    const seen = async () => (await log.read(last, 10)).map(({ data }) => data["n"]);
    for (const n of [1, 1, 2]) await log.append([event(n), event(n)], { name: "w/a", state: { n } });
    await log.append([event(3)], { name: "w/b", state: { n: 2 } });
    await log.append([event(4)], { name: "w/b", state: { n: 2 } });
    assert.deepEqual(await seen(), [1, 1, 2, 2, 3]);
    await log.save("wa", {});
    assert.deepEqual(
      [...(await log.loadAll("w/"))],
      [
        ["w/a", { n: 2 }],
        ["w/b", { n: 2 }],
      ],
    );
  });

  it("one process is the reader of a name", async () => {
    const claim = await log.claim("a/b");
    const other = await kind.open();
    await assert.rejects(other.claim("a/b"), { code: "OPERATION_FAILED" });
    assert.ok(!claim.lost.aborted);
    await claim.release();
    await (await other.claim("a/b")).release();
    await other.close();
  });

  it("old events are removed, and their numbers are not given again", async () => {
    await log.append(Array.from({ length: 1500 }, (_, n) => event(n)));
    const { last } = await log.range();
    assert.equal(await log.removeOld(60_000), 0);
    await sleep(5);
    assert.ok((await log.removeOld(0)) >= 1500);
    assert.deepEqual(await log.range(), { removed: last, last });
    await log.append([event(1)]);
    const range = await log.range();
    assert.ok(range.removed >= last && range.last > range.removed);
    assert.equal((await log.read(last, 5)).length, 1);
  });
}
