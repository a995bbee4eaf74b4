import type { Progress, TaskProgress } from "../core/progress.ts";

/** What runs on a thread. Input and output can be posted to another thread. */
type Kernel<Input, Output, P> = (input: Input, progress: P) => Output | Promise<Output>;

/** One of several inputs that a request has computed by the same task. Each has an equal share of the progress. */
export interface BatchItem<Input> {
  readonly input: Input;
  /** 0-based index of this item. */
  readonly index: number;
  /** Number of items. */
  readonly count: number;
}

/**
 * What share of the progress of a request a task covers. "whole": all of it, or what is left after other tasks. "items": all of it, an
 * equal share for each item of a batch.
 */
type Coverage = "whole" | "items" | Phase;

interface Phase {
  /** "request": the request runs the task once. "items": it runs it for each item of a batch. "item": each item runs several tasks in turn. */
  readonly of: "request" | "items" | "item";
  readonly from: number;
  readonly to: number;
}

/** The request runs several tasks in turn; this one covers the shares `from` to `to` of its progress. */
export const phase = (from: number, to: number) => ({ of: "request", from, to }) as const;

/** The request runs several tasks in turn, this one for each item of a batch: all items together cover the shares `from` to `to`. */
export const phaseOfItems = (from: number, to: number) => ({ of: "items", from, to }) as const;

/** Each item of a batch runs several tasks in turn; this one covers the shares `from` to `to` of the progress of its item. */
export const phaseOfEachItem = (from: number, to: number) => ({ of: "item", from, to }) as const;

/** All that the scheduler knows of a task. */
interface Declaration<Input, Output> {
  /** The name of the constant that holds the task; unique. */
  readonly name: string;
  /**
   * The most bytes that the task takes beyond its input and what each thread holds. "small": next to nothing. "file": its reader claims
   * memory itself once it has read the counts of the file.
   */
  readonly memory: "small" | "file" | ((input: Input) => number | Promise<number>);
  /** Whether the task leaves its input unchanged, so that it can give its thread away and run again from its beginning. */
  readonly repeatable: boolean;
  /** What of the output moves to the answering thread; "copy": nothing. */
  readonly transfer: "copy" | ((output: Output) => readonly ArrayBuffer[]);
  /** About how long the task takes for an input, and the file that it names, of so many bytes together, ms. */
  readonly expectedMs: (bytes: number) => number;
}

/** A kernel that threads run, with what the scheduler must know of it. */
export interface Task<Input, Output> extends Omit<Declaration<Input, Output>, "memory" | "transfer"> {
  readonly memory: "small" | "file" | ((input: never) => number | Promise<number>);
  readonly transfer: "copy" | ((output: never) => readonly ArrayBuffer[]);
  /** Loads the kernel where it is not loaded yet, and runs it. */
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

/** The progress of a task within that of its request. */
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
