import { claimMemory } from "../core/memory-budget.ts";
import type { Task } from "./task.ts";

/** Bytes that every task needs in addition to its declared need; both measured with `bun run bench memory-needs`. */
const BASE_BYTES = 24 * 2 ** 20;

/** Maximum number of bytes that a task takes in addition to its input; undefined if it needs little or its reader claims them. */
export async function taskBytes<Input>({ memory }: Task<Input, unknown>, input: Input): Promise<number | undefined> {
  return typeof memory === "function" ? BASE_BYTES + (await memory(input as never)) : undefined;
}

/** Claims the memory of a task. Throws `MemoryError` if the claim does not fit. */
export async function claimTaskMemory<Input>(task: Task<Input, unknown>, input: Input): Promise<void> {
  const bytes = await taskBytes(task, input);
  if (bytes === undefined) return;
  claimMemory({ bytes, what: "This work", wayOut: "use fewer or coarser models, or smaller pictures" });
}
