import { stat } from "node:fs/promises";
import { type Steps, inTurns } from "../core/in-turns.ts";

/** Kernels take between 1 and 50 bytes of meshes and files in a microsecond (`bun run bench import checking`). */
const BYTES_PER_MS = 10_000;
/** About what a number, a text or an object among the input costs. */
const VALUE_BYTES = 100;
/** Larger inputs are all long ones. */
const MAX_BYTES = 2 ** 25;

/** Values that are measured in one step, in a few milliseconds. */
const VALUES_PER_STEP = 10_000;

/** The time that kernels take which look at all of their input, ms. */
export const bySize = (bytes: number): number => bytes / BYTES_PER_MS;

/** The size of the input of a task and of the file that it names. */
export async function sizeOfInput(input: unknown): Promise<number> {
  const bytes = await inTurns(inputBytes(input));
  const file = (input as { readonly file?: unknown } | null | undefined)?.file;
  if (typeof file !== "string" || bytes >= MAX_BYTES) return bytes;
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return bytes + size;
}

/** The size of what a task gets, arrays on shared memory included, each once; at most about MAX_BYTES. */
function* inputBytes(input: unknown): Steps<number> {
  const seen = new Set<unknown>();
  const rest: unknown[] = [input];
  let bytes = 0;
  for (let count = 1; rest.length > 0 && bytes < MAX_BYTES; count++) {
    if (count % VALUES_PER_STEP === 0) yield;
    const value = rest.pop();
    bytes += VALUE_BYTES;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else for (const part of Object.values(value)) rest.push(part);
  }
  return bytes;
}
