import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CancelledError } from "../../../src/core/progress.ts";
import type { PrintJob } from "../../../src/printer/printer.ts";
import { printerSuite } from "../../fixture/printer-suite.ts";
import { type Connected, SOON, connectTo, failedWith, gooFile, gooJob } from "../../fixture/sdcp-bench.ts";
import { until } from "../../fixture/until.ts";
import { type FakePrinter, type Fakes, startSdcpFakes } from "../../fixture/sdcp-fake.ts";
import { someTask } from "../../fixture/some-job.ts";

const BOARDS = 40;
let fakes: Fakes;
let used = 0;
const opened: Connected[] = [];
before(async () => {
  const boards = Array.from({ length: BOARDS }, (_, i) => ({ mainboardId: `${i}`.padStart(16, "0") }));
  fakes = await startSdcpFakes(...boards);
});
after(async () => {
  await Promise.all(opened.map(({ protocol }) => protocol.close()));
  for (const fake of fakes.printers) await until("no socket is left", async () => (await fake.seen()).sockets === 0);
  await fakes.stop();
});

async function open(
  config: Parameters<FakePrinter["set"]>[0] = {},
  timing = {},
): Promise<Connected & { fake: FakePrinter }> {
  const fake = fakes.printers[used++];
  await fake.set(config);
  const connected = await connectTo(fake, timing);
  opened.push(connected);
  return { ...connected, fake };
}

printerSuite("An SDCP printer", async () => {
  const { printer, fake } = await open({ takesAnything: true });
  return {
    printer,
    async finishPrint() {
      await fake.act("finish");
      await until("the printer is ready after its print", () => printer.isReady());
    },
  };
});

for (const [model, machineType, panel] of [
  ["Saturn 4", "ELEGOO-S4", [11_520, 5120]],
  ["Mars 5", "ELEGOO-M5", [4098, 2560]],
] as const) {
  test(`a ${model} is connected and prints the jobs for its panel, and not those for another`, async () => {
    const resolution = panel.join("x");
    const { printer, fake } = await open({ machineName: `ELEGOO ${model}`, resolution });
    assert.deepEqual([printer.label, printer.machineTypes], [`Elegoo ${model}`, [machineType]]);
    await printer.submit(gooJob({ machineType }, gooFile(300_000, [...panel])));
    assert.equal((await fake.seen()).starts.length, 1);
    await fake.act("finish");
    await until("it is ready again", () => printer.isReady());
    await assert.rejects(printer.submit(gooJob({ machineType })), failedWith("dropped"));
  });
}

test("a job is sent completely, listed, started once and confirmed, and its progress never falls", async () => {
  const { printer, fake } = await open({ checkMs: 60, busyMs: 300, startMs: 50, digits: true, clockS: -3600 });
  const shares: number[] = [];
  let phase = [0, 1];
  const task = {
    ...someTask(),
    enterPhase: (from: number, to: number) => void (phase = [from, to]),
    report: (share: number) => void shares.push(phase[0] + share * (phase[1] - phase[0])),
  };
  await printer.submit(gooJob({ name: 'Größe/ü \u202e bracket"', task }));
  const { starts, files, parts, commands, extensions } = await fake.seen();
  assert.equal(starts.length, 1);
  assert.deepEqual(files, starts);
  assert.match(starts[0], /^Gro_e_u_bracket-[0-9a-f]{8}\.goo$/);
  assert.equal(parts, 3);
  assert.ok(commands.filter((one) => one === 128).length > 1, "a busy printer is told to start again");
  assert.equal(extensions, "");
  assert.deepEqual(
    shares.toSorted((a, b) => a - b),
    shares,
  );
  assert.match(printer.describe().status, /print "Gro_e/);
});

test("a job without print_now waits on the printer, also during a print", async () => {
  const { printer, fake } = await open();
  await fake.act("print");
  await until("the print shows", () => !printer.isReady());
  await printer.submit(gooJob({ printNow: false }));
  const { starts, files } = await fake.seen();
  assert.deepEqual([starts.length, files.length], [0, 1]);
});

test("two simultaneous jobs are sent one after the other", async () => {
  const { printer, fake } = await open();
  await Promise.all([1, 2, 3].map(() => printer.submit(gooJob({ printNow: false }))));
  const { files, parts, connections } = await fake.seen();
  assert.equal(files.length, 3);
  assert.equal(parts, 9);
  assert.equal(connections, 4, "one for all commands, and one for each file");
});

test("a job without print_now waits while another one is sent", async () => {
  const { printer, fake } = await open({ checkMs: 100 });
  const first = printer.submit(gooJob({ printNow: false }));
  await until("the first is sent", async () => (await fake.seen()).receiving > 0);
  assert.equal(printer.isReady(), false);
  await assert.rejects(printer.submit(gooJob()), failedWith("busy with another job"));
  await Promise.all([first, printer.submit(gooJob({ printNow: false }))]);
  assert.equal((await fake.seen()).files.length, 2);
});

test("if two programs print on one printer at once, one prints and the other gets an error", async () => {
  const { printer, fake } = await open({ startMs: 20 });
  const other = await connectTo(fake);
  opened.push(other);
  const results = await Promise.allSettled([printer, other.printer].map((one) => one.submit(gooJob())));
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  assert.equal((await fake.seen()).starts.length, 1);
  const refused = results.find((result) => result.status === "rejected");
  failedWith("not ready|another print has begun|does something else")(refused?.reason);
});

test("a job gets another name if its name is taken", async () => {
  const { printer, fake } = await open();
  const job = gooJob({ printNow: false });
  await printer.submit(job);
  await printer.submit(job);
  assert.equal((await fake.seen()).files.length, 2);
});

const REFUSALS: readonly [what: string, config: object, job: () => PrintJob, ...says: string[]][] = [
  ["no room", { freeBytes: 1000 }, () => gooJob(), "1000 bytes free", "2500000", "Nothing was sent"],
  ["a wrong check sum", { corrupts: true }, () => gooJob(), "check sum", "not started"],
  ["a file that it drops", { drops: true }, () => gooJob(), "dropped", "not started"],
  ["a file for another panel", {}, () => gooJob({}, gooFile(300_000, [1, 1])), "dropped"],
  ["another type of file", {}, () => gooJob({ extension: ".sl1" }), "CTB, GOO", "Nothing was sent"],
  ["a part", { refusesPart: -3 }, () => gooJob(), "part 1 of 3", "cannot open the file", "nothing starts it"],
  ["a print that fails", { printError: 5 }, () => gooJob(), "another machine", "is on it"],
  ["a print that does not begin", { startMs: 60_000 }, () => gooJob(), "did not begin", "look whether it prints"],
];
for (const [what, config, job, ...says] of REFUSALS) {
  test(`${what} causes an error that names what is left on the printer`, async () => {
    const { printer, fake } = await open(config, SOON);
    await assert.rejects(printer.submit(job()), failedWith(...says));
    assert.ok((await fake.seen()).starts.length <= 1);
  });
}

test("every refusal of a start is an error, and the start is not sent again", async () => {
  const { printer, fake } = await open();
  const words = ["does not find", "check sum", "cannot read", "resolution", "format", "another machine", "with 99"];
  for (const [i, says] of words.entries()) {
    await fake.set({ startAcks: [i === 6 ? 99 : i + 2] });
    await assert.rejects(
      printer.submit(gooJob({}, gooFile(200_000))),
      failedWith(says, "is on it and was not started"),
    );
  }
  const { starts, commands } = await fake.seen();
  assert.deepEqual(starts, []);
  assert.equal(commands.filter((one) => one === 128).length, words.length);
});

test("the job ends with an error if the printer stays busy", async () => {
  const { printer, fake } = await open({ busyMs: 600_000 }, SOON);
  await assert.rejects(printer.submit(gooJob()), failedWith("stays busy", "was not started"));
  assert.deepEqual((await fake.seen()).starts, []);
});

test("a printer on which another print has begun gets nothing", async () => {
  const { printer, fake } = await open();
  const job = gooJob();
  const busy = printer.submit({
    ...job,
    async writeTo(path, beforeRename) {
      await fake.act("print");
      return job.writeTo(path, beforeRename);
    },
  });
  await assert.rejects(busy, failedWith("not ready", "other.goo"));
  assert.equal((await fake.seen()).parts, 0);
});

test("a cancelled job ends at once and leaves no complete file", async () => {
  const { printer, fake } = await open({ checkMs: 300 });
  // The job is cancelled while it is sliced, sent and checked.
  for (const cutAfterParts of [0, 1, 3]) {
    const cancelling = new AbortController();
    await until("the last transfer ends", async () => (await fake.seen()).receiving === 0);
    const { parts: before } = await fake.seen();
    const task = { ...someTask(cancelling.signal), report: () => {} };
    const taken = printer.submit(gooJob({ task, printNow: false }));
    if (cutAfterParts > 0) {
      await until("the parts arrive", async () => (await fake.seen()).parts - before >= cutAfterParts);
    }
    cancelling.abort();
    await assert.rejects(taken, CancelledError);
  }
  await until("the file that arrived is removed again", async () => {
    const { commands, files, receiving } = await fake.seen();
    return commands.includes(259) && receiving === 0 && files.length === 0;
  });
  assert.deepEqual((await fake.seen()).starts, []);
});

test("firmware for a printer is refused, and the message describes the right way", async () => {
  const { printer } = await open();
  await assert.rejects(printer.installFirmware("/x.bin", someTask()), failedWith("USB"));
});
