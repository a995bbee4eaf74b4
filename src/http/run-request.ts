import type { Endpoint, Request, RequestContext, Server } from "../api/endpoint.ts";
import { ApiError, toApiError } from "../core/api-error.ts";
import { CancelledError, type TaskState, isCancelled, newTaskState } from "../core/progress.ts";
import { findScene } from "../scene/find.ts";
import type { SceneQueue } from "./scene-queue.ts";

/** Longest time that a synchronous request may take (interface, "Limits"). */
export const SYNC_TIMEOUT_MS = 10 * 60 * 1000;

export interface Runner {
  readonly server: Server;
  readonly sceneQueue: SceneQueue;
  readonly syncTimeoutMs: number;
}

/** Runs a request and returns its answer. After the time-out the request is cancelled and has changed nothing. */
export async function runSync(runner: Runner, endpoint: Endpoint, request: Request): Promise<unknown> {
  const state = newTaskState();
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    runner.server.pool.cancel(state);
    const advice = endpoint.async
      ? "Send it with ?async=true"
      : "Wait for the scene's other requests and send it again";
    reject(new ApiError("TIMED_OUT", `The request took too long and was cancelled; nothing was changed. ${advice}.`));
  }, runner.syncTimeoutMs);
  try {
    return await Promise.race([start(runner, endpoint, request, state), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Starts a request in the background and returns the id of its operation. */
export function runAsync(runner: Runner, endpoint: Endpoint, request: Request): string {
  const { operations } = runner.server;
  const state = newTaskState();
  const running = start(runner, endpoint, request, state);
  const id = operations.begin(state);
  running.then(
    (answer) => operations.succeed(id, answer as Record<string, unknown> | undefined),
    (thrown: unknown) => operations.fail(id, toApiError(thrown)),
  );
  return id;
}

/** Rejects unknown scenes at once, then runs the request when it is first in the queues of the scenes that it names. */
function start(runner: Runner, endpoint: Endpoint, request: Request, state: TaskState): Promise<unknown> {
  const { server, sceneQueue } = runner;
  const sceneIds = endpoint.scenesOf(request.body).map((id) => findScene(server.store.read(), id).id);
  const throwIfCancelled = (): void => {
    if (isCancelled(state)) throw new CancelledError();
  };
  const context: RequestContext = {
    maxScenes: server.maxScenes,
    printers: server.printers,
    compute: (task, input) => server.pool.compute(task, input, state),
    throwIfCancelled,
  };
  return sceneQueue.run(endpoint.isQueued ? sceneIds : [], async () => {
    throwIfCancelled();
    try {
      return await endpoint.handle(request, server, context);
    } catch (thrown) {
      // The results of tasks that other threads still run for the request are not needed.
      server.pool.cancel(state);
      throw thrown;
    }
  });
}
