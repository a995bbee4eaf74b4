import type { FileHash, FileStore } from "./file-store.ts";

/** Files are stored before the job that names them is in the queue, so young ones stay. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Removes stored files older than 7 days that no job names. Returns their number. */
export async function removeUnnamed(
  store: FileStore,
  named: ReadonlySet<FileHash>,
  nowMs: number = Date.now(),
): Promise<number> {
  let removed = 0;
  for await (const { hash, storedMs } of store.list()) {
    if (named.has(hash) || nowMs - storedMs < KEPT_MS) continue;
    await store.remove(hash);
    removed++;
  }
  return removed;
}
