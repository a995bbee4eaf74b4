import { type FileSource, readError, readExactly, readRange } from "../../codec/file-source.ts";
import type { BodyChecksum } from "./body-checksum.ts";

const CHECKSUM_BYTES = 4;
const PIECE_BYTES = 2 ** 20;

/** Throws OPERATION_FAILED if the last bytes of a file are not the checksum of all others. Reads the file in pieces. */
export function requireChecksum(source: FileSource, checksum: BodyChecksum): void {
  const end = Math.max(0, source.size - CHECKSUM_BYTES);
  const piece = new Uint8Array(Math.min(PIECE_BYTES, end));
  for (let at = 0; at < end; at += piece.length) {
    const bytes = piece.subarray(0, Math.min(piece.length, end - at));
    readExactly(source, bytes, at);
    checksum.add(bytes);
  }
  const stated = new DataView(readRange(source, end, CHECKSUM_BYTES).buffer).getUint32(0);
  if (stated === checksum.withHead(new Uint8Array())) return;
  throw readError(source, "its checksum is wrong: it is damaged or was cut short; take another copy of it");
}
