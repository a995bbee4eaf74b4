import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import type { EventLog } from "../../../src/core/event-log.ts";
import { CancelledError } from "../../../src/core/progress.ts";
import { folderProtocol } from "../../../src/printer/folder/folder-protocol.ts";
import type { PrintJob, Protocol } from "../../../src/printer/printer.ts";
import { newPrinters } from "../../../src/printer/printers.ts";
import { printerSuite } from "../../fixture/printer-suite.ts";
import { openQueue } from "../../fixture/queue-bench.ts";
import { TOTALS, someJob, someTask } from "../../fixture/some-job.ts";
import { isDeno } from "../../fixture/printwright.ts";
import { connectedPrinter, until } from "../../fixture/until.ts";

const root = mkdtempSync(join(tmpdir(), "printwright-folders-"));
const opened: Protocol[] = [];
const mounts: string[] = [];
after(async () => {
  await Promise.all(opened.map((protocol) => protocol.close()));
  for (const folder of mounts) spawnSync("umount", ["-l", folder]);
  rmSync(root, { recursive: true });
});

const REAL = new URL("../../../src/medium-worker.ts", import.meta.url);
const STUCK = new URL("../../fixture/stuck-medium.ts", import.meta.url);
const JOB = { extension: ".pm5s", machineType: "ANYCUBIC-M5S", printNow: false };

let used = 0;
const newPlace = (): string => join(root, `${used++}`, "stick");

function open(folder: string, { entry = REAL, answerMs = 10_000 } = {}) {
  const lines: string[] = [];
  const log: EventLog = { write: (event, details) => void lines.push(`${event}: ${details?.reason}`), close() {} };
  const known = [{ protocol: "folder", host: folder, name: "Stick", machineType: "ANYCUBIC-M5S" }] as const;
  const protocol = folderProtocol({ known, mediumThread: entry, log, timing: { pollMs: 20, answerMs } });
  opened.push(protocol);
  return { protocol, lines, why: () => newPrinters([protocol]).whyMissing("Stick") ?? "" };
}

async function openNew(options?: Parameters<typeof open>[1]) {
  const folder = newPlace();
  mkdirSync(folder, { recursive: true });
  const bench = open(folder, options);
  return { ...bench, folder, printer: await connectedPrinter(bench.protocol) };
}

/** A job with an archive of so many bytes. */
const jobOf = (bytes: number, job: Partial<PrintJob> = {}): PrintJob =>
  someJob({
    ...JOB,
    async writeTo(path, beforeRename) {
      beforeRename();
      writeFileSync(path, Buffer.alloc(bytes, 7));
      return TOTALS;
    },
    ...job,
  });

printerSuite(
  "a folder",
  async () => {
    const { printer } = await openNew();
    return { printer, job: JOB, finishPrint() {} };
  },
  { startsNoPrints: true },
);

test("a folder gets the whole job under a plain name, beside the files that are there, and nothing else", async () => {
  const { printer, folder, lines } = await openNew();
  const job = jobOf(9_000_000, { name: "Größe/ü 1" });
  const first = `Gro_e_u_1-${job.id.slice(0, 8)}.pm5s`;
  writeFileSync(join(folder, first), "foreign");
  const shares: number[] = [];
  const committed: unknown[] = [];
  const task = {
    ...someTask(),
    report: (share: number) => void shares.push(share),
    commit: (name?: string) => void committed.push(name),
  };
  await printer.submit({ ...job, task });
  const second = `Gro_e_u_1-${job.id.slice(0, 13)}.pm5s`;
  assert.deepEqual(readdirSync(folder).toSorted(), [first, second].toSorted());
  assert.equal(readFileSync(join(folder, first), "utf8"), "foreign");
  assert.deepEqual(readFileSync(join(folder, second)), Buffer.alloc(9_000_000, 7));
  assert.deepEqual(committed, [second]);
  assert.ok(shares.length > 2 && shares.at(-1) === 1, String(shares));
  assert.deepEqual(shares, shares.toSorted());
  assert.deepEqual(lines, ["printer found: undefined"]);
  assert.match(printer.describe().status, /a person starts.*MB free/);
});

test("a medium that is not there is missing with the way out, is found when it comes, and lost when it goes", async () => {
  const folder = newPlace();
  const { protocol, lines, why } = open(folder);
  await until("it was looked for", () => lines.length > 0);
  assert.match(why(), /^it is not there: plug in the medium/);
  assert.deepEqual(protocol.connected(), []);
  mkdirSync(folder, { recursive: true });
  const printer = await connectedPrinter(protocol);
  rmSync(folder, { recursive: true });
  await assert.rejects(printer.submit(jobOf(1)), {
    code: "OPERATION_FAILED",
    message: /^The job was not put into the folder "Stick": it is not there: plug in.* Nothing was written\.$/,
  });
  await until("it is lost", () => protocol.connected().length === 0);
  writeFileSync(folder, "");
  await until("a file is no folder", () => /a file, not a folder/.test(why()));
  rmSync(folder);
  mkdirSync(folder);
  await (await connectedPrinter(protocol)).submit(jobOf(1));
  assert.deepEqual(
    lines.map((line) => line.split(":")[0]),
    ["printer not reached", "printer found", "printer lost", "printer found"],
  );
});

test("a medium that goes while the job is sliced keeps nothing of it", async () => {
  const { printer, folder } = await openNew();
  const job = jobOf(5_000_000);
  const lost = printer.submit({
    ...job,
    async writeTo(path, beforeRename) {
      rmSync(folder, { recursive: true });
      return job.writeTo(path, beforeRename);
    },
  });
  await assert.rejects(lost, { code: "OPERATION_FAILED", message: /it is not there: .*Nothing was written/ });
});

test("a cancelled job leaves nothing in the folder", async () => {
  const { printer, folder } = await openNew();
  const cancelling = new AbortController();
  const task = { ...someTask(cancelling.signal), report: () => cancelling.abort() };
  await assert.rejects(printer.submit(jobOf(20_000_000, { task })), CancelledError);
  await until("nothing is left", () => readdirSync(folder).length === 0);
  await printer.submit(jobOf(1));
  assert.equal(readdirSync(folder).length, 1);
});

for (const order of ["check", "copy", "publish"] as const) {
  test(`a share that hangs at the order ${order} fails the job in time, blocks nothing else, and is found again`, async () => {
    const { printer, folder, protocol, why } = await openNew({ entry: STUCK, answerMs: 150 });
    const stuck = join(folder, "..", `${order}.stuck`);
    writeFileSync(stuck, "");
    let isCommitted = false;
    const task = { ...someTask(), commit: () => void (isCommitted = true) };
    await assert.rejects(printer.submit(jobOf(1000, { task })), (thrown: Error) => {
      assert.match(thrown.message, /it does not answer: check the medium/);
      const left = {
        check: /Nothing was written/,
        copy: /unfinished file .*may be left/,
        publish: /is there is not known/,
      };
      assert.match(thrown.message, left[order]);
      return true;
    });
    assert.equal(isCommitted, order === "publish");
    await until("it is not listed", () => protocol.connected().length === 0);
    assert.match(why(), /it does not answer/);
    // Files elsewhere are read and written meanwhile.
    const other = await openNew();
    await other.printer.submit(jobOf(1000));
    rmSync(stuck);
    await connectedPrinter(protocol);
    await until("no unfinished file is left", () => readdirSync(folder).every((name) => name.endsWith(".pm5s")));
    await printer.submit(jobOf(1000));
  });
}

test("a job that is cancelled while its share hangs ends at once, and nothing of it is left when the share is back", async () => {
  for (const order of ["check", "copy"]) {
    const { printer, folder } = await openNew({ entry: STUCK });
    const stuck = join(folder, "..", `${order}.stuck`);
    const cancelling = new AbortController();
    const task = { ...someTask(cancelling.signal), report() {} };
    writeFileSync(stuck, "");
    const taken = printer.submit(jobOf(1000, { task }));
    setTimeout(() => cancelling.abort(), 50);
    await assert.rejects(taken, CancelledError);
    rmSync(stuck);
    await printer.submit(jobOf(1));
    assert.equal(readdirSync(folder).length, 1);
  }
});

test("a server whose folder hangs ends", async () => {
  const { folder, protocol } = await openNew({ entry: STUCK, answerMs: 150 });
  writeFileSync(join(folder, "..", "check.stuck"), "");
  await until("it is not listed", () => protocol.connected().length === 0);
  await protocol.close();
  rmSync(join(folder, "..", "check.stuck"));
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** Mounts a medium of 1 MiB, or returns false where that is not permitted. */
function mount(folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true });
  mounts.push(folder);
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=1m${options}`, "tmpfs", folder]).status === 0;
}

test(
  "a medium that is full, read-only or removed is named in words, and the bare mount point gets no job",
  // Deno finds a read-only medium writable; a job then fails when it is written.
  { skip: !canMount || isDeno },
  async (t) => {
    const folder = newPlace();
    if (!mount(folder, "")) return t.skip("mounting is not permitted");
    const { protocol, why } = open(folder);
    const printer = await connectedPrinter(protocol);
    await assert.rejects(printer.submit(jobOf(3_000_000)), {
      message: /it has room for \d+ bytes, and the job has 3000000: delete files on it\. Nothing was written/,
    });
    assert.deepEqual(readdirSync(folder), []);
    spawnSync("mount", ["-o", "remount,ro", folder]);
    await until("it is read-only", () => why().startsWith("the medium is read-only: unlock its switch"));
    spawnSync("umount", [folder]);
    await until("it is gone", () => why().startsWith("the medium was removed: plug it in again"));
    await assert.rejects(printer.submit(jobOf(1)), /the medium was removed/);
    assert.deepEqual(readdirSync(folder), []);
    assert.ok(mount(folder, ""));
    await (await connectedPrinter(protocol)).submit(jobOf(1));
  },
);

test("a queue gives a folder the jobs without print_now, and refuses prints if it has only folders", async () => {
  const { printer, folder, protocol } = await openNew();
  const { queue, close } = openQueue([printer], { root, names: ["Stick"] });
  assert.equal(queue.describe().ready_to_print_now, false);
  await queue.submit(jobOf(1));
  assert.equal(readdirSync(folder).length, 1);
  const writeTo = (): never => assert.fail("the job was sliced");
  await assert.rejects(queue.submit(jobOf(1, { printNow: true, writeTo })), {
    code: "OPERATION_FAILED",
    message: /only folders.*print_now false, and start it at the machine/,
  });
  assert.equal(protocol.connected().length, 1);
  await close();
});
