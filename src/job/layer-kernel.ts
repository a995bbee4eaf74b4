import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { kernelInstance, kernelMemory } from "../wasm/kernel.ts";
import { type LayerExports, type LayerRoom, layerArrayBytes, layerInMemory } from "./layer-in-memory.ts";
import { WASM } from "./layer-kernel.wasm.ts";

/** A kernel with a layer in its memory. */
export interface LayerKernel {
  /**
   * Writes the filtered rows of the layer into `file` from byte `at` on, as one block of deflate, and returns the byte after it. The eight
   * bytes after it may be overwritten. `channels`: 1 for a byte in each pixel, 4 for opaque greys of four channels.
   */
  writePngRows(at: number, channels: Channels): number;
  /** The Adler-32 checksum of the filtered rows, as a signed integer. */
  checksum(): number;
  /**
   * Writes the layer of a `.goo` file into `file` from its beginning on, and returns the byte after it. `hasDifferences`: whether runs may
   * state the difference to the value before.
   */
  writeGooChunks(hasDifferences: boolean): number;
  /** Large enough for the block and for 1 KiB around it. */
  readonly file: Uint8Array;
}

type Channels = 1 | 4;

/** What the size of a layer's arrays depends on. */
interface LayerSize extends LayerRoom {
  readonly bytes: number;
}

const loadedFor = (size: LayerSize) => {
  const { file, ...sizes } = arraySizes(size);
  const { memory, offsets } = kernelMemory({ ...sizes, file }, "A layer has too many outlines: use simpler models.");
  const { file: fileAt, ...globals } = offsets;
  const { buffer } = memory;
  const exports = kernelInstance<Exports>({ name: "layer-kernel", wasm: WASM }, memory, globals);
  const kernel: LayerKernel = {
    writePngRows(at, channels) {
      if (channels === 4) {
        exports.filterRgbaRows();
        return exports.writeRgbaBlock(fileAt + at) - fileAt;
      }
      exports.filterRows();
      return exports.writeBlock(fileAt + at) - fileAt;
    },
    checksum: exports.checksum,
    writeGooChunks: (hasDifferences) => exports.writeGooChunks(fileAt, Number(hasDifferences)) - fileAt,
    file: new Uint8Array(buffer, fileAt, file),
  };
  return {
    size,
    kernel,
    setLayer: layerInMemory(exports, buffer, offsets, size),
  };
};

/** Reused from layer to layer. */
let loaded: ReturnType<typeof loadedFor> | undefined;

/** The kernel of this thread, with a layer in its memory, to encode pixels of so many bytes. The next layer overwrites it. */
export function layerKernel(layer: LayerRuns, channels: Channels = 1): LayerKernel {
  const { width, height, rowStarts } = layer;
  const runs = rowStarts[height];
  const bytes = channels * width * height;
  if (!loaded || loaded.size.rows < height || loaded.size.runs < runs || loaded.size.bytes < bytes) {
    // Layers of a job grow: twice the runs, so that few of them need new memory.
    loaded = loadedFor({ rows: height, runs: 2 * runs, bytes });
  }
  loaded.setLayer(layer);
  return loaded.kernel;
}

/** The exports of `layer-kernel.as.ts`. */
interface Exports extends LayerExports {
  filterRows(): void;
  writeBlock(at: number): number;
  filterRgbaRows(): void;
  writeRgbaBlock(at: number): number;
  checksum(): number;
  writeGooChunks(at: number, hasDifferences: number): number;
}

/** Symbols of the block's code, and of the code of its header (RFC 1951, sections 3.2.5 and 3.2.7). */
const SYMBOLS = 286;
const DISTANCE_SYMBOLS = 30;
const HEADER_SYMBOLS = 19;
/** Lengths of a code, and of a match with the byte before. */
const MAX_CODE_LENGTH = 15;
const MAX_MATCH = 258;

/**
 * Bytes of a run of equal pixels in a block: at most four literals of 15 bits, then two more or a match of at most 15 + 5 + 7 bits. A chunk of a
 * `.goo` file has at most five.
 */
const MAX_RUN_BYTES = 12;
/** Bytes of a match of {@link MAX_MATCH} bytes: a code of at most 15 bits, and one of 7 for the distance. */
const MAX_MATCH_BYTES = 3;
/** Bytes for the header of the block, at most 14 bits for each symbol, for what the kernel overwrites after it, and for the rest of the file. */
const MORE_BYTES = 2048;

/** Memory for the code of that many symbols: keys, weights and inner weights of 8 bytes, and the parents of the nodes of the tree, 2 bytes. */
export const codeScratchBytes = (symbols: number): number => 3 * 8 * symbols + 2 * 2 * symbols;

/** Bytes of each array in memory. */
function arraySizes(size: LayerSize) {
  const { rows, runs, bytes } = size;
  // Two runs for each row (its filter and its end) and two for each run of pixels.
  const byteRuns = 2 * (runs + rows);
  return {
    ...layerArrayBytes(size),
    runValues: byteRuns,
    runLengths: 4 * byteRuns,
    counts: 4 * SYMBOLS,
    codes: 2 * SYMBOLS,
    codeLengths: SYMBOLS,
    distanceCounts: 4 * DISTANCE_SYMBOLS,
    distanceCodes: 2 * DISTANCE_SYMBOLS,
    distanceLengths: DISTANCE_SYMBOLS,
    matches: 4 * (MAX_MATCH + 1),
    pixelMatches: 4 * (MAX_MATCH + 1),
    lastPlaces: 4 * 256,
    statedLengths: SYMBOLS + DISTANCE_SYMBOLS,
    headerRuns: 4 * (SYMBOLS + DISTANCE_SYMBOLS),
    headerCounts: 4 * HEADER_SYMBOLS,
    headerCodes: 2 * HEADER_SYMBOLS,
    headerLengths: HEADER_SYMBOLS,
    scratch: codeScratchBytes(SYMBOLS),
    nextCodes: 2 * (MAX_CODE_LENGTH + 2),
    file: MAX_RUN_BYTES * byteRuns + Math.ceil((MAX_MATCH_BYTES * (bytes + rows)) / MAX_MATCH) + MORE_BYTES,
  };
}
