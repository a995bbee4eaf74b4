import { readProgress } from "../core/progress.ts";
import type { Runner } from "../http/run-request.ts";
import type { RunningRequest } from "../http/running-requests.ts";
import type { PageOperation, PageWork } from "./work-replies.ts";

/** A request that is not an operation is shown if it takes longer: most end before a person could see them. */
const SHOWN_AFTER_MS = 250;
/** Interval of looking at requests, so that a request is shown 500 ms after its start at the latest. */
const LOOK_EVERY_MS = 250;
/** Reports follow at every second look, also if its timer is a little early. */
const REPORT_AFTER_MS = 1.5 * LOOK_EVERY_MS;
/** Requests that begin or end within this time are one report. */
const COALESCE_MS = 20;
/** Most requests in a report. Programs send thousands of operations at a time. */
const MOST_SHOWN = 100;

/** Watches the running requests for pages. */
export interface WorkWatch {
  /** The present requests. */
  now(): PageWork;
  /** Calls `report` when a request begins, enters a stage or ends, and each 500 ms while requests run, until the returned function is called. */
  watch(report: () => void): () => void;
}

export function newWorkWatch({ unanswered }: Pick<Runner, "unanswered">): WorkWatch {
  const reports = new Set<() => void>();
  let soon: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  let [lastKey, lastReportMs] = ["", -Infinity];
  const shown = (): RunningRequest[] => {
    const latest = Date.now() - SHOWN_AFTER_MS;
    const isShown = ({ isOperation, started }: RunningRequest): boolean => isOperation || started.getTime() <= latest;
    return [...unanswered].filter(isShown).slice(0, MOST_SHOWN);
  };
  function look(): void {
    clearTimeout(soon);
    clearTimeout(later);
    soon = undefined;
    if (reports.size === 0) return;
    const running = shown();
    const key = running.map(keyOf).join(" ");
    const isDue = running.length > 0 && performance.now() - lastReportMs >= REPORT_AFTER_MS;
    if (key !== lastKey || isDue) {
      [lastKey, lastReportMs] = [key, performance.now()];
      for (const report of reports) report();
    }
    if (!unanswered.isEmpty()) later = setTimeout(look, LOOK_EVERY_MS).unref();
  }
  function lookSoon(): void {
    if (reports.size > 0) soon ??= setTimeout(look, COALESCE_MS).unref();
  }
  unanswered.subscribe(lookSoon);
  return {
    now: () => ({ operations: shown().map(onWire) }),
    watch(report) {
      reports.add(report);
      lookSoon();
      return () => void reports.delete(report);
    },
  };
}

const keyOf = ({ id, stage }: RunningRequest): string => `${id}:${stage()?.index ?? 0}`;

const onWire = (request: RunningRequest): PageOperation => ({
  id: request.id,
  path: request.path,
  scene_ids: request.sceneIds,
  title: request.title,
  stage: request.stage() ?? null,
  progress: readProgress(request.state),
  since: request.started.toISOString(),
  can_cancel: request.isOperation,
});
