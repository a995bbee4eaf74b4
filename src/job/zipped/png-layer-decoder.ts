import { type PngFile, PNG_CHANNELS, readPng, readPngRows } from "../../codec/png-reader.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { reversedTriples } from "../reversed-triples.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { PngRunReader } from "./png-runs.ts";

/** What a pixel of the picture holds: one column of the layer, or three, from left to right as these colours. */
export type PixelColumns = "GREY" | "RGB" | "BGR";

/** Columns of the layer in a pixel of the picture. */
export const COLUMNS_PER_PIXEL = { GREY: 1, RGB: 3, BGR: 3 } as const satisfies Record<PixelColumns, number>;

/** Makes the runs of layers from PNG pictures, row by row, so that no picture is in memory. */
export class PngLayerDecoder {
  readonly #columns: number;
  readonly #rows: number;
  readonly #order: PixelColumns;
  readonly #refuse: ErrorFactory;
  readonly #builder: RunsBuilder;
  readonly #runReader = new PngRunReader();

  /** `pixels`: columns and rows of the layers. Pictures of another size are refused with the error of `refuse`. */
  constructor(pixels: readonly [columns: number, rows: number], order: PixelColumns, refuse: ErrorFactory) {
    [this.#columns, this.#rows] = pixels;
    [this.#order, this.#refuse] = [order, refuse];
    this.#builder = new RunsBuilder(...pixels, refuse);
  }

  /** The runs are overwritten by the next layer. */
  async decode(file: Uint8Array): Promise<LayerRuns> {
    const png = readPng(file, this.#refuse);
    const width = Math.ceil(this.#columns / COLUMNS_PER_PIXEL[this.#order]);
    if (png.width !== width || png.height !== this.#rows) {
      throw this.#refuse(
        `one of its pictures has ${png.width} × ${png.height} pixels instead of ${width} × ${this.#rows}; slice the job again`,
      );
    }
    const runs = this.#readRuns(png);
    if (runs) return runs;
    const columnsOf = columnReader(png, this.#order, this.#refuse);
    const builder = this.#builder;
    builder.begin();
    await readPngRows(png, this.#refuse, (row, equalsAbove) => {
      if (equalsAbove) builder.repeatRow();
      else addRow(builder, columnsOf(row), this.#columns);
    });
    return builder.finish();
  }

  /** The layer, if its runs can be read without inflating the picture. */
  #readRuns(png: PngFile): LayerRuns | undefined {
    if (!isPlain(png, this.#order)) return undefined;
    if (this.#order !== "BGR") return this.#runReader.read(png, this.#columns);
    const runs = this.#runReader.read(png, 3 * png.width);
    return runs && cut(reversedTriples(runs), this.#columns);
  }
}

/** Whether each byte of a row is a column. */
const isPlain = ({ colour, bits }: PngFile, order: PixelColumns): boolean =>
  bits === 8 && colour === (order === "GREY" ? "GREY" : "RGB");

/** The layer without the columns that were added on its right; undefined where these are not empty. */
function cut(layer: LayerRuns, width: number): LayerRuns | undefined {
  const { height, rowStarts, ends } = layer;
  for (let row = 0; row < height; row++) {
    const end = rowStarts[row + 1];
    if (end > rowStarts[row] && ends[end - 1] > width) return undefined;
  }
  return { ...layer, width };
}

/** Adds the runs of a row. Whole words are compared: most runs are long. */
function addRow(builder: RunsBuilder, row: Uint8Array, width: number): void {
  const words = new Int32Array(row.buffer, row.byteOffset, width >> 2);
  for (let start = 0; start < width;) {
    const value = row[start];
    let end = start + 1;
    while (end < width && (end & 3) !== 0 && row[end] === value) end++;
    if ((end & 3) === 0) {
      const word = Math.imul(value, 0x01010101);
      while (end >> 2 < words.length && words[end >> 2] === word) end += 4;
      while (end < width && row[end] === value) end++;
    }
    builder.add(value, end - start);
    start = end;
  }
}

type ReadColumns = (row: Uint8Array) => Uint8Array;

/** The function that makes the values of the columns from the bytes of a row. Its result begins at a whole word. */
function columnReader(png: PngFile, order: PixelColumns, refuse: ErrorFactory): ReadColumns {
  if (order !== "GREY") {
    if (png.colour === "RGB") return order === "RGB" ? (row) => row : reversedColours(3 * png.width);
    throw refuse("one of its pictures has no colours, each of which is a column of pixels; slice the job again");
  }
  if (PNG_CHANNELS[png.colour] > 1) return greyOfColours(png.width, PNG_CHANNELS[png.colour]);
  if (png.colour === "GREY" && png.bits === 8) return (row) => row;
  return valuesOfLevels(png);
}

function reversedColours(size: number): ReadColumns {
  const columns = new Uint8Array(size);
  return (row) => {
    for (let x = 0; x < size; x += 3) {
      columns[x] = row[x + 2];
      columns[x + 1] = row[x + 1];
      columns[x + 2] = row[x];
    }
    return columns;
  };
}

/** The luma of red, green and blue, which leaves greys unchanged (ITU-R BT.601, in 256ths). Opacity is ignored. */
const lumaOf = (red: number, green: number, blue: number): number => (77 * red + 150 * green + 29 * blue) >> 8;

function greyOfColours(width: number, channels: number): ReadColumns {
  const columns = new Uint8Array(width);
  return (row) => {
    for (let x = 0, at = 0; x < width; x++, at += channels) {
      columns[x] = channels > 2 ? lumaOf(row[at], row[at + 1], row[at + 2]) : row[at];
    }
    return columns;
  };
}

/** For pixels of 1, 2, 4 or 8 bits that are levels of grey, or indices of a palette. Indices beyond the palette are black. */
function valuesOfLevels({ width, bits, colour, palette }: PngFile): ReadColumns {
  const greatest = 2 ** bits - 1;
  const valueOf = Uint8Array.from({ length: greatest + 1 }, (_, level) =>
    colour === "GREY"
      ? (255 * level) / greatest
      : lumaOf(palette[3 * level] ?? 0, palette[3 * level + 1] ?? 0, palette[3 * level + 2] ?? 0),
  );
  const perByte = 8 / bits;
  const columns = new Uint8Array(width);
  return (row) => {
    for (let x = 0; x < width; x++) {
      const shift = 8 - bits - bits * (x % perByte);
      columns[x] = valueOf[(row[Math.floor(x / perByte)] >> shift) & greatest];
    }
    return columns;
  };
}
