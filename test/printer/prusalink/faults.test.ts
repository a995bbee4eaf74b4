import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { CancelledError } from "../../../src/core/progress.ts";
import type { PollTiming } from "../../../src/printer/polled/machine.ts";
import { prusaLinkProtocol } from "../../../src/printer/prusalink/prusalink-protocol.ts";
import type { Fault } from "../../fixture/fake/fake-machine.ts";
import { answering, endlessly, hostileServer } from "../../fixture/hostile-server.ts";
import { sampledTests, slowCases, longTest } from "../../fixture/long.ts";
import { FAST } from "../../fixture/polled.ts";
import { until } from "../../fixture/until.ts";
import { KEY, SL1_KINDS, type Sl1Bench, sl1Bench } from "../../fixture/sl1-bench.ts";
import { someJob, someTask } from "../../fixture/some-job.ts";

/** Without polls, so that all requests are those of the job. */
const WITHOUT_POLLS: PollTiming = { ...FAST, idlePollMs: 1e6, busyPollMs: 1e6, lostMs: 1e6 };
const QUIET = { key: KEY, timing: WITHOUT_POLLS };

const isStart = (line: string): boolean => /^POST \/api\/(?:v1\/)?files\/local\/./.test(line);

/** Benches of the kinds whose tests run. */
const benches = new Map<string, Sl1Bench>();
for (const [what, options] of slowCases(SL1_KINDS)) benches.set(what, await sl1Bench(options));

for (const [[what, options], declare] of sampledTests(SL1_KINDS, SL1_KINDS.length)) {
  const bench = benches.get(what)!;
  const upload = options.api === "v1" ? "PUT " : "POST /api/files/local";
  const start = options.api === "legacy" ? "POST /api/files/local/" : "POST /api/v1/files/local/";

  longTest(`if ${what} disappears at any message, it gets no job twice and keeps no incomplete one`, async () => {
    await (await bench.connect({}, QUIET)).submit(someJob(bench.job));
    const messages = (await bench.fake.state()).requests;
    const ways: Omit<Fault, "at" | "after">[] = [
      { how: "cut before", times: 1 },
      { how: "cut after", times: 1 },
      { how: "cut before" },
    ];
    for (const [after, line] of messages.entries()) {
      for (const way of ways) {
        const where = `${JSON.stringify(way)} at ${after}, ${line}`;
        const printer = await bench.connect({ faults: [{ at: "", after, ...way }] }, QUIET);
        const failure = await printer.submit(someJob(bench.job)).then(
          () => undefined,
          (thrown: unknown) => thrown as ApiError,
        );
        const { started, files, requests } = await bench.fake.state();
        assert.ok(started.length <= 1, where);
        assert.ok(requests.filter(isStart).length <= 1, where);
        if (failure) {
          assert.equal(failure.code, "OPERATION_FAILED", where);
          assert.match(failure.message, /^The printer "(?:CZPX1234|prusa-sl1)" d/, where);
          assert.ok(!failure.message.includes(KEY), where);
          if (/Nothing of it is left/.test(failure.message)) assert.deepEqual([started, files], [[], {}], where);
        } else {
          assert.equal(started.length, 1, where);
        }
        // In any case the next job succeeds.
        await bench.fake.change({ faults: [], state: bench.idle });
        await printer.submit(someJob({ ...bench.job, printNow: false }));
      }
    }
  });

  const BAD_UPLOADS: readonly (readonly [what: string, how: Fault["how"], body: unknown, message: RegExp])[] = [
    ["a full disk", 507, "", /storage is full: delete files/],
    ["a job that is too large", 413, "<html><h1>413</h1></html>", /larger than the machine takes/],
    ["another kind of file", 415, { code: "#10521", title: "INVALID FILE", message: "x" }, /"INVALID FILE: x"/],
    ["a machine that stays busy", 409, { code: "#10000", message: "busy" }, /busy or not ready.*"busy"/],
    ["a failing machine", 500, "oops\n\u0007", /status 500.*"oops"/],
    ["a refused key", 403, "", /does not permit/],
    ["a silent machine", "hang", "", /within 0\.\d+ s/],
    ["a slow loris", "trickle", "", /within 0\.\d+ s/],
    ["a connection that breaks in the middle", "cut body", "", /in the middle/],
  ];

  declare(`${what} that refuses a job keeps no part of it and starts nothing, and the message says why`, async () => {
    for (const [which, how, body, message] of BAD_UPLOADS) {
      const printer = await bench.connect({ faults: [{ at: upload, how, body }] }, QUIET);
      const taken = printer.submit(someJob(bench.job));
      await assert.rejects(taken, (thrown: ApiError) => {
        assert.equal(thrown.code, "OPERATION_FAILED", which);
        assert.match(thrown.message, message, which);
        assert.match(thrown.message, /While sending the job: .*Nothing of it is left there\.$/, which);
        return true;
      });
      const { started, files } = await bench.fake.state();
      assert.deepEqual([started, files], [[], {}], which);
    }
  });

  declare(`${what} that is busy for a while then gets the job, once`, async () => {
    const busy = { how: 409, body: "busy" } as const;
    const faults = [
      { at: upload, times: 3, ...busy },
      { at: start, times: 3, ...busy },
    ];
    // The machine is busy for three requests, however long they take.
    const patient = { key: KEY, timing: { ...WITHOUT_POLLS, retriesMs: 60_000 } };
    const printer = await bench.connect({ faults }, patient);
    await printer.submit(someJob(bench.job));
    const { started, files, requests } = await bench.fake.state();
    assert.equal(started.length, 1);
    assert.equal(Object.keys(files).length, 1);
    assert.equal(requests.filter(isStart).length, 4);
  });

  declare(
    `${what} that refuses a start keeps no file; a start that is accepted but does not print is reported`,
    async () => {
      const faults = [
        { at: start, how: 409, body: { code: "#10113", title: "NOT CALIBRATED", message: "Calibrate it." } } as const,
      ];
      const refusing = await bench.connect({ faults }, QUIET);
      await assert.rejects(
        refusing.submit(someJob(bench.job)),
        /While starting the print: .*"NOT CALIBRATED: Calibrate it\.".*Nothing of it/,
      );
      assert.deepEqual((await bench.fake.state()).files, {});
      const idling = await bench.connect({ stateWhenStarted: bench.idle }, QUIET);
      await assert.rejects(idling.submit(someJob(bench.job)), /shows no print\. Whether it prints ".*" is not known/);
      const { started, files } = await bench.fake.state();
      assert.deepEqual(Object.keys(files), started);
    },
  );

  declare(`${what} that already has a file of this name gets the job under another name`, async () => {
    const taken = { at: upload, times: 1, how: 409, body: { code: "#10520", message: "File already exists" } } as const;
    const printer = await bench.connect({ faults: [taken] }, QUIET);
    await printer.submit(someJob(bench.job));
    const { started, requests } = await bench.fake.state();
    assert.equal(started.length, 1);
    assert.equal(requests.filter((line) => line.startsWith(upload) && !isStart(line)).length, 2);
  });

  declare(`${what} without space is sent nothing, and starts nothing if it loses the file`, async () => {
    const full = await bench.connect({ freeBytes: 5 }, QUIET);
    await assert.rejects(full.submit(someJob(bench.job)), /room for 5 bytes, and the job has 6/);
    assert.ok(!(await bench.fake.state()).requests.some((line) => line.startsWith(upload)));
    const losing = await bench.connect({ losesFiles: true }, QUIET);
    await assert.rejects(losing.submit(someJob(bench.job)), /looking whether the job arrived/);
    assert.deepEqual((await bench.fake.state()).started, []);
  });

  declare(`${what} that is not ready refuses a job before slicing`, async () => {
    const printer = await bench.connect({ state: "Printing" }, QUIET);
    const writeTo = (): never => assert.fail("it was sliced");
    await assert.rejects(printer.submit(someJob({ ...bench.job, writeTo })), /not ready \(Printing\)/);
  });

  declare(`a cancelled job leaves nothing on ${what}`, async () => {
    for (const at of [upload, options.api === "legacy" ? "GET /api/files" : "HEAD "]) {
      const printer = await bench.connect({ faults: [{ at, how: "hang", times: 1 }] }, QUIET);
      const cancelling = new AbortController();
      const taken = printer.submit(someJob({ ...bench.job, task: someTask(cancelling.signal) }));
      await until(at, async () => (await bench.fake.state()).requests.some((line) => line.startsWith(at)));
      cancelling.abort();
      await assert.rejects(taken, CancelledError);
      const { started, files } = await bench.fake.state();
      assert.deepEqual([started, files], [[], {}]);
      assert.equal(printer.isReady(), true);
    }
  });

  declare(`if two servers send to ${what} at once, one prints and the other is refused`, async () => {
    const one = await bench.connect();
    const protocol = bench.open();
    await until("both are connected", () => protocol.connected().length === 1);
    const other = protocol.connected()[0];
    const outcomes = await Promise.allSettled([one, other].map((printer) => printer.submit(someJob(bench.job))));
    const { started, files } = await bench.fake.state();
    assert.equal(started.length, 1);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    assert.deepEqual(Object.keys(files), started);
    await protocol.close();
  });

  declare(`${what} with a missing or wrong key is listed as not ready, and the message names the way out`, async () => {
    for (const [key, state, message] of [
      [undefined, "Wants its API key", /printers file \(--printers\)/],
      ["Wrong678", "Refuses its API key", /compare it/],
    ] as const) {
      const printer = await bench.connect({}, { key });
      const { status, ready_to_print_now } = printer.describe();
      assert.deepEqual([status, ready_to_print_now], [state, false]);
      for (const printNow of [true, false]) {
        const writeTo = (): never => assert.fail("it was sliced");
        await assert.rejects(printer.submit(someJob({ ...bench.job, printNow, writeTo })), (thrown: ApiError) => {
          assert.equal(thrown.code, "OPERATION_FAILED");
          assert.match(thrown.message, message);
          assert.ok(!/Wrong678|Secret12/.test(thrown.message));
          return true;
        });
      }
    }
  });
}

test("a nonce that expires with each call costs another request, but no second body", async () => {
  const bench = await sl1Bench({ api: "v1", auth: "digest", key: KEY, model: "SL1", nonceUses: 1 });
  const printer = await bench.connect({}, QUIET);
  await printer.submit(someJob(bench.job));
  const { started, requests } = await bench.fake.state();
  assert.equal(started.length, 1);
  assert.equal(requests.filter((line) => line.startsWith("PUT ")).length, 1);
});

test("a machine that disappears is no longer listed, and is found again when it returns", async () => {
  const bench = await sl1Bench({ api: "v1", auth: "none", key: "", model: "SL1" });
  const protocol = bench.open({ key: undefined, timing: { ...FAST, lostMs: 100 } });
  await until("it is there", () => protocol.connected().length === 1);
  await bench.fake.change({ faults: [{ at: "", how: "cut before" }] });
  await until("it is gone", () => protocol.connected().length === 0);
  await bench.fake.change({ faults: [] });
  await until("it is back", () => protocol.connected().length === 1);
  await protocol.close();
});

test("other machines that answer are not treated as a printer", async () => {
  const bench = await sl1Bench({ api: "v1", auth: "none", key: "", model: "SL1" });
  for (const body of [{ api: "0.1", text: "OctoPrint 1.9.0" }, "<html>", [], { text: 3 }]) {
    await bench.fake.change({ requests: [], faults: [{ at: "GET /api/version", how: 200, body }] });
    const protocol = bench.open();
    await until("asked twice", async () => (await bench.fake.state()).requests.length > 1);
    assert.deepEqual(protocol.connected(), []);
    await protocol.close();
  }
});

test("a hostile machine is not listed, leaves no connection open and redirects to no other place", async () => {
  const bench = await sl1Bench({ api: "v1", auth: "none", key: "", model: "SL1" });
  await bench.fake.change({ requests: [] });
  const elsewhere = `http://127.0.0.1:${bench.fake.port}/api/version`;
  const kinds = [
    answering(`HTTP/1.1 302 Found\r\nLocation: ${elsewhere}\r\n\r\n`),
    answering("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"),
    answering(`HTTP/1.1 200 OK\r\n\r\n${"[".repeat(100_000)}`),
    answering(`HTTP/1.1 200 OK\r\n\r\n{"text": "Prusa ${"x".repeat(10_000)}"}`),
    answering(`HTTP/1.1 401 x\r\nWWW-Authenticate: Digest ${"a".repeat(10_000)}\r\n\r\n`),
    endlessly("HTTP/1.1 200 OK\r\n\r\n", "[".repeat(65_536)),
    endlessly("HTTP/1.1 200 OK\r\n", "X-A: b\r\n".repeat(1000)),
  ];
  for (const [i, serve] of kinds.entries()) {
    let connections = 0;
    const server = await hostileServer((socket) => void (connections++, serve(socket)));
    const known = [{ protocol: "prusalink", host: "127.0.0.1", port: Number(server.url.port) }] as const;
    const protocol = prusaLinkProtocol({ known, discoveryAddresses: [], timing: FAST });
    await until(`it is asked twice, kind ${i}`, () => connections > 1);
    assert.ok(protocol.connected().every((printer) => printer.describe().ready_to_print_now === false));
    await protocol.close();
    await server.deserted();
    await server.close();
  }
  assert.deepEqual((await bench.fake.state()).requests, []);
});

test("many simultaneous calls, each with its own nonce, do not count as a wrong key", async () => {
  const bench = await sl1Bench({ api: "v1", auth: "digest", key: KEY, model: "SL1", nonceUses: 30 });
  const printer = await bench.connect({}, QUIET);
  const jobs = Array.from({ length: 8 }, () => printer.submit(someJob({ ...bench.job, printNow: false })));
  await Promise.all(jobs);
  assert.equal(Object.keys((await bench.fake.state()).files).length, 8);
});
