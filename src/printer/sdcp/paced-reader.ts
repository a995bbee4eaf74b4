import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { newGrowingBuffer } from "./growing-buffer.ts";

/** Reads messages from a socket at a rate that leaves time for other work of the thread. */
interface PacedReaderOptions {
  readonly socket: Socket;
  /**
   * Handles the message at the beginning of the received bytes and returns its length in bytes: 0 where it is not complete, undefined where
   * the connection has ended.
   */
  handle(bytes: Buffer): number | undefined;
  /** Called once with the reason when the printer sends too much. */
  onFlood(reason: string): void;
}

/** Most messages and bytes that are handled before the event loop handles other events. */
const MESSAGES_PER_BATCH = 16;
const BYTES_PER_BATCH = 256 * 1024;
/** Our own limits: printers report their state a few times a second at most, and a list of thousands of files has 1 MiB. */
const MESSAGES_PER_S = 200;
const BYTES_PER_S = 8 * 2 ** 20;
const SECOND_MS = 1000;

/** Reads the socket from now on. The returned function adds bytes that arrived earlier. */
export function readPaced({ socket, handle, onFlood }: PacedReaderOptions): (bytes: Uint8Array) => void {
  const pending = newGrowingBuffer();
  let second = { startMs: -Infinity, messages: 0, bytes: 0 };
  let isWaiting = false;
  let isOver = false;

  /** Counts a message. Returns why the printer is dropped, undefined where it is not. */
  function excess(bytes: number): string | undefined {
    const nowMs = performance.now();
    if (nowMs - second.startMs >= SECOND_MS) second = { startMs: nowMs, messages: 0, bytes: 0 };
    second.messages++;
    second.bytes += bytes;
    if (second.messages > MESSAGES_PER_S) return `it sends more than ${MESSAGES_PER_S} messages a second`;
    if (second.bytes > BYTES_PER_S) return `it sends more than ${BYTES_PER_S} bytes a second`;
    return undefined;
  }

  function handleBatch(): void {
    isWaiting = false;
    let handled = 0;
    for (let messages = 0; !isOver; messages++) {
      if (messages === MESSAGES_PER_BATCH || handled >= BYTES_PER_BATCH) return wait();
      const bytes = handle(pending.bytes());
      if (bytes === undefined) isOver = true;
      if (!bytes) break;
      pending.drop(bytes);
      handled += bytes;
      const reason = excess(bytes);
      if (reason === undefined) continue;
      isOver = true;
      onFlood(reason);
    }
    if (!isOver) socket.resume();
  }

  /** Stops reading meanwhile, so that further bytes stay in the buffers of the system. */
  function wait(): void {
    isWaiting = true;
    socket.pause();
    setImmediate(handleBatch);
  }

  const append = (bytes: Uint8Array): void => {
    if (isOver) return;
    pending.append(bytes);
    if (!isWaiting) handleBatch();
  };
  socket.on("data", append);
  return append;
}
