import { post } from "../server/call.ts";
import { cancelled } from "../server/operation.ts";
import { refresh, knownVersionOf, fetchedScene } from "./project.ts";
import { type Outcome, type TaskContext, type TaskPlace, runTask } from "./tasks.ts";

// Changes of a scene take effect in the order in which the user requested them, even if a request is made before the previous one is done.

type Work<Result> = (context: TaskContext) => Promise<Result>;

/** Per scene: settles when all changes requested so far are done. */
const changes = new Map<string, Promise<unknown>>();

/** Runs a change of the shown scene after all changes requested earlier. Resolves when the page has fetched the changed scene. */
export function runChange<Result>(title: string, work: Work<Result>, place?: TaskPlace): Promise<Outcome<Result>> {
  const sceneId = fetchedScene().id;
  return runTask(title, (context) => runInOrder(sceneId, context.signal, () => work(context)), place);
}

/** Like {@link runChange}, for a change inside a running task that shows its own progress. */
export async function runInOrder<Result>(
  sceneId: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const earlier = changes.get(sceneId);
  const own = waitFor(earlier, signal).then(work).finally(refresh);
  changes.set(sceneId, Promise.allSettled([earlier, own]));
  return own;
}

/** Runs work that reads the scene, after all changes requested earlier. Later changes do not wait for it. */
export function runReading<Result>(title: string, work: Work<Result>, place?: TaskPlace): Promise<Outcome<Result>> {
  const earlier = changes.get(fetchedScene().id);
  const waiting = async (context: TaskContext): Promise<Result> => {
    await waitFor(earlier, context.signal);
    return work(context);
  };
  return runTask(title, waiting, place);
}

/** Waits for earlier work. Rejects if `signal` is aborted. */
async function waitFor(earlier: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(cancelled()), { once: true });
  });
  await Promise.race([earlier, stopped]);
}

/** Merges the changes that `work` makes by several requests into one undo step, even if one of the requests fails. */
export async function asOneStep<Result>(sceneId: string, work: () => Promise<Result>): Promise<Result> {
  await refresh();
  const version = knownVersionOf(sceneId);
  try {
    return await work();
  } finally {
    // If this request fails, each change remains a separate undo step.
    await post(`/ui/scene/${sceneId}/join/?since=${version}`).catch(() => undefined);
  }
}
