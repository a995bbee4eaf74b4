import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { startPrintwright } from "../fixture/printwright.ts";

/** The median; the lower of the two middle values for an even count. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that is at least as large as `share` of all values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Duration of `work` in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Durations of `runs` runs of `work` in milliseconds, after one run to warm up. */
export async function timesOf(runs: number, work: () => unknown): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await timed(work));
  return times;
}

/** Resident memory of a process in bytes (Linux). */
export const residentBytes = (pid: number): number => statusBytes(pid, "VmRSS");

/** Peak resident memory of a process in bytes (Linux). */
export const peakBytes = (pid: number): number => statusBytes(pid, "VmHWM");

/** Freed memory goes back to the system after a moment. */
const SETTLE_MS = 500;

/** Peak memory of `work` in bytes, beyond the resident memory before it (Linux). */
export async function peakBeyondRest(work: () => unknown): Promise<number> {
  // Without this, the work would use the memory that its input freed while it was made.
  Bun.gc(true);
  await sleep(SETTLE_MS);
  // Sets the peak to the resident memory: https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
  writeFileSync("/proc/self/clear_refs", "5");
  const before = residentBytes(process.pid);
  await work();
  return peakBytes(process.pid) - before;
}

function statusBytes(pid: number, entry: string): number {
  return 1024 * Number(new RegExp(`${entry}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
}

/** Clock ticks in a second, as Linux reports them to programs. */
const TICKS_PER_S = 100;

/** Processor time of all threads of a process in ms (Linux). */
export const processorMs = (pid: number): number => statTimesMs(pid, 11);

/** Processor time of the children of this process that have ended, in ms (Linux). */
export const childrenMs = (): number => statTimesMs(process.pid, 13);

/** User and system time in ms: two of the fields after the name of a process (`man 5 proc_pid_stat`). */
function statTimesMs(pid: number, field: number): number {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields
    .split(" ")
    .slice(field, field + 2)
    .map(Number);
  return ((user + system) * 1000) / TICKS_PER_S;
}

/** One line of the report: what was measured, our figure, a floor or a peer to compare with, and the goal of the project. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly beside?: string;
  readonly aim?: string;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
/** The median and the largest of durations. */
export const worst = (times: readonly number[]): string =>
  `p50 ${ms(quantile(times, 0.5))}, worst ${ms(Math.max(...times))}`;
export const ratio = (ours: number, other: number): string => `${(ours / other).toFixed(1)}×`;

/** Size of the pictures of f3d and ours. */
export const SIZE_PX = 820;

/** Milliseconds in which f3d reads a model and draws it on a virtual display; undefined where f3d is not installed. */
export async function f3dMs(model: string): Promise<number | undefined> {
  if (spawnSync("xvfb-run", ["-a", "f3d", "--version"]).status !== 0) return undefined;
  return withFolder(async (folder) => {
    const output = join(folder, "picture.png");
    const args = ["-a", "f3d", model, `--output=${output}`, `--resolution=${SIZE_PX},${SIZE_PX}`, "--up=+Z"];
    return median(await timesOf(3, () => spawnSync("xvfb-run", args)));
  });
}

/** The combinations of machine, material and layer thickness that most benchmarks use. */
export const RESIN = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.05 };
export const POWDER = { machine_type: "FS30-1-0", material_code: "FLP11C01", layer_thickness_mm: 0.11 };

/** A fresh Printwright to measure. */
export interface BenchServer {
  readonly pid: number;
  readonly port: number;
  /** The id of the scene that exists at the start. */
  readonly scene_id: string;
  call(method: string, path: string, body?: object): Promise<any>;
  /** Posts a text. */
  raw(path: string, text: string): Promise<unknown>;
  /** The body of the answer; throws unless its status is 200. */
  post(path: string, body: object): Promise<any>;
}

/** Runs `work` with a server that is started before and stopped afterwards. */
export async function withServer<T>(
  work: (server: BenchServer) => Promise<T>,
  args: readonly string[] = [],
): Promise<T> {
  const printwright = await startPrintwright(args);
  try {
    const { body: list } = await printwright.call("GET", "/v1/scene/list/");
    const post = async (path: string, request: object): Promise<any> => {
      const { status, body } = await printwright.post(path, request);
      if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
      return body;
    };
    const raw = (path: string, text: string) => printwright.post(path, undefined, { raw: text });
    return await work({
      pid: printwright.pid,
      port: printwright.port,
      scene_id: list.scenes[0].id,
      call: printwright.call,
      raw,
      post,
    });
  } finally {
    await printwright.stop();
  }
}

/** Runs `work` with a temporary folder that is removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "printwright-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
