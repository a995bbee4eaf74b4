import { parentPort } from "node:worker_threads";
import { Fault, toFault } from "./core/fault.ts";
import { Cancelled, watchJob } from "./core/watch.ts";
import type { DoneMessage, JobMessage } from "./worker/message.ts";
import { TASKS, type Task } from "./worker/table.ts";

// The worker's entry point. It lies beside `main.ts` because the compiled executable holds its entry points flat.

/** A trap of WASM, or an array that could not be had; other range errors are bugs. */
const isOutOfMemory = (thrown: unknown): thrown is Error =>
  thrown instanceof WebAssembly.RuntimeError ||
  (thrown instanceof RangeError && /memory|allocat|array (buffer )?(length|size)/i.test(thrown.message));

function failureOf(job: number, thrown: unknown): DoneMessage {
  if (thrown instanceof Cancelled) return { job, kind: "cancelled" };
  const fault = isOutOfMemory(thrown)
    ? new Fault(
        "OPERATION_FAILED",
        `The job was too large for the server's memory (${thrown.message}): use smaller or simpler models.`,
      )
    : toFault(thrown);
  return { job, kind: "failed", code: fault.code, message: fault.message, spoiled: !(thrown instanceof Fault) };
}

async function perform({ job, task, input, state }: JobMessage): Promise<DoneMessage> {
  try {
    const watch = watchJob(state);
    watch.report(0);
    return { job, kind: "done", output: await (TASKS[task] as Task<unknown, unknown>)(input, watch) };
  } catch (thrown) {
    return failureOf(job, thrown);
  }
}

parentPort!.on("message", async (message: JobMessage) => parentPort!.postMessage(await perform(message)));
