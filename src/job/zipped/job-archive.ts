import * as v from "valibot";
import type { FileSource } from "../../codec/file-source.ts";
import { readError } from "../../codec/file-source.ts";
import { PNG_HEADER_BYTES, type PngHeader, readPngHeader } from "../../codec/png-reader.ts";
import { type ZipReader, openZip } from "../../codec/zip-reader.ts";
import { ApiError, type ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { JobPicture } from "../job-reader.ts";
import { COLUMNS_PER_PIXEL, type PixelColumns, PngLayerDecoder } from "./png-layer-decoder.ts";
import { readPngPicture } from "./read-png-picture.ts";

/** Settings have kilobytes, lists of layers and G-code some hundred bytes for each layer. */
const MAX_TEXT_BYTES = 64 * 2 ** 20;
const MAX_PICTURE_BYTES = 32 * 2 ** 20;
/** Greatest compression ratio of deflate (https://zlib.net/zlib_tech.html). */
const MAX_RATIO = 1032;

/** Whether a file begins like a zip archive and has one of these extensions. */
export const isZip = (head: Uint8Array, extension: string, extensions: readonly string[]): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && extensions.includes(extension);

export interface ReadPictures {
  readonly thumbnails: readonly JobPicture[];
  readonly warnings: readonly string[];
}

/** An open zip archive of a job: PNG layers, and texts that describe them. Methods throw the error of `refuse`, or those of `ZipReader`. */
export class JobArchive {
  readonly refuse: ErrorFactory;
  readonly #zip: ZipReader;

  private constructor(zip: ZipReader, refuse: ErrorFactory) {
    [this.#zip, this.refuse] = [zip, refuse];
  }

  /** Opens the archive for `read`, and closes it if that throws. */
  static async open<Job>(source: FileSource, read: (archive: JobArchive) => Promise<Job>): Promise<Job> {
    const archive = new JobArchive(await openZip(source.path), (why) => readError(source, why));
    try {
      return await read(archive);
    } catch (thrown) {
      archive.close();
      throw thrown;
    }
  }

  /** Names of the files, in the archive's order. */
  get names(): string[] {
    return [...this.#zip.entries.keys()];
  }

  has(name: string): boolean {
    return this.#zip.entries.has(name);
  }

  /** The content of a file, of which `maxBytes` are accepted. */
  bytes(name: string, maxBytes: number): Promise<Uint8Array> {
    return this.#read(name, maxBytes);
  }

  async text(name: string, maxBytes = MAX_TEXT_BYTES): Promise<string> {
    return new TextDecoder().decode(await this.#read(name, maxBytes));
  }

  /** The content of a JSON file, of which `maxBytes` are accepted. */
  async json<Schema extends v.GenericSchema>(
    name: string,
    schema: Schema,
    maxBytes = MAX_TEXT_BYTES,
  ): Promise<v.InferOutput<Schema>> {
    const result = v.safeParse(schema, this.#parsed(name, await this.text(name, maxBytes)), { abortEarly: true });
    if (result.success) return result.output;
    const [issue] = result.issues;
    const key = v.getDotPath(issue) ?? "The content";
    throw this.refuse(`${key} in ${name} inside it is wrong (${issue.message}); slice the job again`);
  }

  #parsed(name: string, text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw this.refuse(`${name} inside it is no JSON; take another copy of it, or slice the job again`);
    }
  }

  /**
   * Names of layers: all files called `prefix`, a number in any number of digits, and `.png`, by their numbers, which begin with `first` and
   * leave none out.
   */
  numberedLayers(prefix: string, first: number): string[] {
    const numbered = this.names.flatMap((name): [number, string][] => {
      const digits = name.startsWith(prefix) && /^(\d{1,9})\.png$/.exec(name.slice(prefix.length));
      return digits ? [[Number(digits[1]), name]] : [];
    });
    const sorted = numbered.toSorted(([a], [b]) => a - b);
    if (sorted.length === 0) throw this.refuse("it has no layers; slice the job again");
    const gap = sorted.findIndex(([number], k) => number !== k + first);
    if (gap >= 0) throw this.refuse(`layer ${gap + 1} is missing inside it; slice the job again`);
    return sorted.map(([, name]) => name);
  }

  /** The first bytes of a file, at most `count`. */
  async start(name: string, count: number): Promise<Uint8Array> {
    let start = new Uint8Array();
    for await (const chunk of this.#zip.chunks(name, Infinity)) {
      start = Uint8Array.from([...start, ...chunk.subarray(0, count - start.length)]);
      if (start.length >= count) break;
    }
    return start;
  }

  /** The header of a PNG file. */
  async pngHeader(name: string): Promise<PngHeader> {
    return readPngHeader(await this.start(name, PNG_HEADER_BYTES), this.refuse);
  }

  /** A function that decodes the layer of a name. `pixels`: columns and rows of each. */
  layerDecoder(
    pixels: readonly [columns: number, rows: number],
    order: PixelColumns,
  ): (name: string) => Promise<LayerRuns> {
    const decoder = new PngLayerDecoder(pixels, order, this.refuse);
    const [columns, rows] = pixels;
    // Four channels, the filters, and the frame of stored blocks.
    const maxBytes = 2 ** 16 + 1.01 * rows * (4 * Math.ceil(columns / COLUMNS_PER_PIXEL[order]) + 1);
    return async (name) => decoder.decode(await this.#read(name, maxBytes));
  }

  /** The previews of these names that are in the archive. One that cannot be read is a warning. */
  async pictures(names: readonly string[]): Promise<ReadPictures> {
    const thumbnails: JobPicture[] = [];
    const warnings: string[] = [];
    for (const name of names.filter((one) => this.has(one))) {
      try {
        thumbnails.push(await readPngPicture(await this.#read(name, MAX_PICTURE_BYTES), this.refuse));
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        warnings.push(`The preview ${JSON.stringify(name)} was left out: ${thrown.message}`);
      }
    }
    return { thumbnails, warnings };
  }

  close(): void {
    this.#zip.close();
  }

  async #read(name: string, maxBytes: number): Promise<Uint8Array> {
    return this.#zip.read(name, Math.min(maxBytes, MAX_RATIO * this.#zip.size));
  }
}
