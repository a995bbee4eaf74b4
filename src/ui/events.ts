import { Buffer } from "node:buffer";
import type { Store } from "../scene/project.ts";
import type { PageChange } from "./replies.ts";
import type { SceneVersions } from "./scene-versions.ts";

/** Changes within this time after the first one are sent as one event. */
const COALESCE_MS = 30;
/** Interval of comments that keep the stream alive, so that the page and proxies notice a dead connection. */
const HEARTBEAT_MS = 10_000;

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  "Transfer-Encoding": "chunked",
};

/** Streams of server-sent events about changes of scenes, for any number of pages. */
export interface ChangeEvents {
  /** Response to a page; `onEnd` is called once when the page disconnects. */
  listen(onEnd: () => void): Response;
  /** Ends all streams. */
  close(): void;
}

export function newChangeEvents(store: Store, versions: SceneVersions): ChangeEvents {
  const listeners = new Set<Listener>();
  store.subscribe(() => {
    for (const listener of listeners) listener.notify();
  });
  const changeEvent = (): string => {
    const change: PageChange = {
      scenes: store.read().scenes.map(({ id }) => ({ id, version: versions.of(id) })),
    };
    return `event: change\ndata: ${JSON.stringify(change)}\n\n`;
  };
  return {
    listen(onEnd) {
      const listener = new Listener(changeEvent);
      listeners.add(listener);
      const onCancel = (): void => {
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

/** A page that listens to changes. */
class Listener {
  readonly #changeEvent: () => string;
  /** Whether scenes have changed since the last event. The first event is sent immediately. */
  #hasNews = true;
  #hasEnded = false;
  /** Ends the waiting in `#wait` early. */
  #wake: () => void = () => {};

  constructor(changeEvent: () => string) {
    this.#changeEvent = changeEvent;
  }

  /** Reports that scenes have changed. */
  notify(): void {
    this.#hasNews = true;
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Waits for the next text to send; undefined after the end. */
  async next(): Promise<string | undefined> {
    if (!this.#hasNews && !this.#hasEnded) {
      await this.#wait(HEARTBEAT_MS);
      // This wait is not ended by further changes, so that they are part of the same event.
      if (this.#hasNews) await new Promise((resolve) => setTimeout(resolve, COALESCE_MS).unref());
    }
    if (this.#hasEnded) return undefined;
    if (!this.#hasNews) return ": still here\n\n";
    this.#hasNews = false;
    return this.#changeEvent();
  }

  /** Waits until a change or the end, at most `ms`. */
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
