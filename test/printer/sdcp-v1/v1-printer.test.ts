import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { CancelledError } from "../../../src/core/progress.ts";
import { listenForMqtt } from "../../../src/printer/sdcp-v1/mqtt-listener.ts";
import type { Timing } from "../../../src/printer/sdcp/timing.ts";
import type { FakeV1Config } from "../../fixture/fake/sdcp-v1-printer.ts";
import { randomFrom } from "../../fixture/random.ts";
import { type Connected, SOON, connectTo, failedWith, gooFile, gooJob } from "../../fixture/sdcp-bench.ts";
import { until } from "../../fixture/until.ts";
import { type FakePrinter, type Fakes, startSdcpV1Fakes } from "../../fixture/sdcp-fake.ts";
import { someTask } from "../../fixture/some-job.ts";

let fakes: Fakes;
let used = 0;
const opened: Connected[] = [];
before(async () => {
  fakes = await startSdcpV1Fakes(...Array.from({ length: 30 }, (_, i) => ({ mainboardId: `v${i}` })));
});
after(async () => {
  await Promise.all(opened.map(({ protocol }) => protocol.close()));
  for (const fake of fakes.printers) await until("no socket is left", async () => (await fake.seen()).sockets === 0);
  await fakes.stop();
});

async function open(
  config: Partial<FakeV1Config> = {},
  v1Host: string | null = "127.0.0.1",
  timing: Partial<Timing> = {},
): Promise<Connected & { fake: FakePrinter }> {
  const fake = fakes.printers[used++];
  await fake.set(config);
  const connected = await connectTo(fake, timing, v1Host ?? undefined);
  opened.push(connected);
  return { ...connected, fake };
}

const job = (given: Parameters<typeof gooJob>[0] = {}) =>
  gooJob({ machineType: "ELEGOO-S3U", ...given }, gooFile(300_000));

test("a printer of version 1 is listed with its answers, as long as it answers", async () => {
  const { printer, protocol, fake } = await open({}, null, { probeMs: 300, deadMs: 600 });
  assert.deepEqual(printer.describe(), {
    id: "Saturn 3",
    product_name: "Elegoo Saturn 3 Ultra",
    status: "Ready",
    is_connected: true,
    connection_type: "UNKNOWN",
    ip_address: "127.0.0.1",
    firmware_version: "V1.4.2",
    ready_to_print_now: true,
  });
  await fake.act("print");
  await until("it is not ready", () => !printer.isReady());
  await fake.set({ silent: true });
  await until("it is lost", () => protocol.connected().length === 0);
  await fake.set({ silent: false });
  await until("it is found again", () => protocol.connected().length === 1);
});

test("without --sdcp-v1-host the server does not listen, and the error names the way by USB", async () => {
  const { printer, protocol, fake } = await open({}, null);
  await assert.rejects(printer.submit(job()), failedWith("--sdcp-v1-host", "USB stick", "\\.goo"));
  const [{ id, reason }] = protocol.unusable!();
  assert.equal(id, printer.id);
  assert.match(reason, /fetch them from this machine.*--sdcp-v1-host/);
  assert.equal((await fake.seen()).calls, 0);
  await assert.rejects(printer.installFirmware("/x", someTask()), failedWith("USB"));
});

test("the printer fetches a job, which is started once and confirmed; afterwards the server does not listen", async () => {
  const { printer, fake } = await open({ startAcks: [1] });
  await printer.submit(job());
  const { starts, files, urls, commands, wrong } = await fake.seen();
  assert.equal(wrong, "");
  assert.equal(starts.length, 1);
  assert.deepEqual(files, starts);
  assert.deepEqual(
    [...new Set(commands)].toSorted((a, b) => a - b),
    [0, 1, 64, 128, 256, 512],
  );
  assert.match(urls[0], /^http:\/\/\$\{ipaddr\}:\d+\/[0-9a-f]{32}\.goo$/);
  const socket = connect(Number(/:(\d+)\//.exec(urls[0])![1]), "127.0.0.1");
  const [error] = await once(socket, "error");
  assert.equal(error.code, "ECONNREFUSED");
  await until("it has disconnected", async () => (await fake.seen()).sockets === 0);
  assert.equal(printer.isReady(), false);
});

test("a Mars 4 Ultra fetches its jobs in the same way", async () => {
  const { printer, fake } = await open({ machineName: "ELEGOO Mars 4 Ultra", resolution: "8520x4320" });
  assert.deepEqual([printer.describe().product_name, printer.machineTypes], ["Elegoo Mars 4 Ultra", ["ELEGOO-M4U"]]);
  await printer.submit(gooJob({ machineType: "ELEGOO-M4U" }, gooFile(300_000, [8520, 4320])));
  const { starts, files, wrong } = await fake.seen();
  assert.deepEqual([starts.length, files, wrong], [1, starts, ""]);
});

test("a job without print_now waits on the printer", async () => {
  const { printer, fake } = await open();
  await printer.submit(job({ printNow: false }));
  const { starts, files } = await fake.seen();
  assert.deepEqual([starts.length, files.length], [0, 1]);
  await until("it is ready", () => printer.isReady());
});

const FAILURES: readonly [what: string, config: Partial<FakeV1Config>, ...says: string[]][] = [
  ["does not come", { comes: false }, "did not connect to 127.0.0.1 within 0.4 s", "Nothing was sent"],
  ["is another", { clientId: "somebody" }, "did not connect", "Nothing was sent"],
  ["breaks what it fetches", { corrupts: true }, "check sum", "nothing starts it"],
  ["stops to fetch", { stopsAt: 100_000 }, "no more within 0.3 s", "nothing starts it"],
  ["refuses the start", { startAcks: [5] }, "another resolution", "was not started"],
  ["is gone at once", { goneAt: 1 }, "ended the connection", "Nothing was sent"],
  ["is gone before it fetches", { goneAt: 4 }, "was lost while it fetched", "nothing starts it"],
];
for (const [what, config, ...says] of FAILURES) {
  test(`a printer that ${what} causes an error that names what is left on it`, async () => {
    const isSlow = "comes" in config || "clientId" in config || "stopsAt" in config;
    const { printer, fake } = await open(config, "127.0.0.1", isSlow ? SOON : {});
    await assert.rejects(printer.submit(job()), failedWith(...says));
    assert.deepEqual((await fake.seen()).starts, []);
    // A printer that stopped does not notice the end of its connection.
    if (!("stopsAt" in config)) await until("it is ready again", () => printer.isReady());
  });
}

test("a printer that disappears at the start of the print gets no second start", async () => {
  const { printer, fake } = await open();
  for (const goneAt of [6, 7, 8, 9]) {
    await fake.set({ goneAt });
    const error = await printer.submit(job()).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    const { starts } = await fake.seen();
    assert.ok(starts.length <= 1);
    if (starts.length === 1) break;
    failedWith(/was not started|look whether it prints|nothing starts it/)(error);
    await until("it is ready again", () => printer.isReady());
  }
});

test("a job that is cancelled while the printer fetches it ends at once", async () => {
  const { printer, fake } = await open({ stopsAt: 100_000 });
  const cancelling = new AbortController();
  const taken = printer.submit(job({ task: someTask(cancelling.signal) }));
  await until("it fetches", async () => (await fake.seen()).urls.length > 0);
  cancelling.abort();
  await assert.rejects(taken, CancelledError);
  assert.deepEqual((await fake.seen()).starts, []);
});

test("an address that this machine does not have is an error", async () => {
  const { printer } = await open({}, "192.0.2.1");
  await assert.rejects(printer.submit(job()), failedWith("--sdcp-v1-host", "machine\\. Nothing was sent\\.$"));
});

test("a broker's port survives garbage, and accepts only the printer", async () => {
  const random = randomFrom(16);
  const messages: string[] = [];
  const options = {
    host: "127.0.0.1",
    clientId: "v",
    topic: "/t",
    message: (topic: string) => void messages.push(topic),
    lost() {},
  };
  const [listener, closed] = [
    await listenForMqtt({ ...options, clientAddress: "127.0.0.1" }),
    await listenForMqtt({ ...options, clientAddress: "192.0.2.1" }),
  ];
  const dies = async (port: number, bytes: Buffer): Promise<void> => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.end(bytes);
    socket.resume();
    await once(socket, "close");
  };
  const hello = Buffer.from("100d00044d5154540402003c000176", "hex");
  for (let i = 0; i < 200; i++) {
    const noise = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 60) }, () => Math.floor(random() * 256)));
    await dies(listener.port, random() < 0.5 ? noise : Buffer.concat([hello, noise]));
  }
  await dies(closed.port, hello);
  await dies(listener.port, Buffer.from("30ffffffff7f", "hex"));
  listener.close();
  closed.close();
});

test("a printer that floods the broker is disconnected, and the reason is reported", async () => {
  const { promise: lost, resolve } = Promise.withResolvers<string>();
  const listener = await listenForMqtt({
    host: "127.0.0.1",
    clientAddress: "127.0.0.1",
    clientId: "v",
    topic: "/t",
    message() {},
    lost: resolve,
  });
  const socket = connect(listener.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  socket.write(Buffer.from("100d00044d5154540402003c000176", "hex"));
  socket.write(Buffer.from("8207000100022f7400", "hex"));
  await listener.subscribed;
  const PING = [0xc0, 0];
  socket.write(Buffer.from(Array.from({ length: 1000 }, () => PING).flat()));
  assert.match(await lost, /more than 200 messages a second/);
  await once(socket, "close");
  listener.close();
});

test("a printer that sends and reads nothing is disconnected before its answers take memory, and the reason is reported", async () => {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const listener = await listenForMqtt({
    host: "127.0.0.1",
    clientAddress: "127.0.0.1",
    clientId: "v",
    topic: "/t",
    message: () => resolve("it is still heard"),
    lost: resolve,
  });
  const socket = connect(listener.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(Buffer.from("100d00044d5154540402003c000176", "hex"));
  socket.write(Buffer.from("8207000100022f7400", "hex"));
  await listener.subscribed;
  // More than the buffers of a system hold for one connection: up to 10 MiB on Linux.
  for (let mib = 0; mib < 12; mib++) listener.publish("x".repeat(2 ** 20));
  await new Promise(setImmediate);
  const PUBLISHED = [0x30, 4, 0, 2, 0x2f, 0x75];
  socket.write(Buffer.from(PUBLISHED));
  assert.equal(await ended, "it reads nothing");
  socket.destroy();
  listener.close();
});
