/** A task that finds too little memory while no other holds any is run again as often: freed memory takes a moment to go back. */
const TRIES = 5;
const RETRY_MS = 300;
/** Of two tasks that claim at once, both may find too little where one would fit: so a task also runs again while others hold. */
const RETRY_BESIDE_OTHERS_MS = 1000;

/** The tasks that found too little memory. */
export interface MemoryQueue<Task> {
  /**
   * Lets a task wait until another ends its claim, or for a moment. Returns false where it has waited in vain while no other had
   * any.
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
      setTimeout(() => resumeOne(task), othersClaim ? RETRY_BESIDE_OTHERS_MS : RETRY_MS);
      return true;
    },
    resumeAll: () => [...waiting].forEach(resumeOne),
    take: (test) => [...waiting].filter((task) => test(task) && waiting.delete(task)),
  };
}
