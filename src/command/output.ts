import type { Writable } from "node:stream";
import { withFileErrors } from "../core/file-error.ts";

/** Where a command prints its outcome. */
export interface Output {
  line(text: string): void;
  /** Ends once all lines are written. Throws OPERATION_FAILED where one could not be, as on a full disk. */
  flushed(): Promise<void>;
}

/** Lines on a stream. Its reader may go away, as `head` does: what it does not want is no failure. */
export function newOutput(stream: Writable): Output {
  let failure: NodeJS.ErrnoException | undefined;
  let written = Promise.resolve();
  // Failures come to the callbacks of the writes; without a listener they would end the process, too.
  stream.on("error", () => {});
  return {
    line(text) {
      const write = (done: () => void): void =>
        void stream.write(`${text}\n`, (error) => {
          failure ??= error ?? undefined;
          done();
        });
      written = new Promise(write);
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
