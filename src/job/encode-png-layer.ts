import { CHUNK_FRAME_BYTES, PNG_SIGNATURE, endChunk, frameChunk, headerChunk } from "../codec/png.ts";
import { type PackedContent, deflated } from "../codec/zip-writer.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";
import { layerKernel } from "./layer-kernel.ts";
import { reversedTriples } from "./reversed-triples.ts";
import { rgbaDifferences } from "./rgba-differences.ts";

/**
 * Deflate needs at least two bits per 258 pixels of a run, so that even an empty layer takes kilobytes of a repeated pattern.
 * A second pass at the fastest level reduces it to between a fifth and four fifths.
 */
const SECOND_PASS_LEVEL = 1;

/** The layer as a PNG file, deflated again as the entry of a zip archive. */
export const packedPngLayer = (layer: LayerRuns, colour?: PngColour): PackedContent =>
  deflated([encodePngLayer(layer, colour)], SECOND_PASS_LEVEL);

type PngColour = "grey" | "rgb" | "bgr" | "rgba";

// PNG (Third Edition), section 9.2.
const [NONE, SUB] = [0, 1];

/** Deflate with a window of 32 KiB; the second byte makes both together a multiple of 31 (RFC 1950, section 2.2). */
const ZLIB_HEADER = [0x78, 0x01] as const;
const ADLER_BYTES = 4;

/**
 * The layer as a PNG file, 8-bit greyscale by default; the next layer overwrites it. Runs are encoded directly, without an array of pixels, in time
 * proportional to the number of runs and rows. The loops over them are a kernel in AssemblyScript (`layer-kernel.as.ts`), which takes
 * a quarter of the time.
 *
 * `rgb`: 8 bits of red, green and blue, which are three columns of the layer from left to right, for panels whose pixels have no colours of
 * their own. The bytes of a row are those of the grey picture, except that columns are added on the right up to a multiple of three.
 * `bgr`: as `rgb`, with the columns from right to left.
 * `rgba`: opaque greys with 8 bits a channel, for programs that read no other pictures; at most {@link MAX_RGBA_COLUMNS} columns.
 */
export function encodePngLayer(layer: LayerRuns, colour: PngColour = "grey"): Uint8Array {
  const rows = ROWS[colour](layer);
  const kernel = layerKernel(rows.bytes);
  const header = headerChunk(rows.width, layer.height, colour === "bgr" ? "rgb" : colour);
  const end = endChunk();
  const chunkAt = PNG_SIGNATURE.length + header.length;
  const dataAt = chunkAt + 8;
  const adlerAt = kernel.writePngRows(dataAt + ZLIB_HEADER.length, rows.filter);
  const dataBytes = adlerAt + ADLER_BYTES - dataAt;
  const endAt = chunkAt + CHUNK_FRAME_BYTES + dataBytes;
  const bytes = kernel.file.subarray(0, endAt + end.length);
  bytes.set(PNG_SIGNATURE, 0);
  bytes.set(header, PNG_SIGNATURE.length);
  bytes.set(ZLIB_HEADER, dataAt);
  new DataView(bytes.buffer, bytes.byteOffset).setInt32(adlerAt, kernel.checksum());
  frameChunk(bytes, chunkAt, "IDAT", dataBytes);
  bytes.set(end, endAt);
  return bytes;
}

/** The bytes of the rows as runs, the filter that they have, and the pixels of a row. */
interface PngRows {
  readonly bytes: LayerRuns;
  readonly filter: number;
  readonly width: number;
}

const ROWS: Readonly<Record<PngColour, (layer: LayerRuns) => PngRows>> = {
  grey: (layer) => ({ bytes: layer, filter: NONE, width: layer.width }),
  rgb(layer) {
    const width = Math.ceil(layer.width / 3);
    return { bytes: { ...layer, width: 3 * width }, filter: NONE, width };
  },
  bgr: (layer) => ROWS.rgb(reversedTriples(layer)),
  rgba: (layer) => ({ bytes: rgbaDifferences(layer), filter: SUB, width: layer.width }),
};
