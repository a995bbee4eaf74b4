import { Buffer } from "node:buffer";
import type { Store } from "../scene/project.ts";
import type { PageChange } from "./replies.ts";
import type { SceneVersions } from "./scene-versions.ts";

/** Changes that follow each other within this time are told at once. */
const COALESCE_MS = 30;
/** Between two signs of life, by which a page and what lies between notice that a connection is dead. */
const HEARTBEAT_MS = 10_000;

/** A page that listens. */
interface Listener {
  /** Whether there were changes since it was told of the last one. */
  isBehind: boolean;
  isGone: boolean;
  /** Ends its waiting. */
  wake: () => void;
}

/** Streams of the changes of scenes, for any number of pages. */
export interface ChangeEvents {
  /** The response to a page; `onEnd` is called once it has gone. */
  listen(onEnd: () => void): Response;
  /** Ends all streams. */
  close(): void;
}

export function newChangeEvents(store: Store, versions: SceneVersions): ChangeEvents {
  const listeners = new Set<Listener>();
  store.subscribe(() => {
    for (const listener of listeners) {
      listener.isBehind = true;
      listener.wake();
    }
  });

  function changeEvent(): string {
    const change: PageChange = {
      scenes: store.read().scenes.map(({ id }) => ({ id, version: versions.of(id) })),
    };
    return `event: change\ndata: ${JSON.stringify(change)}\n\n`;
  }

  /** The next text for a page; undefined once it has gone. */
  async function nextText(listener: Listener): Promise<string | undefined> {
    if (!listener.isBehind && !listener.isGone) {
      await woken(listener, HEARTBEAT_MS);
      // `wake` is called again at each change; here only the end of the stream ends the waiting early.
      if (listener.isBehind) await new Promise((resolve) => setTimeout(resolve, COALESCE_MS).unref());
    }
    if (listener.isGone) return undefined;
    if (!listener.isBehind) return ": still here\n\n";
    listener.isBehind = false;
    return changeEvent();
  }

  return {
    listen(onEnd) {
      const listener: Listener = { isBehind: true, isGone: false, wake: () => {} };
      listeners.add(listener);
      const leave = (): void => {
        if (!listeners.delete(listener)) return;
        listener.isGone = true;
        listener.wake();
        onEnd();
      };
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const text = await nextText(listener);
          if (text === undefined) controller.close();
          else controller.enqueue(Buffer.from(text));
        },
        cancel: leave,
      });
      return new Response(stream, {
        headers: {
          "Content-Type": "text/event-stream",
          "Cache-Control": "no-store",
          "Transfer-Encoding": "chunked",
        },
      });
    },
    close() {
      for (const listener of listeners) {
        listener.isGone = true;
        listener.wake();
      }
      listeners.clear();
    },
  };
}

/** Resolves when the listener is woken, or after a time. */
function woken(listener: Listener, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(wake, ms).unref();
    listener.wake = wake;
  });
}
