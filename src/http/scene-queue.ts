/**
 * A mutex per scene. Work starts when all earlier work on any of its scenes has ended, so changes of a scene run one at a time and in
 * order. Work without scenes starts at once.
 */
export interface SceneQueue {
  run<T>(sceneIds: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Resolves when all work that is queued now has ended, with or without an error. */
  settled(): Promise<void>;
}

export function newSceneQueue(): SceneQueue {
  const tails = new Map<string, Promise<void>>();
  const unfinished = new Set<Promise<void>>();
  return {
    run(sceneIds, work) {
      const before = sceneIds.map((id) => tails.get(id));
      const result = Promise.all(before).then(work);
      const tail: Promise<void> = result.then(ignore, ignore).then(() => {
        unfinished.delete(tail);
        for (const id of sceneIds) if (tails.get(id) === tail) tails.delete(id);
      });
      unfinished.add(tail);
      for (const id of sceneIds) tails.set(id, tail);
      return result;
    },
    settled: () => Promise.all(unfinished).then(ignore),
  };
}

const ignore = (): void => {};
