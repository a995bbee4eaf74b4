import { type PngFile, pngRowBytes } from "../../codec/png-reader.ts";
import { requireMemory } from "../../core/memory-budget.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { kernelInstance, kernelMemory } from "../../wasm/kernel.ts";
import { WASM } from "./png-runs.wasm.ts";

/** The exports of `png-runs.as.ts`. */
interface Exports {
  readonly packedBytes: WebAssembly.Global<"i32">;
  readonly rowBytes: WebAssembly.Global<"i32">;
  readonly columns: WebAssembly.Global<"i32">;
  readonly height: WebAssembly.Global<"i32">;
  readRuns(): number;
}

const DONE = 0;
const FULL = 2;

/** Bytes around deflated data (RFC 1950, section 2.2): method and flags before them, the checksum after them. */
const ZLIB_HEADER_BYTES = 2;
const ZLIB_FRAME_BYTES = 6;
/** What the kernel may read after the data. */
const PADDING_BYTES = 16;
const TABLE_BYTES = 2 ** 16;
/** Literals, distances, and the code of their lengths. */
const LENGTHS_BYTES = 288 + 32 + 19;
const MIN_RUNS = 2 ** 16;
const RUN_BYTES = 5;

/** What the memory has room for. */
interface Room {
  readonly packed: number;
  readonly rows: number;
  readonly runs: number;
}

const loadedFor = (room: Room) => {
  const sizes = {
    packed: room.packed + PADDING_BYTES,
    literalTable: TABLE_BYTES,
    distanceTable: TABLE_BYTES,
    lengths: LENGTHS_BYTES,
    rowStarts: 4 * (room.rows + 1),
    starts: 2 * room.runs,
    ends: 2 * room.runs,
    values: room.runs,
  };
  const { memory, offsets } = kernelMemory(
    sizes,
    "A layer of the job has too many outlines: slice it again with fewer models.",
  );
  const { buffer } = memory;
  return {
    room,
    exports: kernelInstance<Exports>({ name: "png-runs", wasm: WASM }, memory, { ...offsets, capacity: room.runs }),
    packed: new Uint8Array(buffer, offsets.packed, sizes.packed),
    runs: {
      rowStarts: new Uint32Array(buffer, offsets.rowStarts, room.rows + 1),
      starts: new Uint16Array(buffer, offsets.starts, room.runs),
      ends: new Uint16Array(buffer, offsets.ends, room.runs),
      values: new Uint8Array(buffer, offsets.values, room.runs),
    },
  };
};

/**
 * Reads pictures whose rows are runs in their deflated data already: those of this program, and of others that compress by runs alone. Takes
 * a fifth of the time of inflating all pixels. The checksum at the end of the data is not compared, because that of their chunk was.
 */
export class PngRunReader {
  #loaded: ReturnType<typeof loadedFor> | undefined;

  /**
   * The runs of the first `columns` bytes of each row, which the next picture overwrites. Undefined for a picture that has to be inflated,
   * or is damaged.
   */
  read(png: PngFile, columns: number): LayerRuns | undefined {
    const size = png.data.reduce((sum, { length }) => sum + length, 0);
    const packed = size - ZLIB_FRAME_BYTES;
    if (packed <= 0) return undefined;
    const { rows = 0, runs = MIN_RUNS, packed: most = 0 } = this.#loaded?.room ?? {};
    if (most < size || rows < png.height) {
      this.#loaded = loadedFor({ packed: Math.max(most, 2 * size), rows: Math.max(rows, png.height), runs });
    }
    for (;;) {
      const loaded = this.#loaded;
      if (!loaded || !fill(loaded.packed, png.data, size)) return undefined;
      const { exports } = loaded;
      exports.packedBytes.value = packed;
      exports.rowBytes.value = pngRowBytes(png);
      exports.columns.value = columns;
      exports.height.value = png.height;
      const status = exports.readRuns();
      if (status === DONE) return { width: columns, height: png.height, ...loaded.runs };
      if (status !== FULL) return undefined;
      const more = 2 * loaded.room.runs;
      requireMemory({
        bytes: RUN_BYTES * more,
        what: "A layer of the job",
        wayOut: "slice it again with fewer models",
      });
      this.#loaded = loadedFor({ ...loaded.room, runs: more });
    }
  }
}

/** Copies the pieces behind each other, without the first bytes, and zeros after them. Returns whether these bytes are those of zlib's deflate. */
function fill(target: Uint8Array, pieces: readonly Uint8Array[], size: number): boolean {
  let at = 0;
  for (const piece of pieces) {
    target.set(piece, at);
    at += piece.length;
  }
  const [method, flags] = target;
  target.copyWithin(0, ZLIB_HEADER_BYTES, size);
  target.fill(0, size - ZLIB_FRAME_BYTES, size + PADDING_BYTES);
  const needsDictionary = (flags & 0x20) !== 0;
  return (method & 15) === 8 && (256 * method + flags) % 31 === 0 && !needsDictionary;
}
