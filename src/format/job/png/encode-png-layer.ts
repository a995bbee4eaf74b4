import { CHUNK_FRAME_BYTES, endChunk, frameChunk, headerChunk, PNG_SIGNATURE } from "../../png/chunks.ts";
import type { LayerRuns } from "../layer-runs.ts";
import { adlerOf } from "./adler-of.ts";
import { byteLength, writeBits } from "./bit-list.ts";
import { deflateRuns } from "./deflate-runs.ts";
import { filterRows } from "./filter-rows.ts";

/** Deflate with a window of 32 KiB; the second byte makes the two a multiple of 31 (RFC 1950, section 2.2). */
const ZLIB_HEADER = [0x78, 0x01] as const;
const ADLER_BYTES = 4;

let scratch = new Uint8Array();

/**
 * The layer as a PNG file, 8-bit greyscale, good until the next layer is encoded. It goes from runs to codes and never draws
 * the pixels: its time follows the number of runs and rows.
 */
export function encodePngLayer(layer: LayerRuns): Uint8Array {
  const runs = filterRows(layer);
  const deflated = deflateRuns(runs);
  const header = headerChunk(layer.width, layer.height, "grey");
  const end = endChunk();
  const chunkAt = PNG_SIGNATURE.length + header.length;
  const dataAt = chunkAt + 8;
  const deflateAt = dataAt + ZLIB_HEADER.length;
  const adlerAt = deflateAt + byteLength(deflated);
  const dataBytes = adlerAt + ADLER_BYTES - dataAt;
  const endAt = chunkAt + CHUNK_FRAME_BYTES + dataBytes;
  const length = endAt + end.length;
  if (length > scratch.length) scratch = new Uint8Array(2 * length);
  const bytes = scratch.subarray(0, length);
  bytes.set(PNG_SIGNATURE, 0);
  bytes.set(header, PNG_SIGNATURE.length);
  bytes.set(ZLIB_HEADER, dataAt);
  writeBits(deflated, bytes, deflateAt);
  new DataView(scratch.buffer).setUint32(adlerAt, adlerOf(runs));
  frameChunk(bytes, chunkAt, "IDAT", dataBytes);
  bytes.set(end, endAt);
  return bytes;
}
