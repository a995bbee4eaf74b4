import { post } from "../server/call.ts";
import { cancelled } from "../server/operation.ts";
import { refresh, scene, versionOf } from "./project.ts";
import { type Outcome, type TaskFollowing, runTask } from "./tasks.ts";

// What the person asks for takes effect in the order in which it was asked for, also where each step is asked for before the last has ended.

type Work<Result> = (following: TaskFollowing) => Promise<Result>;

/** Of each scene, what ends with the changes of it that were asked for until now. */
const changes = new Map<string, Promise<unknown>>();

/** Changes the scene that is shown after all changes of it that were asked for before. It ends once the page knows the scene as it is then. */
export function runChange<Result>(title: string, work: Work<Result>): Promise<Outcome<Result>> {
  const sceneId = scene.value!.id;
  return runTask(title, (following) => inTurn(sceneId, following.signal, () => work(following)));
}

/** As {@link runChange}, for work that is told of as a part of other work, which others need not wait for. */
export async function inTurn<Result>(
  sceneId: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const earlier = changes.get(sceneId);
  const own = turn(earlier, signal).then(work).finally(refresh);
  changes.set(sceneId, Promise.allSettled([earlier, own]));
  return own;
}

/** Looks at the scene as the changes leave it that were asked for before; later changes do not wait for it. */
export function runReading<Result>(title: string, work: Work<Result>): Promise<Outcome<Result>> {
  const earlier = changes.get(scene.value!.id);
  return runTask(title, async (following) => {
    await turn(earlier, following.signal);
    return work(following);
  });
}

/** Waits for earlier work, or until this one is cancelled. */
async function turn(earlier: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(cancelled()), { once: true });
  });
  await Promise.race([earlier, stopped]);
}

/** Changes of a scene that take several requests are undone in one step, also those of them that were made before one failed. */
export async function asOneStep<Result>(sceneId: string, work: () => Promise<Result>): Promise<Result> {
  await refresh();
  const version = versionOf(sceneId);
  try {
    return await work();
  } finally {
    // Where this fails, each of them can still be undone by itself.
    await post(`/ui/scene/${sceneId}/join/?since=${version}`).catch(() => undefined);
  }
}
