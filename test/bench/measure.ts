import { readFileSync } from "node:fs";

/** The middle value; of an even count, the lower of the two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that at least `share` of all values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** Milliseconds that `work` took. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Milliseconds of each of `runs` runs of `work`, after one that does not count. */
export async function timesOf(runs: number, work: () => unknown): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await timed(work));
  return times;
}

/** Resident memory of a process in bytes (Linux). */
export const residentBytes = (pid: number): number => statusBytes(pid, "VmRSS");

/** The most resident memory that a process has had, in bytes (Linux). */
export const peakBytes = (pid: number): number => statusBytes(pid, "VmHWM");

function statusBytes(pid: number, entry: string): number {
  return 1024 * Number(new RegExp(`${entry}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
}

/** One line of the report: what was measured, ours, what it stands beside, their ratio, and what the project aims at. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly beside?: string;
  readonly aim?: string;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
export const ratio = (ours: number, other: number): string => `${(ours / other).toFixed(1)}×`;
