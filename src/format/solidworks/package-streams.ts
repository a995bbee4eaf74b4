import { Buffer } from "node:buffer";
import { crc32, inflateRawSync } from "node:zlib";
import { inflatedTo } from "../../codec/inflated-reader.ts";

// The package of newer Solidworks files (since about 2015): streams one after the other, each after a marker; the directory is not
// needed (cadmpeg, docs/formats/sldprt.md, CC BY 4.0).

const MARKER = Buffer.from("140006000800", "hex");
/** After the marker: kind, CRC-32 of the content, stored and inflated size, length of the name. */
const HEAD_BYTES = 26;
const MAX_NAME_BYTES = 1024;

/** A stream of a package. */
export interface PackageStream {
  readonly name: string;
  /** Inflated size according to its head. */
  readonly size: number;
  /** Inflates it; undefined if size or checksum are wrong. */
  read(): Buffer | undefined;
}

/** Possible streams of a package. Cells of the index have the same marker: their content does not match their heads. */
export function* packageStreams(bytes: Buffer): Generator<PackageStream> {
  for (let at = bytes.indexOf(MARKER); at >= 0; at = bytes.indexOf(MARKER, at + 1)) {
    if (at + HEAD_BYTES > bytes.length) return;
    const [checksum, stored, size, nameBytes] = [10, 14, 18, 22].map((offset) => bytes.readUInt32LE(at + offset));
    const contentAt = at + HEAD_BYTES + nameBytes;
    if (nameBytes > MAX_NAME_BYTES || contentAt + stored > bytes.length) continue;
    const content = bytes.subarray(contentAt, contentAt + stored);
    yield {
      name: nameOf(bytes.subarray(at + HEAD_BYTES, contentAt)),
      size,
      read: () => inflated(content, size, checksum),
    };
  }
}

/** The halves of each byte of a name are swapped. */
const nameOf = (bytes: Buffer): string =>
  Buffer.from(bytes.map((byte) => ((byte << 4) & 0xff) | (byte >> 4))).toString("latin1");

function inflated(content: Buffer, size: number, checksum: number): Buffer | undefined {
  try {
    const whole = inflateRawSync(content, inflatedTo(size, content));
    return whole.length === size && crc32(whole) === checksum ? whole : undefined;
  } catch {
    return undefined;
  }
}
