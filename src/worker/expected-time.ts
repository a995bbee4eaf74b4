import { stat } from "node:fs/promises";
import { type Steps, runStepwise } from "../core/steps.ts";

/** Kernels process between 1 and 50 bytes of meshes and files per microsecond (`bun run bench import checking`). */
const BYTES_PER_MS = 10_000;
/** Estimated cost of a number, a text or an object in the input. */
const VALUE_BYTES = 100;
/** Measuring stops here: every larger input belongs to a long task. */
const MAX_BYTES = 2 ** 25;

/** Values measured per step; a step takes a few milliseconds. */
const VALUES_PER_STEP = 10_000;

/** Expected time of kernels that read all of their input, ms. */
export const bySize = (bytes: number): number => bytes / BYTES_PER_MS;

/** Size of the input of a task and of the file that it names, bytes. */
export async function sizeOfInput(input: unknown): Promise<number> {
  const bytes = await runStepwise(inputBytes(input));
  const file = (input as { readonly file?: unknown } | null | undefined)?.file;
  if (typeof file !== "string" || bytes >= MAX_BYTES) return bytes;
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return bytes + size;
}

/** Size of an input in bytes, arrays on shared memory included, each object counted once; stops at about MAX_BYTES. */
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
