/**
 * One queue per scene: work that names scenes starts when all work that named any of them before has ended, so changes of
 * a scene run one at a time in arrival order. Work that names none starts at once.
 */
export interface Lanes {
  run<T>(sceneIds: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function newLanes(): Lanes {
  const tails = new Map<string, Promise<void>>();
  return {
    run(sceneIds, work) {
      const before = sceneIds.map((id) => tails.get(id));
      const result = Promise.all(before).then(work);
      const tail: Promise<void> = result.then(ignore, ignore).then(() => {
        for (const id of sceneIds) if (tails.get(id) === tail) tails.delete(id);
      });
      for (const id of sceneIds) tails.set(id, tail);
      return result;
    },
  };
}

const ignore = (): void => {};
