import type { ErrorFactory } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { ensureCapacity } from "../core/typed-arrays.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { Surface } from "../mesh/mesh.ts";
import { LineScanner, lineBlocks, wordCode } from "../codec/line-scanner.ts";
import type { ModelFile, ModelReader } from "./model-reader.ts";
import { type ModelSize, claimModelBytes, claimModelSize, requireModelSize } from "./model-size.ts";
import { strokeWarnings, unreadFields } from "./message-names.ts";
import { readNearOrigin } from "./near-origin.ts";
import { PolygonCollector } from "./polygon-collector.ts";
import { type FileSource, readError } from "../codec/file-source.ts";
import { withFileSource } from "./model-source.ts";

/**
 * Wavefront OBJ (Advanced Visualizer manual, appendix B1): vertices and faces of all objects and groups are one part, named after the
 * first object with a name. Textures and normals are ignored; free-form surfaces, lines, points and curves too, with a warning,
 * because they are missing in the result. The format has no unit.
 */
export const objReader: ModelReader = {
  async read(file, options, progress) {
    return withFileSource(file, (source) =>
      readNearOrigin(options, progress, (share, origin) => parseObj(source, share, origin)),
    );
  },
};

const VERTEX = wordCode("v");
const FACE = wordCode("f");
const OBJECT = wordCode("o");
const FREE_FORM_SURFACE = wordCode("surf");
/** Keywords of elements without facets. */
const STROKES: ReadonlyMap<number, string> = new Map(
  Object.entries({ p: "points", l: "lines", curv: "curves" }).map(([word, what]) => [wordCode(word), what]),
);
/** The rest of the progress is for triangulating polygons, which starts when all vertices are known. */
const PARSE_SHARE = 0.9;
/** Most memory of the import per byte of text, for files that state a vertex in 30 bytes and a facet in 20. */
const BYTES_PER_FILE_BYTE = 2;

const FREE_FORM =
  "The file has free-form surfaces, which are not read: they are missing. Export the model as a mesh if it should have them.";

function parseObj(source: FileSource, progress: Progress, origin?: Vec3): ModelFile {
  const refuse: ErrorFactory = (why) => readError(source, why);
  claimModelBytes(source.path, BYTES_PER_FILE_BYTE * source.size);
  const scanner = new LineScanner(source, origin ? "double" : "single");
  const parser = new ObjParser(scanner, origin);
  for (const block of lineBlocks(source, progress.part(0, PARSE_SHARE))) {
    scanner.open(block);
    while (!scanner.atBlockEnd()) {
      if (scanner.toWord() && !scanner.atComment()) parser.parseLine();
      scanner.toNextLine();
    }
    requireModelSize(parser.size, refuse);
  }
  claimModelSize(source.path, parser.size, refuse);
  const surface = parser.toSurface(progress.part(PARSE_SHARE, 1));
  if (surface.triangles.length === 0) {
    const what = parser.hasFreeForm
      ? "it has free-form surfaces, but no faces"
      : "it has no faces, or is not an OBJ file";
    throw refuse(`${what}; export the model again as a mesh`);
  }
  return {
    parts: [{ index: 0, ...(parser.name !== undefined && { name: parser.name }), surface }],
    ...unreadFields([], [...(parser.hasFreeForm ? [FREE_FORM] : []), ...strokeWarnings(parser.strokes)]),
  };
}

/** Parses the lines of the file. */
class ObjParser {
  /** Name of the first object that has one. */
  name: string | undefined;
  hasFreeForm = false;
  readonly strokes = new Set<string>();
  readonly #collector: PolygonCollector;
  #corners = new Uint32Array(8);
  /** The highest vertex that a face uses, and the line of that face, which may precede its vertices. */
  #highest = -1;
  #highestLine = 0;
  readonly #scanner: LineScanner;

  constructor(scanner: LineScanner, origin?: Vec3) {
    this.#collector = new PolygonCollector(origin);
    this.#scanner = scanner;
  }

  /** Parses the line whose first word is next in the scanner. */
  parseLine(): void {
    const word = this.#scanner.word();
    switch (word) {
      case VERTEX:
        // A weight or a colour after x, y, z is ignored.
        return this.#collector.addVertex(
          this.#scanner.coordinate(),
          this.#scanner.coordinate(),
          this.#scanner.coordinate(),
        );
      case FACE:
        return this.#parseFace();
      case OBJECT:
        this.name ??= this.#scanner.name();
        return;
      case FREE_FORM_SURFACE:
        this.hasFreeForm = true;
        return;
      default: {
        const stroke = STROKES.get(word);
        if (stroke !== undefined) this.strokes.add(stroke);
      }
    }
  }

  get size(): ModelSize {
    return this.#collector.size;
  }

  toSurface(progress: Progress): Surface {
    const { vertexCount } = this.#collector;
    if (this.#highest >= vertexCount) {
      const why = `a face uses vertex ${this.#highest + 1}, but the file has ${vertexCount}`;
      throw this.#scanner.refuse(why, this.#highestLine);
    }
    return this.#collector.toSurface(progress);
  }

  #parseFace(): void {
    let count = 0;
    while (this.#scanner.toWord() && !this.#scanner.atComment()) {
      this.#corners = ensureCapacity(this.#corners, count + 1);
      this.#corners[count++] = this.#vertexIndex();
    }
    if (count < 3) throw this.#scanner.refuse(`a face has ${count} corners instead of at least 3`);
    this.#collector.addFace(this.#corners, count);
  }

  /** The vertex index of a corner in the form vertex, vertex/texture, vertex//normal or vertex/texture/normal. */
  #vertexIndex(): number {
    const start = this.#scanner.at;
    const number = this.#scanner.integer();
    this.#scanner.skipWord();
    const index = number < 0 ? this.#collector.vertexCount + number : number - 1;
    if (!(index >= 0)) throw this.#scanner.refuse(`${this.#scanner.quote(start)} in a face names no vertex`);
    if (index > this.#highest) {
      this.#highest = index;
      this.#highestLine = this.#scanner.line;
    }
    return index;
  }
}
