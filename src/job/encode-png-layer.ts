import { deflateRawSync } from "node:zlib";
import { CHUNK_FRAME_BYTES, PNG_SIGNATURE, endChunk, frameChunk, headerChunk } from "../codec/png.ts";
import { type PackedContent, deflated, stored } from "../codec/zip-writer.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { layerKernel } from "./layer-kernel.ts";
import { reversedTriples } from "./reversed-triples.ts";

/**
 * Deflate needs at least two bits per 258 pixels of a run, so that even an empty layer takes kilobytes of a repeated pattern.
 * A second pass at the fastest level reduces it to between a fifth and four fifths.
 */
const SECOND_PASS_LEVEL = 1;

/**
 * Large pictures with four channels have a second pass only if it reduces bytes in their middle below this share: it takes longer than encoding
 * them, and reduces most by a sixth, but those of repeated parts to a quarter.
 */
const WORTHWHILE_SHARE = 0.8;
const SAMPLE_BYTES = 2 ** 16;

/** The layer as a PNG file, as the entry of a zip archive: deflated again where that pays. */
export function packedPngLayer(layer: LayerRuns, colour?: PngColour): PackedContent {
  const png = encodePngLayer(layer, colour);
  return colour === "rgba" && !isWorthASecondPass(png) ? stored([png.slice()]) : deflated([png], SECOND_PASS_LEVEL);
}

function isWorthASecondPass(png: Uint8Array): boolean {
  if (png.length < 4 * SAMPLE_BYTES) return true;
  const middle = (png.length - SAMPLE_BYTES) >> 1;
  const sample = png.subarray(middle, middle + SAMPLE_BYTES);
  return deflateRawSync(sample, { level: SECOND_PASS_LEVEL }).length < WORTHWHILE_SHARE * SAMPLE_BYTES;
}

type PngColour = "grey" | "rgb" | "bgr" | "rgba";

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
 * `rgba`: opaque greys with 8 bits a channel, for programs that read no other pictures; at most 16,383 columns.
 */
export function encodePngLayer(layer: LayerRuns, colour: PngColour = "grey"): Uint8Array {
  const channels = colour === "rgba" ? 4 : 1;
  const rows = ROWS[colour](layer);
  const kernel = layerKernel(rows.bytes, channels);
  const header = headerChunk(rows.width, layer.height, colour === "bgr" ? "rgb" : colour);
  const end = endChunk();
  const chunkAt = PNG_SIGNATURE.length + header.length;
  const dataAt = chunkAt + 8;
  const adlerAt = kernel.writePngRows(dataAt + ZLIB_HEADER.length, channels);
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

/** The bytes of the rows as runs, of `rgba` the pixels, and the pixels of a row. */
interface PngRows {
  readonly bytes: LayerRuns;
  readonly width: number;
}

const ROWS: Readonly<Record<PngColour, (layer: LayerRuns) => PngRows>> = {
  grey: (layer) => ({ bytes: layer, width: layer.width }),
  rgb(layer) {
    const width = Math.ceil(layer.width / 3);
    return { bytes: { ...layer, width: 3 * width }, width };
  },
  bgr: (layer) => ROWS.rgb(reversedTriples(layer)),
  rgba: (layer) => ({ bytes: layer, width: layer.width }),
};
