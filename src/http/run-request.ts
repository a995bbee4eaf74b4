import { commonVolumesOf } from "../feature/slice/common-volumes.ts";
import {
  type BackgroundWork,
  type Endpoint,
  type Request,
  type RequestContext,
  type Server,
  computeOn,
} from "../api/endpoint.ts";
import { ApiError, toApiError } from "../core/api-error.ts";
import {
  CancelledError,
  type TaskState,
  cancelTask,
  commitTask,
  enterPhase,
  newTaskState,
  taskProgress,
  throwIfCancelled,
} from "../core/progress.ts";
import { newId } from "../core/id.ts";
import { must } from "../core/must.ts";
import type { Stage } from "../api/running-work.ts";
import { findScene } from "../scene/find.ts";
import type { RunningRequest, RunningRequests } from "./running-requests.ts";
import type { SceneQueue } from "./scene-queue.ts";
import { workTitle } from "./work-title.ts";

/** Longest time of a synchronous request (interface, "Limits"). */
export const SYNC_TIMEOUT_MS = 10 * 60 * 1000;

export interface Runner {
  readonly server: Server;
  readonly sceneQueue: SceneQueue;
  readonly syncTimeoutMs: number;
  /** The requests that have no answer yet. */
  readonly unanswered: RunningRequests;
  /** Swaps in the scenes that are swapped out. Scenes of unanswered requests are not swapped out. */
  readonly swapInScenes?: (sceneIds: readonly string[]) => Promise<void>;
}

/** Runs a request and returns its answer. After the time-out the request is cancelled and has changed nothing. */
export async function runSync(runner: Runner, endpoint: Endpoint, request: Request): Promise<unknown> {
  const running = startRequest(runner, endpoint, request);
  const timer = setTimeout(() => {
    const advice = endpoint.async
      ? "Send it with ?async=true"
      : "Wait for the scene's other requests and send it again";
    running.cancel(
      new ApiError("TIMED_OUT", `The request took too long and was cancelled; nothing was changed. ${advice}.`),
    );
  }, runner.syncTimeoutMs);
  try {
    return await running.answer;
  } finally {
    clearTimeout(timer);
  }
}

/** Starts a request in the background and returns the id of its operation. */
export function runAsync(runner: Runner, endpoint: Endpoint, request: Request): string {
  const { operations } = runner.server;
  const running = startRequest(runner, endpoint, request, true);
  const id = operations.begin(running);
  running.answer.then(
    (answer) => operations.succeed(id, answer as Record<string, unknown> | undefined),
    (thrown: unknown) => operations.fail(id, toApiError(thrown)),
  );
  return id;
}

/** Rejects unknown scenes at once, then runs the request when it is first in the queues of the scenes that it names. */
export function startRequest(
  runner: Runner,
  endpoint: Endpoint,
  request: Request,
  isOperation = false,
): RunningRequest {
  const { server, sceneQueue, unanswered } = runner;
  const sceneIds = endpoint.scenesOf(request.body).map((id) => findScene(server.store.read(), id).id);
  if (endpoint.cancelsOthers) cancelOthers(runner, sceneIds);
  const state = newTaskState();
  const cancelling = new AbortController();
  let titles: readonly string[] = [];
  let stage: Stage | undefined;
  const onStage: RequestSignals["onStage"] = (all, index) => {
    titles = all;
    stage = { title: must(all[index], "A stage"), index: index + 1, count: all.length };
    unanswered.notify();
  };
  const context = newContext(server, state, sceneIds, { signal: cancelling.signal, onStage });
  const work = sceneQueue.run(endpoint.isQueued ? sceneIds : [], async () => {
    throwIfCancelled(state);
    if (runner.swapInScenes && !endpoint.needsNoMeshes) await runner.swapInScenes(sceneIds);
    try {
      return await endpoint.handle(request, server, context);
    } catch (thrown) {
      // Nothing needs the results of the tasks that still run on other threads for the request.
      server.pool.cancel(state);
      throw thrown;
    }
  });
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const running: RunningRequest = {
    id: newId(),
    path: endpoint.path,
    title: workTitle(endpoint.path),
    started: new Date(),
    stage: () => stage,
    stageTitles: () => titles,
    isOperation,
    state,
    endpoint,
    sceneIds,
    answer: Promise.race([work, cancelled]).finally(() => unanswered.delete(running)),
    cancel(error) {
      if (!cancelTask(state)) return;
      reject(error);
      cancelling.abort();
      server.pool.cancel(state);
    },
  };
  unanswered.add(running);
  return running;
}

interface RequestSignals {
  readonly signal: AbortSignal;
  readonly onStage: RequestContext["enterStage"];
}

/** The services of a request. */
function newContext(
  server: Server,
  state: TaskState,
  sceneIds: readonly string[],
  { signal, onStage }: RequestSignals,
): RequestContext {
  const owner = sceneIds[0] ?? state;
  const context: RequestContext = {
    maxScenes: server.maxScenes,
    printers: server.printers,
    converters: server.converters,
    ctbNotice: server.ctbNotice,
    jobConverters: server.jobConverters,
    keptFindings: server.keptFindings,
    created: server.created ?? new Date(),
    ...computeOn(server.pool, state, owner),
    computeShared: (work, items) => server.sharedResults.compute(work, items, state, owner),
    signal,
    throwIfCancelled: () => throwIfCancelled(state),
    enterPhase: (from, to) => enterPhase(state, from, to),
    enterStage(titles, index) {
      throwIfCancelled(state);
      onStage(titles, index);
    },
    report: (share) => taskProgress(state).report(share),
    async settle(scenes) {
      await Promise.all(scenes.map((scene) => commonVolumesOf(scene, context)));
    },
    commit: () => commitTask(state),
    inBackground: () => backgroundWork(server, context, sceneIds),
  };
  return context;
}

function backgroundWork(server: Server, context: RequestContext, sceneIds: readonly string[]): BackgroundWork {
  const state = newTaskState();
  // An owner of its own: the scheduler lets a request of the scene start beside it.
  const { compute, ...services } = computeOn(server.pool, state);
  const existing = (): boolean => {
    const known = new Set(server.store.read().scenes.map(({ id }) => id));
    return sceneIds.every((id) => known.has(id));
  };
  return {
    context: {
      ...context,
      ...services,
      // It rejects and never throws: divided work starts its next task when another one ends, where nobody could catch an error.
      async compute(task, input) {
        if (!existing()) throw new CancelledError();
        return compute(task, input);
      },
      throwIfCancelled: () => throwIfCancelled(state),
      report: (share) => taskProgress(state).report(share),
      enterPhase: (from, to) => enterPhase(state, from, to),
    },
    cancel: () => server.pool.cancel(state),
  };
}

/** Cancels the running and waiting requests of these scenes, except requests of the same kind. */
function cancelOthers({ unanswered }: Runner, sceneIds: readonly string[]): void {
  for (const running of unanswered) {
    if (running.endpoint.cancelsOthers || !running.sceneIds.some((id) => sceneIds.includes(id))) continue;
    running.cancel(
      new ApiError("OPERATION_CANCELLED", "The scene was deleted before the request was done; it changed nothing."),
    );
  }
}
