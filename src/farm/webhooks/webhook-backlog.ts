import type { EventLog, StoredEvent } from "../events/event-log.ts";

/** Where webhooks go. */
export interface WebhookEndpoint {
  /** Identifies it over restarts: how far it is, is stored under this name. */
  readonly name: string;
  readonly url: URL;
  /** The newest first. */
  readonly secrets: readonly Uint8Array[];
  readonly wants: (type: string) => boolean;
  readonly allowPrivate: boolean;
  readonly certificates: readonly string[];
}

/** An event that its receiver does not have yet. */
export interface Pending {
  readonly sequence: number;
  readonly subject: string;
  /** How often it was tried. */
  readonly attempt: number;
  /** When it may be tried, ms since 1970. */
  readonly notBefore: number;
  /** Absent after a restart, until it is sent. */
  readonly event?: StoredEvent;
}

/** How far an endpoint is, as it is stored. */
interface Stored {
  /** All events up to this one were delivered, given up or are pending. */
  readonly position: number;
  readonly pending: readonly (readonly [sequence: number, subject: string, attempt: number, notBefore: number])[];
  /** The URL that answered 410: nothing is sent to it any more. */
  readonly goneUrl?: string;
}

/** What is to be sent to an endpoint: events in their order for each subject. Every change is stored; a kill in between repeats deliveries and loses none. */
export class WebhookBacklog {
  readonly #log: EventLog;
  readonly #name: string;
  /** By subject, the oldest event first: the others wait for it. */
  readonly #queues = new Map<string, Pending[]>();
  #position: number;
  #goneUrl: string | undefined;
  #isDirty = false;
  #saving: Promise<void> | undefined;

  private constructor(log: EventLog, name: string, stored: Stored) {
    this.#log = log;
    this.#name = name;
    this.#position = stored.position;
    this.#goneUrl = stored.goneUrl;
    for (const [sequence, subject, attempt, notBefore] of stored.pending)
      this.#add({ sequence, subject, attempt, notBefore });
  }

  /** An endpoint without a stored position begins with the events from now on. One whose events were removed meanwhile goes on with those that are kept. */
  static async open(log: EventLog, endpoint: string): Promise<WebhookBacklog> {
    const name = `webhook/${endpoint}`;
    const { removed, last } = await log.range();
    const stored = (await log.load(name)) as Stored | undefined;
    if (!stored) {
      await log.save(name, { position: last, pending: [] } satisfies Stored);
      return new WebhookBacklog(log, name, { position: last, pending: [] });
    }
    const isLost = stored.position < removed || stored.position > last;
    return new WebhookBacklog(log, name, isLost ? { ...stored, position: removed } : stored);
  }

  get position(): number {
    return this.#position;
  }

  get size(): number {
    return this.#queues.values().reduce((sum, queue) => sum + queue.length, 0);
  }

  /** The oldest event of each subject. */
  heads(): Pending[] {
    return [...this.#queues.values()].flatMap((queue) => queue.slice(0, 1));
  }

  isGone(url: URL): boolean {
    return this.#goneUrl === url.href;
  }

  /** Takes up events that were read after {@link position}. */
  takeUp(events: readonly StoredEvent[], wants: (event: StoredEvent) => boolean): void {
    for (const event of events) {
      const { sequence, subject } = event;
      if (wants(event)) this.#add({ sequence, subject, attempt: 0, notBefore: 0, event });
      this.#position = sequence;
    }
    this.#isDirty = true;
  }

  #add(pending: Pending): void {
    const queue = this.#queues.get(pending.subject);
    if (queue) queue.push(pending);
    else this.#queues.set(pending.subject, [pending]);
  }

  /** Its receiver has it, or will never get it. */
  settle({ subject }: Pending): void {
    const queue = this.#queues.get(subject);
    queue?.shift();
    if (queue?.length === 0) this.#queues.delete(subject);
    this.#isDirty = true;
  }

  /** Tries it again, not before that time. */
  postpone({ sequence, subject, attempt }: Pending, notBefore: number): void {
    const queue = this.#queues.get(subject);
    // The text of an event that waits for hours is read again.
    queue?.splice(0, 1, { sequence, subject, attempt: attempt + 1, notBefore });
    this.#isDirty = true;
  }

  /** Drops all that is pending, and sends nothing to this URL any more. */
  markGone(url: URL): void {
    this.#queues.clear();
    this.#goneUrl = url.href;
    this.#isDirty = true;
  }

  /** Stores the changes; those that come meanwhile are stored by the same call. */
  save(): Promise<void> {
    return (this.#saving ??= this.#saveAll().finally(() => (this.#saving = undefined)));
  }

  async #saveAll(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      const pending = [...this.#queues.values()].flat();
      await this.#log.save(this.#name, {
        position: this.#position,
        pending: pending.map(({ sequence, subject, attempt, notBefore }) => [sequence, subject, attempt, notBefore]),
        ...(this.#goneUrl !== undefined && { goneUrl: this.#goneUrl }),
      } satisfies Stored);
    }
  }
}
