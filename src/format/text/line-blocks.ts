import type { Watch } from "../../core/watch.ts";
import type { Source } from "../source.ts";
import { readExactly, unreadable } from "../source.ts";

const BLOCK_BYTES = 1 << 20;
const MAX_LINE_BYTES = 1 << 26;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const LF = 0x0a;
const CR = 0x0d;
const BACKSLASH = 0x5c;

/**
 * The text of a file in blocks of whole lines, each with a line end (LF, CR LF or CR) at its end, which the last one is
 * given if it has none. A line that a backslash continues stays with the next. A block is valid until the next is asked
 * for. Throws OPERATION_FAILED for a line over 64 MiB.
 */
export function* lineBlocks(source: Source, watch: Watch): Generator<Uint8Array> {
  let buffer = new Uint8Array(Math.min(BLOCK_BYTES, source.size) + 1);
  let filled = 0;
  for (let position = 0; position < source.size;) {
    const room = buffer.subarray(filled, Math.min(buffer.length - 1, filled + source.size - position));
    readExactly(source, room, position);
    const isFirst = position === 0;
    position += room.length;
    filled += room.length;
    if (position === source.size) buffer[filled++] = LF;
    const start = isFirst && BYTE_ORDER_MARK.every((byte, i) => buffer[i] === byte) ? BYTE_ORDER_MARK.length : 0;
    const end = position === source.size ? filled : lastLineEnd(buffer, filled);
    if (end > start) yield buffer.subarray(start, end);
    else if (filled > MAX_LINE_BYTES) throw unreadable(source, "a line is over 64 MiB long; export the model again");
    const rest = buffer.subarray(end, filled);
    if (2 * rest.length > buffer.length) buffer = new Uint8Array(2 * buffer.length);
    buffer.set(rest);
    filled = rest.length;
    watch.report(position / source.size);
  }
}

/** Just after the last line end that no backslash continues, 0 if there is none. A CR that an LF may follow waits. */
function lastLineEnd(bytes: Uint8Array, length: number): number {
  for (let at = length - 1; at >= 0; at--) {
    if (bytes[at] !== LF && (bytes[at] !== CR || at === length - 1)) continue;
    const before = at - 1 - (bytes[at] === LF && bytes[at - 1] === CR ? 1 : 0);
    if (bytes[before] !== BACKSLASH) return at + 1;
  }
  return 0;
}
