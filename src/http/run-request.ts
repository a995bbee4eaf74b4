import type { Endpoint, Kit, Request, Server } from "../api/endpoint.ts";
import { Fault, toFault } from "../core/fault.ts";
import { Cancelled, isCancelled, type JobState, newJobState } from "../core/watch.ts";
import { findScene } from "../scene/find.ts";
import type { Pool } from "../worker/pool.ts";
import type { Lanes } from "./lanes.ts";

/** How long a client that did not ask for `async` is kept waiting (interface, "Limits"). */
export const SYNC_TIMEOUT_MS = 10 * 60 * 1000;

export interface Runner {
  readonly server: Server;
  readonly pool: Pool;
  readonly lanes: Lanes;
  readonly syncTimeoutMs: number;
}

/** Runs a request and waits for its answer. One that is still running after the time-out is cancelled and changes nothing. */
export async function runNow(runner: Runner, endpoint: Endpoint, request: Request): Promise<unknown> {
  const state = newJobState();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    runner.pool.cancel(state);
    const wayOut = endpoint.async
      ? "Send it with ?async=true"
      : "Wait for the scene's other requests and send it again";
    reject(new Fault("TIMED_OUT", `The request took too long and was cancelled; nothing was changed. ${wayOut}.`));
  }, runner.syncTimeoutMs);
  try {
    return await Promise.race([start(runner, endpoint, request, state), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Starts a request in the background and returns the id of its operation. */
export function runInBackground(runner: Runner, endpoint: Endpoint, request: Request): string {
  const { operations } = runner.server;
  const state = newJobState();
  const running = start(runner, endpoint, request, state);
  const id = operations.begin(state);
  running.then(
    (answer) => operations.succeed(id, answer as Record<string, unknown> | undefined),
    (thrown: unknown) => operations.fail(id, toFault(thrown)),
  );
  return id;
}

/** Refuses unknown scenes at once, takes a place in the queues of the scenes named, and performs when its turn comes. */
function start(runner: Runner, endpoint: Endpoint, request: Request, state: JobState): Promise<unknown> {
  const { server, pool, lanes } = runner;
  const sceneIds = endpoint.scenesOf(request.body).map((id) => findScene(server.store.read(), id).id);
  const throwIfCancelled = (): void => {
    if (isCancelled(state)) throw new Cancelled();
  };
  const kit: Kit = {
    maxScenes: server.maxScenes,
    printers: server.printers,
    compute: (task, input) => pool.compute(task, input, state),
    throwIfCancelled,
  };
  return lanes.run(endpoint.takesTurn ? sceneIds : [], async () => {
    throwIfCancelled();
    try {
      return await endpoint.perform(request, server, kit);
    } catch (thrown) {
      // Nobody waits for what other threads still do for it.
      pool.cancel(state);
      throw thrown;
    }
  });
}
