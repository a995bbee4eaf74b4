/** Number of retries of a task that finds too little memory while no other task holds any: the system regains freed memory with a delay. */
const TRIES = 5;
const RETRY_MS = 300;
/** Two concurrent claims may both fail although one of them would fit, hence the retry while other tasks hold memory. */
const RETRY_BESIDE_OTHERS_MS = 1000;

/** Tasks that found too little memory. */
export interface MemoryQueue<Task> {
  /**
   * Queues a task until another task releases its claim, or until a retry after a delay. Returns false if the task has waited TRIES times
   * while no other task held a claim.
   */
  wait(task: Task, othersClaim: boolean): boolean;
  /** Runs all waiting tasks again, since memory was released. */
  resumeAll(): void;
  /** Removes and returns the tasks that pass the test. */
  take(test: (task: Task) => boolean): Task[];
}

export function newMemoryQueue<Task extends object>(resume: (task: Task) => void): MemoryQueue<Task> {
  const waiting = new Set<Task>();
  /** Number of times that a task found too little memory while no other task held any. */
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
      setTimeout(() => resumeOne(task), othersClaim ? RETRY_BESIDE_OTHERS_MS : RETRY_MS);
      return true;
    },
    resumeAll: () => [...waiting].forEach(resumeOne),
    take: (test) => [...waiting].filter((task) => test(task) && waiting.delete(task)),
  };
}
