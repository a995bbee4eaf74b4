import { post } from "../server/call.ts";
import { cancelled } from "../server/operation.ts";
import { refresh, versionOf } from "./project.ts";
import { type Outcome, type TaskFollowing, runTask } from "./tasks.ts";

// What the person asks for takes effect in the order in which it was asked for, also where each step is asked for before the last has ended.

type Work<Result> = (following: TaskFollowing) => Promise<Result>;

/** Ends with the changes that were asked for until now. */
let changes: Promise<unknown> = Promise.resolve();

/** Changes the scene after all changes that were asked for before. It ends once the page knows the scene as it is then. */
export function runChange<Result>(title: string, work: Work<Result>): Promise<Outcome<Result>> {
  const earlier = changes;
  const outcome = runTask(title, async (following) => {
    await turn(earlier, following.signal);
    try {
      return await work(following);
    } finally {
      await refresh();
    }
  });
  changes = Promise.allSettled([earlier, outcome]);
  return outcome;
}

/** Looks at the scene as the changes leave it that were asked for before; later changes do not wait for it. */
export function runReading<Result>(title: string, work: Work<Result>): Promise<Outcome<Result>> {
  const earlier = changes;
  return runTask(title, async (following) => {
    await turn(earlier, following.signal);
    return work(following);
  });
}

/** Waits for earlier work, or until this one is cancelled. */
async function turn(earlier: Promise<unknown>, signal: AbortSignal): Promise<void> {
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
