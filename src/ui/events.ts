import { Buffer } from "node:buffer";
import type { Store } from "../scene/project.ts";
import type { SceneKeeper } from "../keep/scene-keeper.ts";
import type { PageChange, PageKeeping } from "./replies.ts";
import type { SceneRecords } from "./describe-scene.ts";
import type { WorkWatch } from "./work-watch.ts";

/** Changes within this time after the first one are sent as one event. */
const COALESCE_MS = 30;
/** Interval of comments that keep the stream alive, so that the page and proxies notice a dead connection. */
const HEARTBEAT_MS = 10_000;

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  "Transfer-Encoding": "chunked",
};

/** Kinds of events: changes of scenes, running requests, and what is kept in the state folder. */
const KINDS = ["change", "work", "kept"] as const;
type Kind = (typeof KINDS)[number];

/** Streams of server-sent events about changes of scenes and about running requests, for any number of pages. */
export interface PageEvents {
  /** Response to a page; `onEnd` is called once when the page disconnects. */
  listen(onEnd: () => void): Response;
  /** Ends all streams. */
  close(): void;
}

export function newPageEvents(
  store: Store,
  { versions, keptFindings }: Pick<SceneRecords, "versions" | "keptFindings">,
  work: WorkWatch,
  keeper?: SceneKeeper,
): PageEvents {
  const listeners = new Set<Listener>();
  store.subscribe(() => {
    for (const listener of listeners) listener.notify("change");
  });
  const contents: Readonly<Record<Kind, () => object>> = {
    change: (): PageChange => ({
      scenes: store.read().scenes.map(({ id }) => {
        const checkedMs = keptFindings.checkedMs(id);
        const checked_at = checkedMs === undefined ? null : new Date(checkedMs).toISOString();
        return { id, version: versions.of(id), checked_at };
      }),
    }),
    work: work.now,
    kept: () => keepingOf(keeper),
  };
  const textOf = (kind: Kind): string => `event: ${kind}\ndata: ${JSON.stringify(contents[kind]())}\n\n`;
  return {
    listen(onEnd) {
      const listener = new Listener(textOf);
      listeners.add(listener);
      const unwatchFindings = keptFindings.watch(() => listener.notify("change"));
      const unwatch = work.watch(() => listener.notify("work"));
      const unwatchKeeper = keeper?.watch(() => listener.notify("kept"));
      const onCancel = (): void => {
        unwatch();
        unwatchFindings();
        unwatchKeeper?.();
        if (!listeners.delete(listener)) return;
        listener.end();
        onEnd();
      };
      return new Response(streamOf(listener, onCancel), { headers: HEADERS });
    },
    close() {
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}

function keepingOf(keeper: SceneKeeper | undefined): PageKeeping {
  if (!keeper) return { folder: null, problem: null, scenes: [] };
  const { folder, problem = null, keptAt } = keeper.state();
  return { folder, problem, scenes: Array.from(keptAt, ([id, kept_at]) => ({ id, kept_at })) };
}

/** A page that listens to events. */
class Listener {
  readonly #textOf: (kind: Kind) => string;
  /** Kinds with news since their last events. The first events are sent immediately. */
  readonly #news = new Set<Kind>(KINDS);
  #hasEnded = false;
  /** Ends the waiting in `#wait` early. */
  #wake: () => void = () => {};

  constructor(textOf: (kind: Kind) => string) {
    this.#textOf = textOf;
  }

  notify(kind: Kind): void {
    this.#news.add(kind);
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Waits for the next text to send; undefined after the end. */
  async next(): Promise<string | undefined> {
    if (this.#news.size === 0 && !this.#hasEnded) {
      await this.#wait(HEARTBEAT_MS);
      // This wait is not ended by further news, so that they are part of the same event.
      if (this.#news.size > 0) await new Promise((resolve) => setTimeout(resolve, COALESCE_MS).unref());
    }
    if (this.#hasEnded) return undefined;
    if (this.#news.size === 0) return ": still here\n\n";
    const kinds = KINDS.filter((kind) => this.#news.has(kind));
    this.#news.clear();
    return kinds.map(this.#textOf).join("");
  }

  /** Waits until there is news or the end, at most `ms`. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(wake, ms).unref();
      this.#wake = wake;
    });
  }
}

const streamOf = (listener: Listener, onCancel: () => void): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const text = await listener.next();
      if (text === undefined) controller.close();
      else controller.enqueue(Buffer.from(text));
    },
    cancel: onCancel,
  });
