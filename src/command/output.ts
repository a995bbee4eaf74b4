import type { Writable } from "node:stream";
import { withFileErrors } from "../core/file-error.ts";

/** Where a command prints its outcome. */
export interface Output {
  line(text: string): void;
  /** Ends once all pieces are written, each when the one before it was taken. */
  bytes(pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Ends once all lines are written. Throws OPERATION_FAILED where one could not be, as on a full disk. */
  flushed(): Promise<void>;
}

/** A stream of text or bytes. Its reader may go away, as `head` does: what it does not want is no failure. */
export function newOutput(stream: Writable): Output {
  let failure: NodeJS.ErrnoException | undefined;
  let written = Promise.resolve();
  // Failures come to the callbacks of the writes; without a listener they would end the process, too.
  stream.on("error", () => {});
  const write = (piece: string | Uint8Array): Promise<void> =>
    new Promise((done) => {
      stream.write(piece, (error) => {
        failure ??= error ?? undefined;
        done();
      });
    });
  return {
    line: (text) => void (written = write(`${text}\n`)),
    async bytes(pieces) {
      for await (const piece of pieces) {
        if (failure !== undefined) return;
        await write(piece);
      }
    },
    async flushed() {
      await written;
      if (failure === undefined || failure.code === "EPIPE") return;
      withFileErrors("write", "standard output", () => {
        throw failure;
      });
    },
  };
}
