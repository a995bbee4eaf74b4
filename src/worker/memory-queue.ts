/** A task that finds too little memory while no other holds any is run again as often: freed memory takes a moment to go back. */
const TRIES = 5;
const RETRY_MS = 300;

/** The tasks that found too little memory. */
export interface MemoryQueue<Task> {
  /**
   * Lets a task wait until another ends its claim, or for a moment where no other has any. Returns false where it has waited in
   * vain.
   */
  wait(task: Task, othersClaim: boolean): boolean;
  /** Lets all run again, since memory was given back. */
  resumeAll(): void;
  /** Takes out the tasks that pass the test. */
  take(test: (task: Task) => boolean): Task[];
}

export function newMemoryQueue<Task extends object>(resume: (task: Task) => void): MemoryQueue<Task> {
  const waiting = new Set<Task>();
  /** How often a task found too little memory while no other held any. */
  const tries = new WeakMap<Task, number>();
  const resumeOne = (task: Task): void => {
    if (waiting.delete(task)) resume(task);
  };
  return {
    wait(task, othersClaim) {
      const tried = (tries.get(task) ?? 0) + (othersClaim ? 0 : 1);
      if (tried > TRIES) return false;
      tries.set(task, tried);
      waiting.add(task);
      if (!othersClaim) setTimeout(() => resumeOne(task), RETRY_MS);
      return true;
    },
    resumeAll: () => [...waiting].forEach(resumeOne),
    take: (test) => [...waiting].filter((task) => test(task) && waiting.delete(task)),
  };
}
