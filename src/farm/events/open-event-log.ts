import { type QueueSource, queueAddress } from "../queue/open-queue.ts";
import { isPostgresUrl, readPostgresUrl } from "../queue/postgres-address.ts";
import type { EventLog } from "./event-log.ts";

/** Opens the events of the queue that `openQueue` opens. */
export async function openEventLog(source: QueueSource = {}): Promise<EventLog> {
  const address = queueAddress(source);
  if (isPostgresUrl(address)) {
    const { openPostgresEventLog } = await import("./postgres-event-log.ts");
    return openPostgresEventLog(readPostgresUrl(address));
  }
  const { openSqliteEventLog } = await import("./sqlite-event-log.ts");
  return openSqliteEventLog(address);
}
