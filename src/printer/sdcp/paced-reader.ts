import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { newGrowingBuffer } from "./growing-buffer.ts";

/** Takes the bytes of a printer as they come, at a pace that leaves the thread to others. */
interface PacedReaderOptions {
  readonly socket: Socket;
  /**
   * Takes one message from the begin of what has come, and returns its bytes: 0 where it is not whole, undefined where the connection is over.
   */
  take(bytes: Buffer): number | undefined;
  /** Told once why the printer is dropped. */
  flooded(reason: string): void;
}

/** What is taken before others have their turn. */
const MESSAGES_PER_TURN = 16;
const BYTES_PER_TURN = 256 * 1024;
/**
 * Printers tell their state a few times a second at most, and a list of some thousand files has a MiB: our own bounds, far above both.
 */
const MESSAGES_PER_S = 200;
const BYTES_PER_S = 8 * 2 ** 20;
const SECOND_MS = 1000;

/** Reads the socket from now on. The function that it returns takes bytes that came before. */
export function readPaced({ socket, take, flooded }: PacedReaderOptions): (bytes: Uint8Array) => void {
  const pending = newGrowingBuffer();
  let second = { startMs: -Infinity, messages: 0, bytes: 0 };
  let isWaiting = false;
  let isOver = false;

  /** Counts a message. Why the printer is dropped, where it is. */
  function excess(bytes: number): string | undefined {
    const nowMs = performance.now();
    if (nowMs - second.startMs >= SECOND_MS) second = { startMs: nowMs, messages: 0, bytes: 0 };
    second.messages++;
    second.bytes += bytes;
    if (second.messages > MESSAGES_PER_S) return `it sends more than ${MESSAGES_PER_S} messages a second`;
    if (second.bytes > BYTES_PER_S) return `it sends more than ${BYTES_PER_S} bytes a second`;
    return undefined;
  }

  function takeTurn(): void {
    isWaiting = false;
    let taken = 0;
    for (let messages = 0; !isOver; messages++) {
      if (messages === MESSAGES_PER_TURN || taken >= BYTES_PER_TURN) return wait();
      const bytes = take(pending.bytes());
      if (bytes === undefined) isOver = true;
      if (!bytes) break;
      pending.drop(bytes);
      taken += bytes;
      const reason = excess(bytes);
      if (reason === undefined) continue;
      isOver = true;
      flooded(reason);
    }
    if (!isOver) socket.resume();
  }

  /** What else comes stays with the system meanwhile. */
  function wait(): void {
    isWaiting = true;
    socket.pause();
    setImmediate(takeTurn);
  }

  const append = (bytes: Uint8Array): void => {
    if (isOver) return;
    pending.append(bytes);
    if (!isWaiting) takeTurn();
  };
  socket.on("data", append);
  return append;
}
