/**
 * The events of a queue, in the order in which they took effect. The database writes those of jobs in the transaction that changes the job, so that none is lost and none is
 * about something that did not happen. There are readers for SQLite (`sqlite-event-log.ts`) and PostgreSQL (`postgres-event-log.ts`); `open-event-log.ts` chooses.
 */
export interface EventLog {
  /** At most `limit` events with a sequence number above `after`, in their order. What it gave once, and the gaps between, stay as they are. */
  read(after: number, limit: number): Promise<StoredEvent[]>;
  range(): Promise<EventRange>;
  /**
   * Writes events, all or none. With `saved`, the state of a writer is saved in the same step; where that state is saved already, nothing is written, so a call may be repeated.
   */
  append(events: readonly NewEvent[], saved?: SavedState): Promise<void>;
  /** As `JobQueue.watch`: waits until there may be new events. */
  watch(): (timeoutMs: number, signal?: AbortSignal) => Promise<void>;
  /** What a reader or writer has saved under its name: how far it is. */
  load(reader: string): Promise<unknown>;
  /** What is saved under all names that begin with `prefix`. */
  loadAll(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  save(reader: string, state: unknown): Promise<void>;
  /**
   * Lets this process alone be the reader of that name, until it releases the claim or ends. Throws OPERATION_FAILED where another process is.
   */
  claim(reader: string): Promise<Claim>;
  /** Removes events that are older than `ms`. Returns their number. */
  removeOld(ms: number): Promise<number>;
  close(): Promise<void>;
}

/** What a writer saves under its name. */
export interface SavedState {
  readonly name: string;
  readonly state: unknown;
}

export interface Claim {
  /** Aborted where the claim may have gone to another process, because the connection to the database broke. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface NewEvent {
  /** What happened, such as `job.done`. */
  readonly type: string;
  /** What it happened to, such as `job/ID`. */
  readonly subject: string;
  /** Small, without secrets. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredEvent extends NewEvent {
  /** Grows from event to event, with gaps. */
  readonly sequence: number;
  readonly at: Date;
}

/** Which events are kept. */
export interface EventRange {
  /** All events with a sequence number above this one are kept; 0 if none was removed. */
  readonly removed: number;
  /** The number of the newest event, also where it was removed; 0 before the first. */
  readonly last: number;
}

/** The states of rows of `event_reader`, by their names. */
export const statesOf = (rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, unknown> =>
  new Map(rows.map(({ name, state }) => [String(name), JSON.parse(String(state))]));
