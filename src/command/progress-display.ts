import type { WriteStream } from "node:tty";

/** Shows the progress of work on a stream. */
export interface ProgressDisplay {
  /** Shows the share of the work that is done, 0 to 1; called about ten times a second. */
  show(label: string, share: number): void;
  /** Replaces the display with a permanent line. */
  line(text: string): void;
}

const BAR_WIDTH = 24;
/** Columns of a terminal that does not report them. */
const USUAL_COLUMNS = 80;

const percent = (share: number): string => `${Math.floor(100 * share)} %`;

/** A progress bar, on one line of a terminal that is redrawn. */
function newBar(stream: WriteStream): ProgressDisplay {
  const redraw = (text: string): void => void stream.write(`\r\x1b[K${text}`);
  return {
    show(label, share) {
      const full = Math.round(BAR_WIDTH * share);
      const bar = `${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)} ${percent(share).padStart(5)}`;
      // The bar must fit on the line: a wrapped line cannot be redrawn.
      const room = Math.max(0, (stream.columns || USUAL_COLUMNS) - bar.length - 2);
      redraw(`${label.slice(0, room).padEnd(Math.min(room, 40))} ${bar}`);
    },
    line: (text) => redraw(`${text}\n`),
  };
}

/** Seconds between two lines about the same work in a log. */
const LINE_EVERY_S = 10;

/** Lines for a log, one every few seconds during long work. */
function newLines(write: (line: string) => void, nowMs: () => number): ProgressDisplay {
  let lastMs = nowMs();
  return {
    show(label, share) {
      if (nowMs() - lastMs < LINE_EVERY_S * 1000) return;
      lastMs = nowMs();
      write(`${label} … ${percent(share)}\n`);
    },
    line(text) {
      lastMs = nowMs();
      write(`${text}\n`);
    },
  };
}

/** A bar where the stream is a terminal, else lines. */
export const newProgressDisplay = (stream: WriteStream, nowMs: () => number = Date.now): ProgressDisplay =>
  stream.isTTY ? newBar(stream) : newLines((line) => void stream.write(line), nowMs);
