import type { ErrorFactory } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { ensureCapacity } from "../core/typed-arrays.ts";
import { ORIGIN, type Vec3 } from "../geometry/vector.ts";
import type { Surface } from "../mesh/mesh.ts";
import { VertexWelder } from "../mesh/welder.ts";
import { LineScanner, lineBlocks, wordCode } from "../codec/line-scanner.ts";
import type { FilePart, ModelReader } from "./model-reader.ts";
import { type ModelSize, claimModelSize, requireModelSize } from "./model-size.ts";
import { readNearOrigin } from "./near-origin.ts";
import { type FileSource, readError, readExactly } from "../codec/file-source.ts";
import { withFileSource } from "./model-source.ts";

/**
 * STL, binary and ASCII (3D Systems, 1989). The format has no unit. A binary file may begin with "solid" too, but up to
 * 150 million facets at least one of the four bytes of its facet count is a control character, which no text contains.
 */
export const stlReader: ModelReader = {
  async read(file, options, progress) {
    return withFileSource(file, (source) => {
      if (source.size === 0) throw readError(source, "it is empty; export the model again");
      const head = new Uint8Array(Math.min(source.size, HEAD_BYTES + FACET_BYTES));
      readExactly(source, head, 0);
      if (isAscii(head)) {
        return readNearOrigin(options, progress, (share, origin) => ({
          parts: [{ index: 0, ...readAscii(source, share, origin) }],
        }));
      }
      const parts = [{ index: 0, surface: readBinary(source, head, progress) }];
      const unread = facetsBehind(source, head);
      return { parts, ...(unread > 0 && { warnings: [unreadFacets(unread)] }) };
    });
  },
};

/** The start of an ASCII file, after a byte order mark or blanks. */
const ASCII_START = /^(\xef\xbb\xbf)?\s*solid\s/i;

const isAscii = (head: Uint8Array): boolean =>
  ASCII_START.test(new TextDecoder("latin1").decode(head)) && !head.some(isControl);

/** Control characters other than blanks and line ends. */
const isControl = (byte: number): boolean => byte < 0x09 || (byte > 0x0d && byte < 0x20) || byte === 0x7f;

/** A header of 80 bytes without meaning, and the number of facets. */
const HEAD_BYTES = 84;
/** Normal and three corners in single precision, and two bytes of attributes, little-endian. */
const FACET_BYTES = 50;
/** Facets per read, few enough to stay in the cache. */
const BINARY_BATCH_FACETS = 20_000;
const NORMAL_BYTES = 12;
const CORNER_FLOATS = 9;

const announcedFacets = (head: Uint8Array): number => new DataView(head.buffer, head.byteOffset).getUint32(80, true);

/** How many facets the bytes after the announced ones would hold; 0 if they are no multiple of a facet. */
function facetsBehind(source: FileSource, head: Uint8Array): number {
  const facets = (source.size - HEAD_BYTES) / FACET_BYTES - announcedFacets(head);
  return Number.isInteger(facets) ? facets : 0;
}

const unreadFacets = (count: number): string =>
  `The file is longer by ${count} facets than its header announces, which are not read. If something is missing, export the model again.`;

/** Reads as many facets as the head of a binary STL file states; bytes after them are ignored. */
function readBinary(source: FileSource, head: Uint8Array, progress: Progress): Surface {
  if (head.length < HEAD_BYTES) {
    throw readError(source, "it is not an STL file, or was cut short; export the model again");
  }
  const count = announcedFacets(head);
  if (count === 0) throw readError(source, "it has no facets; export the model again");
  const whole = Math.max(0, Math.floor((source.size - HEAD_BYTES) / FACET_BYTES));
  if (whole < count) {
    throw readError(
      source,
      `its header announces ${count} facets, but it ends after ${whole}; ` +
        "it was cut short or is not an STL file; export the model again",
    );
  }
  claimModelSize(source.path, { facets: count, vertices: count / 2, parts: 1 }, (why) => readError(source, why));
  const triangles = ensureCapacity(new Uint32Array(0), 3 * count);
  const welder = new VertexWelder(count / 2);
  const bytes = new Uint8Array(FACET_BYTES * Math.min(count, BINARY_BATCH_FACETS));
  const points = new Float32Array(CORNER_FLOATS * Math.min(count, BINARY_BATCH_FACETS));
  for (let first = 0; first < count; first += BINARY_BATCH_FACETS) {
    const batch = Math.min(count - first, BINARY_BATCH_FACETS);
    readExactly(source, bytes.subarray(0, FACET_BYTES * batch), HEAD_BYTES + FACET_BYTES * first);
    copyCorners(bytes, points, batch);
    welder.add(points, 3 * batch, triangles, 3 * first);
    progress.report((first + batch) / count);
  }
  const vertices = welder.takeVertices();
  const broken = firstNotFinite(vertices);
  if (broken >= 0) {
    const facet = Math.floor(triangles.indexOf(Math.floor(broken / 3)) / 3) + 1;
    throw readError(
      source,
      `facet ${facet} of ${count} has a coordinate that is not a finite number; export the model again`,
    );
  }
  return { vertices, triangles };
}

/** Copies the corners of facets. Facets start at odd multiples of 2 bytes, so numbers are assembled from 16-bit halves. */
function copyCorners(bytes: Uint8Array<ArrayBuffer>, points: Float32Array<ArrayBuffer>, facets: number): void {
  const halves = new Uint16Array(bytes.buffer);
  const bits = new Int32Array(points.buffer);
  let to = 0;
  for (let facet = 0; facet < facets; facet++) {
    const from = (FACET_BYTES * facet + NORMAL_BYTES) / 2;
    for (let half = from; half < from + 2 * CORNER_FLOATS; half += 2) {
      bits[to++] = halves[half] | (halves[half + 1] << 16);
    }
  }
}

function firstNotFinite(values: Float32Array): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}

const SOLID = wordCode("solid");
const FACET = wordCode("facet");
const NORMAL = wordCode("normal");
const OUTER = wordCode("outer");
const LOOP = wordCode("loop");
const VERTEX = wordCode("vertex");
const END_LOOP = wordCode("endloop");
const END_FACET = wordCode("endfacet");
const END_SOLID = wordCode("endsolid");

const ASCII_BATCH_FACETS = 4096;
/** Bytes per facet in a compact file: an estimate of the number of facets. */
const ASCII_FACET_BYTES = 160;

type ParserState = "outside" | "solid" | "facet";

/**
 * Reads all solids of an ASCII STL file as one part, named after the first solid with a name. Ignores lines between solids, words
 * after the end of a loop or facet, normals, and a missing end of the last solid; throws with the line number for a facet without
 * three corners.
 */
function readAscii(source: FileSource, progress: Progress, origin?: Vec3): Omit<FilePart, "index"> {
  const scanner = new LineScanner(source, origin ? "double" : "single");
  const expectedFacets = Math.ceil(source.size / ASCII_FACET_BYTES);
  const refuse: ErrorFactory = (why) => readError(source, why);
  claimModelSize(source.path, { facets: expectedFacets, vertices: expectedFacets / 2, parts: 1 }, refuse);
  const parser = new AsciiParser(scanner, expectedFacets, origin);
  for (const block of lineBlocks(source, progress)) {
    scanner.open(block);
    while (!scanner.atBlockEnd()) {
      while (scanner.toWord()) parser.parseWord();
      scanner.toNextLine();
    }
    requireModelSize(parser.size, refuse);
  }
  const surface = parser.toSurface();
  if (surface.triangles.length === 0) throw readError(source, "it has no facets; export the model again");
  return { ...(parser.name !== undefined && { name: parser.name }), surface };
}

/** Keywords that must not be skipped together with the words that some programs write after the end of a loop or facet. */
const MEANINGFUL = /\b(?:facet|normal|outer|loop|vertex|endloop|endfacet|endsolid)\b/i;

/** Collects facets from the words of the file. */
class AsciiParser {
  /** Name of the first solid that has one. */
  name: string | undefined;
  #state: ParserState = "outside";
  /** The line in which a loop or facet ended last. */
  #lastEndLine = 0;
  /** Number of corners of the current facet. */
  #corners = 0;
  /** Corners of the facets that are not yet welded, the current one last. */
  readonly #points = new Float32Array(CORNER_FLOATS * ASCII_BATCH_FACETS);
  #pending = 0;
  #triangles = new Uint32Array(0);
  #facets = 0;
  readonly #welder: VertexWelder;
  readonly #scanner: LineScanner;
  readonly #origin: Vec3;

  /** `origin` is subtracted from each corner, before it is rounded to single precision. */
  constructor(scanner: LineScanner, expectedFacets: number, origin: Vec3 = ORIGIN) {
    this.#scanner = scanner;
    this.#origin = origin;
    this.#welder = new VertexWelder(expectedFacets / 2);
  }

  get size(): ModelSize {
    return { facets: this.#facets + this.#pending, vertices: 0, parts: 1 };
  }

  toSurface(): Surface {
    if (this.#state === "facet") throw this.#scanner.refuse("the file ends in the middle of a facet");
    this.#weldPending();
    return { vertices: this.#welder.takeVertices(), triangles: this.#triangles.slice(0, 3 * this.#facets) };
  }

  /** Parses the next word of the scanner, and the numbers that follow it. */
  parseWord(): void {
    const start = this.#scanner.at;
    const word = this.#scanner.word();
    const isExpected = this.#state === "facet" ? this.#parseInFacet(word) : this.#parseBetweenFacets(word);
    if (isExpected) return;
    const quote = this.#scanner.quote(start);
    if (this.#lastEndLine !== this.#scanner.line || MEANINGFUL.test(this.#scanner.name() ?? "")) {
      throw this.#scanner.refuse(`${quote} does not belong there in an STL file`);
    }
  }

  #parseInFacet(word: number): boolean {
    switch (word) {
      case VERTEX:
        this.#parseCorner();
        return true;
      case END_FACET:
        if (this.#corners < 3) throw this.#scanner.refuse(`a facet has ${this.#corners} corners instead of 3`);
        this.#state = "solid";
        this.#lastEndLine = this.#scanner.line;
        if (++this.#pending === ASCII_BATCH_FACETS) this.#weldPending();
        return true;
      case NORMAL:
        this.#skipNormal();
        return true;
      case END_LOOP:
        this.#lastEndLine = this.#scanner.line;
        return true;
      default:
        return word === OUTER || word === LOOP;
    }
  }

  #parseBetweenFacets(word: number): boolean {
    if (word === FACET) {
      this.#state = "facet";
      this.#corners = 0;
    } else if (word === SOLID) {
      this.#state = "solid";
      const name = this.#scanner.name();
      this.name ??= name;
    } else if (word === END_SOLID || this.#state === "outside") {
      this.#state = "outside";
      this.#scanner.name();
    } else return false;
    return true;
  }

  #parseCorner(): void {
    if (this.#corners === 3) throw this.#scanner.refuse("a facet has more than 3 corners");
    const at = CORNER_FLOATS * this.#pending + 3 * this.#corners++;
    this.#points[at] = this.#scanner.coordinate() - this.#origin[0];
    this.#points[at + 1] = this.#scanner.coordinate() - this.#origin[1];
    this.#points[at + 2] = this.#scanner.coordinate() - this.#origin[2];
  }

  /** Normals are redundant, and some programs write "nan" for them. */
  #skipNormal(): void {
    for (let i = 0; i < 3 && this.#scanner.toWord(); i++) this.#scanner.skipWord();
  }

  #weldPending(): void {
    this.#triangles = ensureCapacity(this.#triangles, 3 * (this.#facets + this.#pending));
    this.#welder.add(this.#points, 3 * this.#pending, this.#triangles, 3 * this.#facets);
    this.#facets += this.#pending;
    this.#pending = 0;
  }
}
