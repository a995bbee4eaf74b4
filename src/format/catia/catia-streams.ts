import type { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";

// Container of Catia V5 files: an inner container with a directory of streams, which are stored in extents. Integers are big-endian. Decoded
// from files of Catia V5. A descriptor is recognised by its consistent numbers, so that the rest of the directory need not be known.

const SIGNATURE = "V5_CFV2\0";
const DIRECTORY_SIGNATURE = "CATIA_V5 CB0001";

/** Offsets in a descriptor: of the size of its stream, of the number of extents, and of the extents. */
const SIZE_AT = 0x0c;
const EXTENT_COUNT_AT = 0x50;
const EXTENTS_AT = 0x54;
const EXTENT_BYTES = 20;
/** The name precedes the descriptor or is in it, as UTF-16. */
const NAME_REACH = 64;
/** Far more than files have. */
const MAX_EXTENTS = 100_000;

/** The extents of the largest stream with a name; undefined if there is none. Throws the error of `refuse` if the file is no container. */
export function largestStream(file: Buffer, name: string, refuse: ErrorFactory): Buffer[] | undefined {
  const start = file.indexOf(SIGNATURE, SIGNATURE.length, "latin1");
  if (file.indexOf(SIGNATURE, 0, "latin1") !== 0 || start < 0 || start + 16 > file.length) {
    throw refuse("it is no Catia V5 file, or it is damaged; in Catia, save it as STEP, and import that");
  }
  const from = start + file.readUInt32BE(start + 8);
  const directory = file.subarray(from, from + file.readUInt32BE(start + 12));
  if (directory.toString("latin1", 0, DIRECTORY_SIGNATURE.length) !== DIRECTORY_SIGNATURE) {
    throw refuse("its container is of a version that is not known here; in Catia, save it as STEP, and import that");
  }
  // Matches the name in UTF-16 of either byte order.
  const wanted = [...name].join("\0");
  let best: { readonly size: number; readonly extents: Buffer[] } | undefined;
  for (let at = 0; at + EXTENTS_AT <= directory.length; at++) {
    const size = directory.readUInt32BE(at + SIZE_AT);
    if (size <= (best?.size ?? 0) || size > file.length) continue;
    const extents = extentsAt(file, start, directory, at, size);
    if (!extents) continue;
    const names = directory.toString("latin1", Math.max(0, at - NAME_REACH), at + EXTENT_COUNT_AT);
    if (names.includes(wanted)) best = { size, extents };
  }
  return best?.extents;
}

/** The extents of the descriptor at an offset of the directory; undefined if its numbers are inconsistent. */
function extentsAt(file: Buffer, start: number, directory: Buffer, at: number, size: number): Buffer[] | undefined {
  const count = directory.readUInt32BE(at + EXTENT_COUNT_AT);
  if (count === 0 || count > MAX_EXTENTS || at + EXTENTS_AT + count * EXTENT_BYTES > directory.length) return undefined;
  const extents: Buffer[] = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const row = at + EXTENTS_AT + i * EXTENT_BYTES;
    const [place, stored, length, offset] = [0, 4, 8, 12].map((field) => directory.readUInt32BE(row + field));
    if (offset !== total || stored !== length || start + place + length > file.length) return undefined;
    extents.push(file.subarray(start + place, start + place + length));
    total += length;
  }
  return total === size ? extents : undefined;
}
