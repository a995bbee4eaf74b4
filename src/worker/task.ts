import type { Progress, TaskProgress } from "../core/progress.ts";

/** A function that runs on a thread. Its input and output can be posted to another thread. */
type Kernel<Input, Output, P> = (input: Input, progress: P) => Output | Promise<Output>;

/** One of several inputs for which a request runs the same task. Each covers an equal fraction of the progress. */
export interface BatchItem<Input> {
  readonly input: Input;
  /** 0-based index of this item. */
  readonly index: number;
  /** Number of items. */
  readonly count: number;
}

/**
 * Fraction of the progress of a request that a task covers. "whole": all, or the rest after other tasks. "items": all, an equal
 * fraction for each item of a batch.
 */
type Coverage = "whole" | "items" | Phase;

interface Phase {
  /**
   * "request": the request runs the task once. "items": it runs the task for each item of a batch. "item": each item runs several
   * tasks in sequence.
   */
  readonly of: "request" | "items" | "item";
  readonly from: number;
  readonly to: number;
}

/** For one of several tasks that a request runs in sequence: it covers the progress from `from` to `to` (0 to 1). */
export const phase = (from: number, to: number) => ({ of: "request", from, to }) as const;

/**
 * For one of several tasks that a request runs in sequence, this one for each item of a batch: all items together cover the progress
 * from `from` to `to`.
 */
export const phaseOfItems = (from: number, to: number) => ({ of: "items", from, to }) as const;

/** For one of several tasks that each item of a batch runs in sequence: it covers the progress of its item from `from` to `to`. */
export const phaseOfEachItem = (from: number, to: number) => ({ of: "item", from, to }) as const;

/** Everything that the scheduler knows of a task. */
interface Declaration<Input, Output> {
  /** Name of the constant that holds the task; unique. */
  readonly name: string;
  /**
   * Maximum number of bytes that the task takes in addition to its input and to the memory that each thread holds. "small": next to
   * nothing. "file": its reader claims memory itself once it knows the counts of the file.
   */
  readonly memory: "small" | "file" | ((input: Input) => number | Promise<number>);
  /** Whether the task leaves its input unchanged, so that it can be preempted and run again from its beginning. */
  readonly repeatable: boolean;
  /** Buffers of the output that are moved to the answering thread; "copy": none. */
  readonly transfer: "copy" | ((output: Output) => readonly ArrayBuffer[]);
  /** Expected time in ms for an input that has this many bytes together with the file that it names. */
  readonly expectedMs: (bytes: number) => number;
}

/** A kernel for threads, with everything that the scheduler knows of it. */
export interface Task<Input, Output> extends Omit<Declaration<Input, Output>, "memory" | "transfer"> {
  readonly memory: "small" | "file" | ((input: never) => number | Promise<number>);
  readonly transfer: "copy" | ((output: never) => readonly ArrayBuffer[]);
  /** Loads the kernel on first use, and runs it. */
  readonly run: Kernel<Input, Output, TaskProgress>;
}

export type TaskInput<T> = T extends Task<infer Input, unknown> ? Input : never;
export type TaskOutput<T> = T extends Task<never, infer Output> ? Output : never;

type Load<Input, Output, P> = () => Promise<Kernel<Input, Output, P>>;

/**
 * Declares a task. Each field is required: a task that forgets its memory does not compile. `load` imports the kernel when a thread
 * first needs it; the runtime keeps what it has imported.
 */
export function defineTask<Input, Output>(
  declaration: Declaration<Input, Output> & {
    readonly load: Load<Input, Output, TaskProgress>;
    readonly progress: "whole";
  },
): Task<Input, Output>;
export function defineTask<Input, Output>(
  declaration: Declaration<Input, Output> & {
    readonly load: Load<Input, Output, Progress>;
    readonly progress: Phase & { readonly of: "request" };
  },
): Task<Input, Output>;
export function defineTask<Input, Output>(
  declaration: Declaration<Input, Output> & {
    readonly load: Load<Input, Output, Progress>;
    readonly progress: "items" | (Phase & { readonly of: "items" | "item" });
  },
): Task<BatchItem<Input>, Output>;
export function defineTask({
  load,
  progress: covered,
  memory,
  ...declaration
}: Declaration<unknown, unknown> & {
  readonly load: Load<unknown, unknown, never>;
  readonly progress: Coverage;
}): unknown {
  const loadKernel = load as Load<unknown, unknown, Progress>;
  const takesItems = covered === "items" || (covered !== "whole" && covered.of !== "request");
  const item = (input: unknown): unknown => (takesItems ? (input as BatchItem<unknown>).input : input);
  return {
    ...declaration,
    memory: typeof memory === "function" ? (input: unknown) => memory(item(input)) : memory,
    run: async (input: unknown, progress: TaskProgress): Promise<unknown> =>
      (await loadKernel())(item(input), coveredPart(covered, input, progress)),
  };
}

/** The part of the progress of a request that a task covers. */
function coveredPart(covered: Coverage, input: unknown, progress: TaskProgress): Progress {
  if (covered === "whole") return progress;
  const itemIn = (whole: Progress): Progress => {
    const { index, count } = input as BatchItem<unknown>;
    return whole.part(index / count, (index + 1) / count);
  };
  if (covered === "items") return itemIn(progress);
  const { of, from, to } = covered;
  if (of === "item") return itemIn(progress).part(from, to);
  return of === "items" ? itemIn(progress.part(from, to)) : progress.part(from, to);
}
