import { getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { ApiError, toApiError } from "./core/api-error.ts";
import { runAtOnce } from "./core/steps.ts";
import { MemoryError, openMemoryAccount } from "./core/memory-budget.ts";
import { CancelledError, taskProgress } from "./core/progress.ts";
import { taskNamed } from "./feature/tasks.ts";
import { onCompiled, takeModule } from "./wasm/shared-modules.ts";
import { newGarbageCollector } from "./worker/collect-garbage.ts";
import { type Piece, newAssembly, sendPieces } from "./worker/message-pieces.ts";
import type { TaskMessage, TaskReply, ThreadData, ThreadMessage, ThreadReply } from "./worker/thread-messages.ts";
import { claimTaskMemory } from "./worker/task-memory.ts";

// Entry point of worker threads. It is in the same folder as `main.ts` because the compiled executable holds its entry points in one
// flat folder.

/** Niceness of computing threads, added to that of the process (as by the command `nice`). */
const NICENESS = 5;
const LEAST_PRIORITY = 19;

/**
 * Gives computing threads a lower priority than the answering thread: with 24 busy scenes on two busy cores it answers three times as
 * many reads. Only on Linux: elsewhere threads have no separate priority, and this would change the priority of the process.
 */
function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, Math.min(LEAST_PRIORITY, getPriority(0) + NICENESS));
  } catch {
    // A sandbox may forbid it; results do not depend on the priority.
  }
}

/** How a task ended, and which buffers of its output are moved: copies would remain here as garbage, tens of megabytes in a job. */
interface Ended {
  readonly reply: TaskReply;
  readonly moved?: readonly ArrayBuffer[];
}

async function run({ id, task: name, input: remainder, state, yieldFlag }: TaskMessage): Promise<Ended> {
  const input = pieces.finish(remainder);
  try {
    const progress = taskProgress(state, 0, 1, yieldFlag);
    progress.report(0);
    const task = taskNamed(name);
    await claimTaskMemory(task, input as never);
    const output = await task.run(input as never, progress);
    const remaining = runAtOnce(sendPieces(output, (piece) => sendPiece(id, piece)));
    const moved = task.transfer === "copy" ? [] : task.transfer(remaining.value as never);
    return { reply: { id, kind: "done", output: remaining }, moved };
  } catch (thrown) {
    return { reply: toReply(id, thrown) };
  }
}

function toReply(id: number, thrown: unknown): TaskReply {
  if (thrown instanceof CancelledError) return { id, kind: "cancelled" };
  const error = isOutOfMemory(thrown)
    ? new ApiError(
        "OPERATION_FAILED",
        `The job was too large for the server's memory (${thrown.message}): use smaller or simpler models.`,
        true,
      )
    : toApiError(thrown);
  return {
    id,
    kind: "failed",
    code: error.code,
    message: error.message,
    corrupt: !(thrown instanceof ApiError),
    waitsForMemory: thrown instanceof MemoryError && thrown.fitsAlone,
    needsMemory: error.needsMemory,
  };
}

/** Whether WebAssembly trapped or an array could not be allocated. Other range errors are bugs. */
const isOutOfMemory = (thrown: unknown): thrown is Error =>
  thrown instanceof WebAssembly.RuntimeError ||
  (thrown instanceof RangeError && /memory|allocat|array (buffer )?(length|size)/i.test(thrown.message));

/** Longest wait for the answering thread to take a piece, ms. */
const TAKE_MS = 1000;

/** Sends a piece and waits until the pool took it: the pool would take several waiting pieces in one event. */
function sendPiece(id: number, piece: Piece): void {
  const before = Atomics.load(taken, 0);
  parentPort!.postMessage({ id, kind: "piece", piece } satisfies TaskReply);
  Atomics.wait(taken, 0, before, TAKE_MS);
}

const { budget, slot, taken } = workerData as ThreadData;
const pieces = newAssembly();
const collectGarbage = newGarbageCollector();
giveWay();
if (budget) openMemoryAccount(budget, slot);
onCompiled((library) => parentPort!.postMessage({ kind: "library", library } satisfies ThreadReply));

// parentPort is null in the main thread only.
parentPort!.on("message", async (message: ThreadMessage) => {
  if ("piece" in message) return pieces.add(message.piece);
  if ("library" in message) return takeModule(message.library);
  const { reply, moved = [] } = await run(message);
  parentPort!.postMessage(reply, [...moved]);
  collectGarbage();
});
