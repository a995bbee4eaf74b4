import type { Endpoint } from "../api/endpoint.ts";
import type { Work } from "../api/running-work.ts";
import type { ApiError } from "../core/api-error.ts";

/** A request that runs or waits. */
export interface RunningRequest extends Work {
  readonly endpoint: Endpoint;
  /** Whether it is an operation, which clients can cancel by its id. */
  readonly isOperation: boolean;
  /** Titles of all its stages in their order; empty until it enters the first one. */
  stageTitles(): readonly string[];
  /** Rejects at once with the error of a cancel. Running tasks of the request end later. */
  readonly answer: Promise<unknown>;
  /** Ends the request with this error, unless it has begun to change the project or a file: then it succeeds. */
  cancel(error: ApiError): void;
}

/** The requests that have no answer yet, oldest first. */
export interface RunningRequests extends Iterable<RunningRequest> {
  add(request: RunningRequest): void;
  delete(request: RunningRequest): void;
  isEmpty(): boolean;
  /** Called when a request enters its next stage. */
  notify(): void;
  /** Calls `listener` when a request begins, enters a stage, or ends. It must be quick. */
  subscribe(listener: () => void): void;
}

export function newRunningRequests(): RunningRequests {
  const running = new Set<RunningRequest>();
  const listeners: (() => void)[] = [];
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    add(request) {
      running.add(request);
      notify();
    },
    delete(request) {
      running.delete(request);
      notify();
    },
    isEmpty: () => running.size === 0,
    notify,
    subscribe: (listener) => void listeners.push(listener),
    [Symbol.iterator]: () => running.values(),
  };
}
