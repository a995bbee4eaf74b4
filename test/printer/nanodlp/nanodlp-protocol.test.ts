import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { KnownPrinter } from "../../../src/printer/known-printers.ts";
import { nanoDlpProtocol } from "../../../src/printer/nanodlp/nanodlp-protocol.ts";
import type { Printer, Protocol } from "../../../src/printer/printer.ts";
import { CancelledError } from "../../../src/core/progress.ts";
import type { FakeNanoDlpState } from "../../fixture/fake/nanodlp.ts";
import { startFake } from "../../fixture/fake/start-fake.ts";
import { FAST, openedAlone } from "../../fixture/polled.ts";
import { slowSample } from "../../fixture/long.ts";
import { printerSuite } from "../../fixture/printer-suite.ts";
import { someJob, someTask } from "../../fixture/some-job.ts";
import { connectedPrinter, until } from "../../fixture/until.ts";

const fake = await startFake<FakeNanoDlpState>("nanodlp.ts");
after(() => fake.stop());
const asNew = await fake.state();

/** The protocol looks at no extension: any type of the catalog serves. */
const JOB = { extension: ".nanodlp", machineType: "PRUSA-SL1", layerThicknessMm: 0.05 };
const FOREIGN = { PlateID: 1, Path: "foreign", ProfileID: 1, bytes: 1, Processed: true };

const knownWith = (known: Partial<KnownPrinter> = {}): KnownPrinter => ({
  protocol: "nanodlp",
  host: "127.0.0.1",
  port: fake.port,
  machineType: "PRUSA-SL1",
  ...known,
});

const openProtocol = (known: Partial<KnownPrinter> = {}, timing = FAST): Promise<Protocol> =>
  openedAlone(nanoDlpProtocol({ known: [knownWith(known)], timing }));

async function open(
  state: Partial<FakeNanoDlpState> = {},
  known: Partial<KnownPrinter> = {},
  timing = FAST,
): Promise<Printer> {
  await fake.change({ ...asNew, plates: [FOREIGN], ...state });
  const printer = await connectedPrinter(await openProtocol(known, timing));
  await fake.change({ requests: [] });
  return printer;
}

const ownPlates = async () => (await fake.state()).plates.filter(({ Path }) => Path !== "foreign");

printerSuite("a machine with NanoDLP", async () => {
  const printer = await open();
  const finishPrint = async (): Promise<void> => {
    await fake.change({ state: "0" });
    await until("ready again", () => printer.isReady());
  };
  return { printer, job: JOB, finishPrint };
});

for (const answers of ["redirect", "json", "nothing", "elsewhere"] as const) {
  test(`a job whose upload is answered by ${answers} waits until it is processed, and is started once`, async () => {
    const printer = await open({ answers, listsUntilProcessed: 3, writesTexts: answers === "json" });
    await printer.submit(someJob({ ...JOB, name: "zoé/1" }));
    const [plate, ...more] = await ownPlates();
    assert.deepEqual(more, []);
    assert.match(plate.Path, /^zoe_1-[\da-f]{8}$/);
    assert.deepEqual([plate.ProfileID, plate.bytes], [2, "layers".length]);
    const { started, requests } = await fake.state();
    assert.deepEqual(started, [plate.Path]);
    assert.equal(requests.filter((line) => line === `GET /printer/start/${plate.PlateID}`).length, 1);
    assert.match(printer.describe().status, /^Printing, layer 3 of 100$/);
  });
}

test("a plate that the machine renames is found by its new number, and never an older one", async () => {
  for (const answers of ["redirect", "json"] as const) {
    const printer = await open({ renames: true, answers });
    await printer.submit(someJob(JOB));
    assert.deepEqual((await fake.state()).started, ["plate 2"]);
  }
  for (const answers of ["nothing", "elsewhere"] as const) {
    const printer = await open({ renames: true, answers }, {}, { ...FAST, uploadReplyMs: 50 });
    await assert.rejects(
      printer.submit(someJob(JOB)),
      /looking whether the job arrived: its list of files lacks the job\. What it has of .* may be left there/,
    );
    const { started, plates } = await fake.state();
    assert.deepEqual([started, plates[0]], [[], FOREIGN]);
  }
});

const PROFILES: readonly [
  Partial<FakeNanoDlpState>,
  string | undefined,
  number | "ADAPTIVE" | undefined,
  number | RegExp,
][] = [
  [{}, undefined, 0.05, 2],
  [{}, undefined, 0.1, 1],
  [{}, "Fast", 0.05, 1],
  [{}, "2", 0.1, 2],
  [{ profiles: [{ ProfileID: "7", Title: "x", Depth: "50" }] }, undefined, 0.05, 7],
  [
    {},
    undefined,
    0.03,
    /no profile of the machine has layers of 0\.03 mm: give one as "profile".*It has 1 "Fast" \(100 µm\), 2 "Fine" \(50 µm\)/,
  ],
  [{}, undefined, "ADAPTIVE", /a thickness that varies/],
  [{}, undefined, undefined, /is not known/],
  [{}, "9", 0.05, /the machine has no profile "9".*It has 1 "Fast"/],
  [{ profiles: null }, undefined, 0.05, /It has none/],
  [{ profiles: [{}, { Title: 7 }] }, undefined, 0.05, /It has none/],
];
for (const [i, [state, profile, layerThicknessMm, expected]] of PROFILES.entries()) {
  test(`the profile ${profile ?? "that fits"} for layers of ${layerThicknessMm} is chosen or its lack named (${i})`, async () => {
    const printer = await open(state, { profile });
    const sliced: boolean[] = [];
    const job = someJob({ ...JOB, layerThicknessMm });
    const writeTo: typeof job.writeTo = (...given) => (sliced.push(true), job.writeTo(...given));
    const submitted = printer.submit({ ...job, writeTo });
    if (typeof expected === "number") {
      await submitted;
      assert.equal((await ownPlates())[0].ProfileID, expected);
      return;
    }
    await assert.rejects(submitted, { code: "OPERATION_FAILED", message: expected });
    assert.deepEqual([sliced, await ownPlates()], [[], []], "nothing is sliced in vain");
  });
}

test("a machine that never processes the plate gets no start, and keeps nothing of the job", async () => {
  const printer = await open({ listsUntilProcessed: null });
  await assert.rejects(printer.submit(someJob(JOB)), /looking whether the job arrived.*Nothing of it is left/);
  assert.deepEqual([await ownPlates(), (await fake.state()).started], [[], []]);
});

test("a job that is cancelled while the machine processes it is removed there", async () => {
  const printer = await open({ listsUntilProcessed: null }, {}, { ...FAST, uploadReplyMs: 60_000 });
  const cancelling = new AbortController();
  const taken = printer.submit(someJob({ ...JOB, task: someTask(cancelling.signal) }));
  await Promise.all([
    assert.rejects(taken, CancelledError),
    until("it is there", async () => (await ownPlates()).length === 1).then(() => cancelling.abort()),
  ]);
  assert.deepEqual([await ownPlates(), (await fake.state()).started], [[], []]);
});

test("if NanoDLP disappears at any message, it starts no job twice and keeps no incomplete one", async () => {
  const quiet = { ...FAST, idlePollMs: 1e6, busyPollMs: 1e6, lostMs: 1e6 };
  await (await open({}, {}, quiet)).submit(someJob(JOB));
  const messages = (await fake.state()).requests;
  assert.ok(messages.length >= 8, messages.join("\n"));
  const cases = messages.flatMap((line, sent) =>
    (["cut before", "cut body", "cut after"] as const).map((how) => ({ line, sent, how })),
  );
  for (const { line, sent, how } of slowSample(cases, 4)) {
    const printer = await open({}, {}, quiet);
    await fake.change({ faults: [{ at: "", after: sent, times: 1, how }] });
    const failure = await printer.submit(someJob(JOB)).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    const { started, plates, requests } = await fake.state();
    const where = `${how} at ${line}: ${failure?.message}`;
    assert.ok(requests.filter((one) => one.startsWith("GET /printer/start")).length <= 1, where);
    assert.equal(plates.filter(({ Path }) => Path === "foreign").length, 1, where);
    if (!failure) assert.equal(started.length, 1, where);
    else if (!LEFT.test(failure.message)) assert.deepEqual([started, plates], [[], [FOREIGN]], where);
    await fake.change({ faults: [] });
  }
});

/** What messages say if something of the job may be left on the machine. */
const LEFT = /Whether it prints .* is not known|may be left there/;

test("the token is sent if the printers file has it, and its lack or refusal is named", async () => {
  for (const redirectsToLogin of [false, true]) {
    const credentials = { username: undefined, key: "secret", plainKey: true } as const;
    const printer = await open({ token: "secret", redirectsToLogin }, { credentials });
    await printer.submit(someJob(JOB));
    for (const [given, says] of [
      [undefined, /wants a token: put it as api_key into the printers file/],
      [{ ...credentials, key: "wrong" }, /refuses the token of the printers file: compare it/],
    ] as const) {
      const protocol = await openProtocol({ credentials: given });
      await until("it is listed as unusable", () => protocol.unusable!().length > 0);
      assert.match(protocol.unusable!()[0].reason, says);
      assert.doesNotMatch(protocol.unusable!()[0].reason, /secret|wrong\b.*key/);
      assert.deepEqual(protocol.connected(), []);
    }
  }
});

test("a host that is no NanoDLP is listed as unusable", async () => {
  const odyssey = await startFake("odyssey.ts");
  after(() => odyssey.stop());
  const protocol = await openProtocol({ port: odyssey.port });
  await until("it is listed", () => protocol.unusable!().length > 0);
  assert.match(protocol.unusable!()[0].reason, /unexpected reply to \/status/);
});

test("states in which the machine prints, pauses or cancels are not ready, whatever it calls them", async () => {
  const printer = await open();
  for (const [state, text] of [
    ["3", /^Paused/],
    ["4", /^Cancelling/],
    ["9", /^Busy/],
  ] as const) {
    await fake.change({ state });
    await until("it is seen", () => text.test(printer.describe().status));
    assert.equal(printer.isReady(), false);
  }
  await fake.change({ state: "0" });
  await until("it is ready", () => printer.isReady());
  assert.equal(printer.describe().status, "Idle");
});
