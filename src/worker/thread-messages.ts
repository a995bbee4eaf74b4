import type { ErrorCode } from "../core/api-error.ts";
import type { MemoryBudget } from "../core/memory-budget.ts";
import type { TaskState, YieldFlag } from "../core/progress.ts";
import type { SharedModule } from "../wasm/shared-modules.ts";
import type { Piece, Remainder } from "./message-pieces.ts";

/** Message from the pool to a worker thread: the task to run. */
export interface TaskMessage {
  readonly id: number;
  /** The name of the task. */
  readonly task: string;
  /** The remainder of the input after its pieces. */
  readonly input: Remainder;
  readonly state: TaskState;
  readonly yieldFlag: YieldFlag;
}

/**
 * Message from the pool to a worker thread: a task, a piece of the input of the next task, or a library that another thread has
 * compiled.
 */
export type ThreadMessage = TaskMessage | { readonly piece: Piece } | { readonly library: SharedModule };

/** Message from a worker thread to the pool. */
export type ThreadReply = TaskReply | { readonly kind: "library"; readonly library: SharedModule };

/**
 * Message from a worker thread to the pool: a piece of the output, or how the task ended. `corrupt`: the thread's memory cannot be
 * trusted.
 */
export type TaskReply =
  | { readonly id: number; readonly kind: "piece"; readonly piece: Piece }
  | { readonly id: number; readonly kind: "done"; readonly output: Remainder }
  | { readonly id: number; readonly kind: "cancelled" }
  | {
      readonly id: number;
      readonly kind: "failed";
      readonly code: ErrorCode;
      readonly message: string;
      readonly corrupt: boolean;
      /** The task found too little memory before it started; it can run again once other tasks released theirs. */
      readonly waitsForMemory?: boolean;
      /** As of `ApiError`. */
      readonly needsMemory?: boolean;
    };

/** Start data of a worker thread. */
export interface ThreadData {
  readonly budget?: MemoryBudget | undefined;
  /** The thread's slot in the budget. */
  readonly slot: number;
  /** A shared integer: number of output pieces that the pool has taken from the thread. */
  readonly taken: Int32Array;
  /** When the process started, ms since 1970 (`core/temporary-file.ts`). */
  readonly startedMs: number;
}
