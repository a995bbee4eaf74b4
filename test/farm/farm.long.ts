import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import type { QueuedJob } from "../../src/farm/queue/job-queue.ts";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { runCommand } from "../fixture/command.ts";
import { commandLine } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { until } from "../fixture/until.ts";

// Workers of the compiled executable on one queue: one is killed, one drains; each job has one result, which is that of `run`.

const PLATES = 12;
const QUOTES = 6;

const folder = mkdtempSync(join(tmpdir(), "printwright-farm-"));
after(() => rmSync(folder, { recursive: true }));
const queueFile = join(folder, "queue.sqlite");
const common = ["--queue", queueFile, "--store", join(folder, "files")];

const scene = { $: "scene.scene_id" };
const PREPARE = [
  {
    name: "scene",
    request: "scene/create",
    body: { machine_type: "PRUSA-SL1S", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 },
  },
  { request: "scene/model/import", body: { scene_id: scene, file: "part.stl" } },
  { request: "scene/model/auto-orient", body: { scene_id: scene } },
];
const SUPPORT = { request: "scene/model/auto-support", body: { scene_id: scene } };
const EXPORT = { request: "scene/export", body: { scene_id: scene, file: "job.sl1s" } };
const TIME = { name: "time", request: "scene/estimate-print-time", body: { scene_id: scene } };
writeFileSync(join(folder, "plate.json"), JSON.stringify([...PREPARE, SUPPORT, EXPORT]));
writeFileSync(join(folder, "quote.json"), JSON.stringify([...PREPARE, TIME]));

function makeOrders(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const order = `${kind}-${i}`;
    mkdirSync(join(folder, order));
    writeFileSync(join(folder, order, "part.stl"), binaryStl(box([20 + i, 12, 15])));
    return order;
  });
}
const plates = makeOrders("plate", PLATES);
const quotes = makeOrders("quote", QUOTES);

const workers: ChildProcess[] = [];
after(() => workers.forEach((worker) => worker.kill("SIGKILL")));
function startWorker(): ChildProcess {
  const [program, ...before] = commandLine();
  const options = ["--work", join(folder, "work"), "--lanes", "quote=1,plate=2", "--threads", "1"];
  const worker = spawn(program, [...before, "worker", ...common, ...options], { cwd: folder, stdio: "ignore" });
  workers.push(worker);
  return worker;
}

/** The ids of the processes that a process has started (Linux). */
function childrenOf(pid: number): number[] {
  const isChild = (id: string): boolean => {
    try {
      return Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.split(" ")[1]) === pid;
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((id) => /^\d+$/.test(id) && isChild(id))
    .map(Number);
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test(
  "a killed and a drained worker lose no job, and each job has one result",
  { skip: process.platform !== "linux" },
  async () => {
    const submit = async (steps: string, orders: readonly string[], ...options: string[]) => {
      const { status, stdout, stderr } = await runCommand(["submit", steps, ...orders, ...common, ...options], folder);
      assert.equal(status, 0, stderr);
      return stdout.trim().split("\n");
    };
    const ids = [...(await submit("plate.json", plates)), ...(await submit("quote.json", quotes, "--lane", "quote"))];
    assert.equal(new Set(ids).size, PLATES + QUOTES);
    const queue = await openSqliteQueue(queueFile);
    after(() => queue.close());
    const jobs = (): Promise<QueuedJob[]> => queue.list({ limit: 1000 });
    const countOf = async (state: string): Promise<number> =>
      (await jobs()).filter((job) => job.state === state).length;
    const isOf = (worker: ChildProcess) => (job: QueuedJob) =>
      job.state === "running" && job.worker?.includes(`-${worker.pid}-`) === true;

    const [killed, drained] = [startWorker(), startWorker()];
    await until("jobs are done, and both workers run plates", async () => {
      const all = await jobs();
      return (await countOf("done")) >= 2 && all.some(isOf(killed)) && all.some(isOf(drained));
    });
    const children = childrenOf(killed.pid!);
    assert.ok(children.length > 0);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const interrupted = (await jobs()).filter(isOf(killed)).map(({ id }) => id);
    await until("the children of the killed worker have ended", () => !children.some(isRunning));

    drained.kill("SIGTERM");
    assert.deepEqual(await once(drained, "exit"), [0, null]);
    assert.equal((await jobs()).filter(isOf(drained)).length, 0);

    const last = startWorker();
    await until(
      "all but those of the killed worker are done",
      async () => (await countOf("done")) >= ids.length - interrupted.length,
    );
    await until(
      "the leases of the killed worker have ended, and its jobs are done",
      async () => (await countOf("done")) === ids.length,
    );
    last.kill("SIGTERM");
    assert.deepEqual(await once(last, "exit"), [0, null]);

    const all = await jobs();
    assert.equal(all.length, ids.length);
    for (const { id, attempt } of all) assert.equal(attempt, interrupted.includes(id) ? 2 : 1, id);
    assert.deepEqual(readdirSync(join(folder, "work")), ["cache"], "no folder of a job is left");

    // The same steps and files are the same jobs; their files arrive in the folders of the orders.
    const again = await submit("plate.json", plates, "--wait");
    assert.equal(again.length, PLATES);
    for (const line of again) assert.match(line, / done in /);
    const [order = ""] = plates;
    const made = readFileSync(join(folder, order, "job.sl1s"));
    const { created } = all.find(({ id }) => id === ids[0])!.payload as { created: string };
    cpSync(join(folder, order), join(folder, "alone"), { recursive: true });
    const [program, ...before] = commandLine();
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(created) / 1000)) };
    const alone = spawn(program, [...before, "run", "../plate.json", "-q"], { cwd: join(folder, "alone"), env });
    assert.deepEqual(await once(alone, "exit"), [0, null]);
    assert.deepEqual(readFileSync(join(folder, "alone", "job.sl1s")), made);
  },
);
