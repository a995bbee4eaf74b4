import { signal } from "@preact/signals";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { ServerError, call, isCancelled, isServerGone } from "../server/call.ts";
import { type Following, cancelled, runOperation } from "../server/operation.ts";
import { forgetFailure, notify } from "./notices.ts";

/** Work that is under way. */
export interface Task {
  readonly id: number;
  readonly title: string;
  /** 0 to 1; undefined until it is known. */
  readonly progress: number | undefined;
  cancel(): void;
}

export const tasks = signal<readonly Task[]>([]);

let lastId = 0;

/** What work came to; undefined where it failed or was cancelled, which has been told. */
export type Outcome<Result> = { readonly result: Result } | undefined;

/** How work tells where it is: the title may change from step to step. */
export interface TaskFollowing extends Following {
  title(text: string): void;
}

/** Runs work beside all other, shows it with its progress and a way to cancel it, and tells of its failure. */
export async function runTask<Result>(
  title: string,
  work: (following: TaskFollowing) => Promise<Result>,
): Promise<Outcome<Result>> {
  const id = ++lastId;
  const controller = new AbortController();
  const change = (part: Partial<Task>): void => {
    tasks.value = tasks.value.map((task) => (task.id === id ? { ...task, ...part } : task));
  };
  forgetFailure(title);
  tasks.value = [...tasks.value, { id, title, progress: undefined, cancel: () => controller.abort() }];
  try {
    const result = await work({
      signal: controller.signal,
      progress: (progress) => change({ progress }),
      title: (text) => change({ title: text }),
    });
    return { result };
  } catch (thrown) {
    tellFailure(title, thrown);
    return undefined;
  } finally {
    tasks.value = tasks.value.filter((task) => task.id !== id);
  }
}

/** Shows why something failed. That the server is gone is told once, in the bar at the top. */
export function tellFailure(title: string, thrown: unknown): void {
  if (isServerGone(thrown)) return;
  if (isCancelled(thrown)) notify({ severity: "info", text: `${title}: cancelled.` });
  else if (thrown instanceof ServerError)
    notify({ severity: "error", text: `${title}: ${thrown.message}`, code: thrown.code });
  else throw thrown;
}

/** Whether the server refused or failed, so that other work can go on; not where it is gone or the work was cancelled. */
export const isFailure = (thrown: unknown): thrown is ServerError =>
  thrown instanceof ServerError && !isServerGone(thrown) && !isCancelled(thrown);

/** Calls an endpoint of the interface in the way that it allows: as an operation where it may take long. */
export async function callEndpoint<Reply>(path: string, body: unknown, following: Following): Promise<Reply> {
  const { method, async } = ENDPOINT_FORMS[path];
  if (async) return runOperation<Reply>(path, body, following);
  if (following.signal.aborted) throw cancelled();
  return call<Reply>(method, path, body);
}

/** A share of the progress of a task of several steps. */
export const stepOf = (following: TaskFollowing, step: number, steps: number): Following => ({
  signal: following.signal,
  progress: (share) => following.progress((step + share) / steps),
});
