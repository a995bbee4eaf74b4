import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { type Connected, connectTo, failedWith, gooJob } from "../../fixture/sdcp-bench.ts";
import { until } from "../../fixture/until.ts";
import { type FakePrinter, type Fakes, startSdcpFakes } from "../../fixture/sdcp-fake.ts";

/** More than the messages of a job: two requests, the free space, the list, three parts, the check, the list, the start, the print. */
const MESSAGES = 16;
const BOARDS = 4 * MESSAGES + 20;

let fakes: Fakes;
let used = 0;
const opened: Connected[] = [];
before(async () => {
  fakes = await startSdcpFakes(
    ...Array.from({ length: BOARDS }, (_, i) => ({ mainboardId: `${i}`.padStart(16, "0"), name: `Saturn ${i}` })),
  );
});
after(async () => {
  await Promise.all(opened.map(({ protocol }) => protocol.close()));
  for (const fake of fakes.printers) await until("no socket is left", async () => (await fake.seen()).sockets === 0);
  await fakes.stop();
});

/** Only the requests of the job are sent, so that messages can be counted. */
const STILL = {
  idlePollMs: 60_000,
  busyPollMs: 60_000,
  startMs: 200,
  confirmMs: 200,
  // Deno does not report that a kept connection ended in the middle of a call, so the deadline ends the call.
  partMs: 2000,
};

async function open(
  config: Parameters<FakePrinter["set"]>[0] = {},
  timing = {},
): Promise<Connected & { fake: FakePrinter }> {
  const fake = fakes.printers[used++];
  const connected = await connectTo(fake, timing);
  await fake.set(config);
  opened.push(connected);
  return { ...connected, fake };
}

/** The error of a job that is sent to a printer, or undefined, and what the printer has received. */
async function sent(config: Parameters<FakePrinter["set"]>[0], reconnectMs: number) {
  const { printer, protocol, fake } = await open(config, { ...STILL, reconnectMs });
  const error = await printer.submit(gooJob()).then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  const seen = await fake.seen();
  assert.ok(seen.starts.length <= 1, "it was started twice");
  await fake.set({ goneAt: 0 });
  await fake.act("back");
  await until("the printer is connected again", () => protocol.connected().length === 1);
  assert.deepEqual((await fake.seen()).starts, seen.starts, "it was started later");
  return { error, ...seen };
}

for (const goneAfter of [false, true]) {
  test(`the loss of a printer ${goneAfter ? "after" : "before"} any message is reported, with the step and what is left on it`, async () => {
    const jobs = await Promise.all(Array.from({ length: MESSAGES }, (_, i) => sent({ goneAt: i + 1, goneAfter }, 150)));
    const lost = jobs.filter(({ error }) => error !== undefined);
    assert.ok(lost.length >= 11, `${lost.length} jobs were lost`);
    const steps = new Set<string>();
    for (const { error, files, starts } of lost) {
      assert.ok(error instanceof ApiError && error.code === "OPERATION_FAILED", String(error));
      const [, step, left] = /was lost while (.+?): .+\. (.+)$/.exec(error.message) ?? [];
      assert.ok(step, error.message);
      steps.add(step);
      if (starts.length > 0) assert.match(error.message, /look whether it prints/);
      else if (files.length > 0) assert.match(error.message, /not started|nothing starts it|look whether it prints/);
      else assert.match(left, /Nothing was sent|send the job again/);
    }
    assert.ok(steps.size >= 4, [...steps].join("; "));
    for (const { error, starts } of jobs) if (!error) assert.equal(starts.length, 1);
  });

  test(`connections that end ${goneAfter ? "after" : "before"} any message are restored, and no job starts twice`, async () => {
    const jobs = await Promise.all(
      Array.from({ length: MESSAGES }, (_, i) => sent({ goneAt: i + 1, goneAfter, returns: true }, 5000)),
    );
    const done = jobs.filter(({ error }) => error === undefined);
    assert.ok(done.length >= MESSAGES - 2, `${done.length} jobs were printed`);
    for (const { error, starts } of jobs) {
      if (!error) assert.equal(starts.length, 1);
      else assert.match(error.message, /look whether it prints/);
    }
  });
}

test("a printer that stops answering is lost after a time, and is found again", async () => {
  const { protocol, printer, fake } = await open({}, { ackMs: 50, deadMs: 300, connectMs: 200 });
  await fake.set({ mute: true });
  const taken = printer.submit(gooJob());
  await assert.rejects(taken, failedWith("was lost while it was asked", "did not answer within 0.05 s"));
  await until("the printer is no longer listed", () => protocol.connected().length === 0);
  assert.equal(printer.isReady(), false);
  await fake.set({ mute: false });
  await until("the printer is ready again", () => printer.isReady());
});

test("a printer that sends only a byte now and then is disconnected", async () => {
  const { protocol, fake } = await open({}, { ackMs: 100, contentMs: 100, deadMs: 200, connectMs: 200 });
  await fake.set({ slow: true });
  await until("the printer is no longer listed", () => protocol.connected().length === 0);
  await fake.set({ slow: false });
  await until("the printer is listed again", () => protocol.connected().length === 1);
});

const textFrame = (payload: Uint8Array): Buffer => {
  const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(payload.length, 6);
  return Buffer.concat([head, payload]);
};

test("garbage in frames does no harm", async () => {
  const { protocol, printer, fake } = await open();
  const { connections } = await fake.seen();
  const deep = `${"[".repeat(100_000)}`;
  const topic = `"Topic":"sdcp/status/${printer.otherNames.find((one) => /^0\d+$/.test(one))}"`;
  for (const text of [
    "",
    "pong",
    "{",
    deep,
    "null",
    `{${topic}}`,
    `{${topic},"Status":{"CurrentStatus":"x"}}`,
    `{"a":${deep}`,
  ]) {
    await fake.send(textFrame(Buffer.from(text)));
  }
  await fake.send(
    textFrame(Buffer.from(`{${topic},"Status":{"CurrentStatus":[1],"PrintInfo":{"CurrentLayer":"x","Filename":7}}}`)),
  );
  await until("the next status is taken", () => printer.isReady());
  assert.equal(protocol.connected().length, 1);
  assert.equal((await fake.seen()).connections, connections);
});

const WRONG_FRAMES: readonly [what: string, frame: Buffer][] = [
  ["a frame of 10 MB", textFrame(Buffer.alloc(10_000_000, 65))],
  ["a frame that announces more than there is", Buffer.from("817f7fffffffffffffff", "hex")],
  ["a masked frame", Buffer.from("818000000000", "hex")],
  ["a compressed frame", Buffer.from("c10130", "hex")],
  ["a continuation of nothing", Buffer.from("800130", "hex")],
  ["an unknown opcode", Buffer.from("830130", "hex")],
  ["a long ping", Buffer.from("897e0100", "hex")],
  [
    "many fragments of 100 KB",
    Buffer.concat(
      Array.from({ length: 30 }, (_, i) =>
        Buffer.concat([Buffer.from([i === 0 ? 1 : 0, 127, 0, 0, 0, 0, 0, 1, 0x86, 0xa0]), Buffer.alloc(100_000)]),
      ),
    ),
  ],
  ["a farewell", Buffer.from("8800", "hex")],
];
for (const [what, frame] of WRONG_FRAMES) {
  test(`${what} ends the connection, which is then restored`, async () => {
    const { protocol, fake } = await open();
    const { connections } = await fake.seen();
    await fake.send(frame);
    await until("there is another connection", async () => (await fake.seen()).connections > connections);
    await until("the printer is listed again", () => protocol.connected().length === 1);
  });
}

test("a printer without a free connection is listed once a connection is free", async () => {
  const fake = fakes.printers[used++];
  await fake.set({ maxClients: 0 });
  const connecting = connectTo(fake);
  await until("it is tried again", async () => (await fake.seen()).connections > 2);
  await fake.set({ maxClients: 5 });
  opened.push(await connecting);
  assert.equal((await fake.seen()).clients, 1);
});
