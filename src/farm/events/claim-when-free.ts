import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "../../core/api-error.ts";
import type { Claim, EventLog } from "./event-log.ts";

/** How often a process looks whether the one that it waits for has ended. */
const WAIT_MS = 2000;

/** Claims the name of a reader as soon as no other process has it. `report` is told once why it waits. Undefined where `signal` was aborted before. */
export async function claimWhenFree(
  log: EventLog,
  name: string,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<Claim | undefined> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      return await log.claim(name);
    } catch (thrown) {
      if (isFirst) report(`${(thrown as ApiError).message} Waiting.`);
      await sleep(WAIT_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
