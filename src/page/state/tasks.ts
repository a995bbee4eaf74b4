import { signal } from "@preact/signals";
import { endpointForm } from "../server/endpoints.ts";
import { ServerError, call, isCancellation, isServerGone } from "../server/call.ts";
import { type ProgressContext, cancelled, runOperation } from "../server/operation.ts";
import { forgetFailure, notify } from "./notices.ts";
import { scene } from "./project.ts";

/** A running task. */
export interface ShownTask {
  readonly id: number;
  readonly title: string;
  /** The scene in which it was started. */
  readonly sceneId: string | undefined;
  /** 0 to 1; undefined until the first report. */
  readonly progress: number | undefined;
  /** Where its progress is shown: in the strip of messages, or at the foot of the panel of steps, as a preparation or as a job on its way. */
  readonly place: TaskPlace;
  cancel(): void;
}

export type TaskPlace = "strip" | "foot" | "job";

export const tasks = signal<readonly ShownTask[]>([]);

let lastId = 0;

/** Result of a task and the scene in which it was started; undefined if it failed or was cancelled. The user has been notified of that. */
export type Outcome<Result> = { readonly result: Result; readonly sceneId: string | undefined } | undefined;

/** Receives the progress of a task, and its title, which may change from step to step. */
export interface TaskContext extends ProgressContext {
  title(text: string): void;
}

/** Runs a task, shows its progress with a button to cancel it, and notifies the user if it fails. Tasks run concurrently. */
export async function runTask<Result>(
  title: string,
  work: (context: TaskContext) => Promise<Result>,
  place: TaskPlace = "strip",
): Promise<Outcome<Result>> {
  const id = ++lastId;
  const sceneId = scene.peek()?.id;
  const controller = new AbortController();
  const change = (part: Partial<ShownTask>): void => {
    tasks.value = tasks.value.map((task) => (task.id === id ? { ...task, ...part } : task));
  };
  forgetFailure(title);
  tasks.value = [...tasks.value, { id, title, sceneId, progress: undefined, place, cancel: () => controller.abort() }];
  try {
    const result = await work({
      signal: controller.signal,
      progress: (progress) => change({ progress }),
      title: (text) => change({ title: text }),
    });
    return { result, sceneId };
  } catch (thrown) {
    notifyFailure(title, thrown, sceneId);
    return undefined;
  } finally {
    tasks.value = tasks.value.filter((task) => task.id !== id);
  }
}

/** Shows why work on a scene failed. Says nothing if the server is gone, since the top bar shows that. */
export function notifyFailure(title: string, thrown: unknown, sceneId = scene.peek()?.id): void {
  if (isServerGone(thrown)) return;
  if (isCancellation(thrown)) notify({ severity: "info", text: `${title}: cancelled.`, sceneId });
  else if (thrown instanceof ServerError)
    notify({ severity: "error", text: `${title}: ${thrown.message}`, code: thrown.code, sceneId });
  else throw thrown;
}

/** Whether an error is an answer of the server, so that other work can continue. False if the server is gone or the work was cancelled. */
export const isFailure = (thrown: unknown): thrown is ServerError =>
  thrown instanceof ServerError && !isServerGone(thrown) && !isCancellation(thrown);

/** Calls an endpoint: as an operation if the endpoint supports that, otherwise directly. */
export async function callEndpoint<Reply>(path: string, body: unknown, context: ProgressContext): Promise<Reply> {
  const { method, async } = endpointForm(path);
  if (async) return runOperation<Reply>(path, body, context);
  if (context.signal.aborted) throw cancelled();
  return call<Reply>(method, path, body);
}

/** Maps the progress of one step to the progress of a task of several steps. */
export const contextOfStep = (context: TaskContext, step: number, steps: number): ProgressContext => ({
  signal: context.signal,
  progress: (share) => context.progress((step + share) / steps),
});
