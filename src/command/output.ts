import type { Writable } from "node:stream";
import { withFileErrors } from "../core/file-error.ts";

/** The output of a command. */
export interface Output {
  line(text: string): void;
  /** Writes the pieces, each after the reader has taken the one before. Resolves when all are written. */
  bytes(pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Resolves when all lines are written. Throws OPERATION_FAILED where that fails, as on a full disk. */
  flushed(): Promise<void>;
}

/** An output to a stream. Its reader may stop reading, as `head` does: that is no failure. */
export function newOutput(stream: Writable): Output {
  let failure: NodeJS.ErrnoException | undefined;
  let written = Promise.resolve();
  // The callbacks of the writes get failures; without this listener they would end the process, too.
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
