import { join } from "node:path";
import { defaultStateFolder } from "../../core/state-folder.ts";
import type { JobQueue } from "./job-queue.ts";

/** Opens the queue of this machine, a SQLite file in the state folder of the user. */
export async function openQueue(): Promise<JobQueue> {
  const { openSqliteQueue } = await import("./sqlite-queue.ts");
  return openSqliteQueue(join(defaultStateFolder(), "queue.sqlite"));
}
