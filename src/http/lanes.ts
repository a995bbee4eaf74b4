/**
 * One queue per scene: work that names scenes starts when all work that named any of them before has ended, so changes of
 * a scene run one at a time in arrival order. Work that names none starts at once.
 */
export interface Lanes {
  run<T>(sceneIds: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Resolves once all work that was given until now has ended, well or not. */
  settled(): Promise<void>;
}

export function newLanes(): Lanes {
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
