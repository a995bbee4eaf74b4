import type { ErrorFactory } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { ensureCapacity } from "../core/typed-arrays.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { LineScanner, lineBlocks } from "../codec/line-scanner.ts";
import type { ModelFile, ModelReader } from "./model-reader.ts";
import { claimModelSize, requireModelSize } from "./model-size.ts";
import { strokeWarnings, unreadFields } from "./message-names.ts";
import { readNearOrigin } from "./near-origin.ts";
import { PolygonCollector } from "./polygon-collector.ts";
import { type FileSource, readError } from "../codec/file-source.ts";
import { withFileSource } from "./model-source.ts";

/** First letter of "BINARY", which follows the first word. */
const LETTER_B = 0x42;
/** The rest of the progress is for triangulating polygons. */
const PARSE_SHARE = 0.9;

/**
 * OFF (Geomview, "OFF File Format"), as text: numbers of vertices, faces and edges; the vertices; the faces, each starting with its
 * number of corners. Normals, colours and texture coordinates, which prefixes of the first word announce, are ignored. The format has
 * no unit.
 */
export const offReader: ModelReader = {
  async read(file, options, progress) {
    return withFileSource(file, (source) =>
      readNearOrigin(options, progress, (share, origin) => parseOff(source, share, origin)),
    );
  },
};

function parseOff(source: FileSource, progress: Progress, origin?: Vec3): ModelFile {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const scanner = new LineScanner(source, origin ? "double" : "single");
  const parser = new OffParser(scanner, source, origin);
  for (const block of lineBlocks(source, progress.part(0, PARSE_SHARE))) {
    scanner.open(block);
    while (!scanner.atBlockEnd()) {
      if (scanner.toWord() && !scanner.atComment()) parser.parseLine();
      scanner.toNextLine();
    }
    requireModelSize(parser.collector.size, refuse);
  }
  parser.requireAll();
  const surface = parser.collector.toSurface(progress.part(PARSE_SHARE, 1));
  if (surface.triangles.length === 0) throw refuse("it has no faces; export the model again as a mesh");
  return {
    parts: [{ index: 0, surface }],
    ...unreadFields([], strokeWarnings(parser.strokes)),
  };
}

/** Parses the lines of the file that are not empty. */
class OffParser {
  readonly collector: PolygonCollector;
  #counts: { readonly vertices: number; readonly faces: number } | undefined;
  readonly strokes = new Set<string>();
  #faces = 0;
  #hasHead = false;
  #corners = new Uint32Array(8);
  readonly #scanner: LineScanner;
  readonly #source: FileSource;

  constructor(scanner: LineScanner, source: FileSource, origin?: Vec3) {
    this.collector = new PolygonCollector(origin);
    this.#scanner = scanner;
    this.#source = source;
  }

  parseLine(): void {
    if (!this.#hasHead) this.#parseHead();
    else if (!this.#counts) this.#parseCounts();
    else if (this.collector.vertexCount < this.#counts.vertices) this.#parseVertex();
    else if (this.#faces < this.#counts.faces) this.#parseFace();
  }

  /** Throws OPERATION_FAILED if the file has fewer vertices or faces than its counts announce. */
  requireAll(): void {
    if (!this.#counts) throw readError(this.#source, "it is no OFF file, or was cut short; export the model again");
    const { vertices, faces } = this.#counts;
    if (this.collector.vertexCount < vertices || this.#faces < faces) {
      throw readError(
        this.#source,
        `it announces ${vertices} vertices and ${faces} faces, but ends after ${this.collector.vertexCount} and ${this.#faces}; ` +
          "it was cut short; export the model again",
      );
    }
  }

  /**
   * The first word, which may be missing, with its prefixes for more data. The counts may be on its line, and a comment may follow it
   * without a blank.
   */
  #parseHead(): void {
    const scanner = this.#scanner;
    const start = scanner.at;
    scanner.skipWord();
    const [word] = String.fromCharCode(...scanner.bytes.subarray(start, Math.min(scanner.at, start + 16))).split("#");
    this.#hasHead = true;
    if (/^\d+$/.test(word)) {
      scanner.at = start;
      return this.#parseCounts();
    }
    scanner.at = start + word.length;
    const hasMore = scanner.toWord() && !scanner.atComment();
    if (!/^(?:ST|C|N)*OFF$|^c?off$/.test(word) || (hasMore && scanner.bytes[scanner.at] === LETTER_B)) {
      throw readError(
        this.#source,
        "it does not begin like an OFF file of points in space (binary and four-dimensional ones are not read); export the model again",
      );
    }
    if (hasMore) this.#parseCounts();
  }

  #parseCounts(): void {
    const [vertices, faces] = [this.#count("vertices"), this.#count("faces")];
    claimModelSize(this.#source.path, { facets: faces, vertices, parts: 1 }, (why) => readError(this.#source, why));
    this.#counts = { vertices, faces };
  }

  #count(what: string): number {
    const value = this.#scanner.toWord() ? this.#scanner.integer() : NaN;
    if (!(value >= 0)) throw this.#scanner.refuse(`the number of ${what} is missing`);
    return value;
  }

  #parseVertex(): void {
    this.collector.addVertex(this.#scanner.coordinate(), this.#scanner.coordinate(), this.#scanner.coordinate());
  }

  #parseFace(): void {
    const { vertexCount } = this.collector;
    const count = this.#count("corners of a face");
    for (let i = 0; i < count; i++) {
      const start = this.#scanner.toWord() ? this.#scanner.at : -1;
      const index = start < 0 ? NaN : this.#scanner.integer();
      if (!(index >= 0 && index < vertexCount)) {
        const what = start < 0 ? "a missing corner" : this.#scanner.quote(start);
        throw this.#scanner.refuse(
          `a face of ${count} corners names ${what}, and the file has ${vertexCount} vertices`,
        );
      }
      this.#corners = ensureCapacity(this.#corners, i + 1);
      this.#corners[i] = index;
    }
    this.#faces++;
    if (count >= 3) this.collector.addFace(this.#corners, count);
    else this.strokes.add(count === 2 ? "lines" : "points");
  }
}
