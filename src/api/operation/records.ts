import { Fault, notFound, toEnvelope } from "../../core/fault.ts";
import { newId, parseId } from "../../core/id.ts";
import { shortened } from "../../core/shortened.ts";
import { type JobState, progressOf } from "../../core/watch.ts";

export const OPERATION_STATUSES = ["IN_PROGRESS", "SUCCEEDED", "FAILED"] as const;

export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** A success body, or the error envelope. Absent for an endpoint whose success has no body. */
type Result = Record<string, unknown>;

interface Operation {
  readonly id: string;
  readonly state: JobState;
  status: OperationStatus;
  result?: Result;
}

export interface OperationOnWire {
  readonly id: string;
  readonly status: OperationStatus;
  readonly progress: number;
}

/** Finished records kept, the newest ones (interface supplement, "Operations"). */
const MAX_FINISHED = 10_000;
/** Progress is 1 exactly when an operation succeeded. */
const MAX_UNFINISHED_PROGRESS = 0.999;

/** The records of asynchronous requests. */
export interface OperationRecords {
  begin(state: JobState): string;
  succeed(id: string, result: Result | undefined): void;
  fail(id: string, fault: Fault): void;
  /** The record; a finished one is removed when `once`. */
  get(id: string, once: boolean): OperationOnWire & { readonly result?: Result };
  /** The records named, or all of them, oldest first. */
  list(ids: readonly string[]): OperationOnWire[];
  /** Removes all records named, or none. */
  remove(ids: readonly string[]): void;
}

export function newOperationRecords(maxFinished = MAX_FINISHED): OperationRecords {
  const records = new Map<string, Operation>();
  const finished: Set<string> = new Set();

  function find(text: string): Operation {
    const operation = records.get(parseId(text) ?? "");
    if (!operation)
      throw notFound(
        `No operation has the id ${shortened(text)}: it is unknown, deleted, or was fetched once already.`,
      );
    return operation;
  }

  function forget(id: string): void {
    records.delete(id);
    finished.delete(id);
  }

  function finish(id: string, status: OperationStatus, result: Result | undefined): void {
    const operation = records.get(id)!;
    operation.status = status;
    operation.result = result;
    finished.add(id);
    if (finished.size > maxFinished) forget(finished.values().next().value!);
  }

  return {
    begin(state) {
      const id = newId();
      records.set(id, { id, state, status: "IN_PROGRESS" });
      return id;
    },
    succeed: (id, result) => finish(id, "SUCCEEDED", result),
    fail: (id, fault) => finish(id, "FAILED", { ...toEnvelope(fault) }),
    get(id, once) {
      const operation = find(id);
      if (once && operation.status !== "IN_PROGRESS") forget(operation.id);
      return { ...toWire(operation), result: operation.result };
    },
    list: (ids) => (ids.length === 0 ? [...records.values()] : [...new Set(ids.map(find))]).map(toWire),
    remove(ids) {
      const named = new Set(ids.map(find));
      for (const { id, status } of named) {
        if (status !== "IN_PROGRESS") continue;
        throw new Fault(
          "OPERATION_IN_PROGRESS",
          `Operation ${id} is still running: nothing was deleted. Wait until it has finished.`,
        );
      }
      for (const { id } of named) forget(id);
    },
  };
}

function toWire({ id, status, state }: Operation): OperationOnWire {
  const progress = status === "SUCCEEDED" ? 1 : Math.min(progressOf(state), MAX_UNFINISHED_PROGRESS);
  return { id, status, progress };
}
