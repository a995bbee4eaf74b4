import { claimMemory } from "../core/memory-budget.ts";
import type { Task } from "./task.ts";

/** What every task takes in addition to its own need. Both are measured with `bun run bench memory-needs`. */
const BASE_BYTES = 24 * 2 ** 20;

/** The most bytes that a task will take beyond its input; undefined where it stays small or its reader claims them. */
export async function taskBytes<Input>({ memory }: Task<Input, unknown>, input: Input): Promise<number | undefined> {
  return typeof memory === "function" ? BASE_BYTES + (await memory(input as never)) : undefined;
}

/** Claims what a task will take. Throws `MemoryError` where it cannot be had. */
export async function claimTaskMemory<Input>(task: Task<Input, unknown>, input: Input): Promise<void> {
  const bytes = await taskBytes(task, input);
  if (bytes === undefined) return;
  claimMemory({ bytes, what: "This work", wayOut: "use fewer or coarser models, or smaller pictures" });
}
