import { ApiError, type ErrorEnvelope, excerpt, notFound, toEnvelope } from "../core/api-error.ts";
import { parseId } from "../core/id.ts";
import { readProgress } from "../core/progress.ts";
import type { Stage, Work } from "./running-work.ts";

export const OPERATION_STATUSES = ["IN_PROGRESS", "SUCCEEDED", "FAILED"] as const;

type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** The reply of a successful request, or the error envelope. Undefined where a success has no reply. */
type Result = Record<string, unknown>;

/** A running request, as its record sees it. */
export interface RunningOperation extends Work {
  /** Ends the request with this error, unless it has begun to change the project or a file: then it succeeds. */
  cancel(error: ApiError): void;
}

interface Operation extends RunningOperation {
  status: OperationStatus;
  result?: Result | undefined;
}

interface OperationOnWire {
  readonly id: string;
  readonly status: OperationStatus;
  readonly progress: number;
  readonly path: string;
  readonly scene_ids: string[];
  readonly title: string;
  readonly stage: Stage | null;
  /** ISO 8601, UTC. */
  readonly started: string;
}

/** Number of finished records that are kept, the newest ones (interface supplement, "Operations"). */
const MAX_FINISHED = 10_000;
/** Highest progress of an operation that has not succeeded. */
const MAX_UNFINISHED_PROGRESS = 0.999;

/** The records of asynchronous requests. */
export interface OperationRecords {
  /** Makes the record of a request, with its id, which it returns. */
  begin(operation: RunningOperation): string;
  succeed(id: string, result: Result | undefined): void;
  fail(id: string, error: ApiError): void;
  /** The record with this id. With `once`, a finished record is removed. */
  get(id: string, once: boolean): OperationOnWire & { readonly result?: Result | undefined };
  /** The records with these ids, or all records, oldest first. */
  list(ids: readonly string[]): OperationOnWire[];
  /** Removes these records. Throws and removes none if a record is unknown or its operation still runs. */
  remove(ids: readonly string[]): void;
  /** Cancels the operations among these that still run. Throws and cancels none if one is unknown. */
  cancel(ids: readonly string[]): void;
}

/** `envelopeOf` makes the results of failed operations. */
export const newOperationRecords = (
  maxFinished = MAX_FINISHED,
  envelopeOf: (error: ApiError) => ErrorEnvelope = toEnvelope,
): OperationRecords => new Records(maxFinished, envelopeOf);

class Records implements OperationRecords {
  readonly #maxFinished: number;
  readonly #envelopeOf: (error: ApiError) => ErrorEnvelope;
  readonly #records = new Map<string, Operation>();
  /** Ids from the oldest on. */
  readonly #finished = new Set<string>();

  constructor(maxFinished: number, envelopeOf: (error: ApiError) => ErrorEnvelope) {
    this.#maxFinished = maxFinished;
    this.#envelopeOf = envelopeOf;
  }

  begin({ id, path, sceneIds, title, started, state, stage, cancel }: RunningOperation): string {
    this.#records.set(id, { id, path, sceneIds, title, started, state, stage, cancel, status: "IN_PROGRESS" });
    return id;
  }

  succeed(id: string, result: Result | undefined): void {
    this.#finish(id, "SUCCEEDED", result);
  }

  fail(id: string, error: ApiError): void {
    this.#finish(id, "FAILED", { ...this.#envelopeOf(error) });
  }

  get(id: string, once: boolean) {
    const operation = this.#find(id);
    if (once && operation.status !== "IN_PROGRESS") this.#forget(operation.id);
    return { ...toWire(operation), result: operation.result };
  }

  list(ids: readonly string[]): OperationOnWire[] {
    if (ids.length === 0) return Array.from(this.#records.values(), toWire);
    return Array.from(this.#findAll(ids), toWire);
  }

  remove(ids: readonly string[]): void {
    const named = this.#findAll(ids);
    for (const { id, status } of named) {
      if (status !== "IN_PROGRESS") continue;
      throw new ApiError(
        "OPERATION_IN_PROGRESS",
        `Operation ${id} is still running: nothing was deleted. Wait until it has finished.`,
      );
    }
    for (const { id } of named) this.#forget(id);
  }

  cancel(ids: readonly string[]): void {
    for (const { status, cancel } of this.#findAll(ids)) {
      if (status !== "IN_PROGRESS") continue;
      cancel(new ApiError("OPERATION_CANCELLED", "The operation was cancelled by a request; it changed nothing."));
    }
  }

  #find(text: string): Operation {
    const operation = this.#records.get(parseId(text) ?? "");
    if (!operation)
      throw notFound(
        `No operation has the id ${excerpt(text)}: it is unknown or deleted, or its result was fetched with "oneshot".`,
      );
    return operation;
  }

  /** The operations with these ids, each once. */
  #findAll(ids: readonly string[]): Set<Operation> {
    return new Set(ids.map((id) => this.#find(id)));
  }

  #forget(id: string): void {
    this.#records.delete(id);
    this.#finished.delete(id);
  }

  #finish(id: string, status: OperationStatus, result: Result | undefined): void {
    const operation = this.#find(id);
    operation.status = status;
    operation.result = result;
    this.#finished.add(id);
    const [oldest] = this.#finished;
    if (oldest !== undefined && this.#finished.size > this.#maxFinished) this.#forget(oldest);
  }
}

function toWire(operation: Operation): OperationOnWire {
  const { id, status, state, path, sceneIds, title, started } = operation;
  return {
    id,
    status,
    progress: status === "SUCCEEDED" ? 1 : Math.min(readProgress(state), MAX_UNFINISHED_PROGRESS),
    path,
    scene_ids: [...sceneIds],
    title,
    stage: operation.stage() ?? null,
    started: started.toISOString(),
  };
}
