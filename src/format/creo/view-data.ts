import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { growArray, releaseArrays, shrinkArray } from "../../core/typed-arrays.ts";
import { VertexWelder } from "../../mesh/welder.ts";
import { ByteReader } from "../../codec/byte-reader.ts";
import { inflatedTo } from "../../codec/inflated-reader.ts";
import { trianglesOfStrip, writeStrip } from "../triangle-strips.ts";

// The view data that Creo stores with a part ("OL", as of Creo View): compressed blocks of records with points, levels of detail and triangle
// strips. Decoded from parts of Creo 3.0.

const SIGNATURE = "DIV-OL";
/** Offset of the table, after the signature and its version: a number, the number of rows, and the rows with the kind and the start of each block. */
const TABLE_AT = 14;

/** Types of records: points with normals, the level of detail of the following records, and a triangle strip. */
const POINTS = 0x0100_0016;
const LEVEL = 0x0100_0017;
const STRIP = 0x1a;

/** A point and its normal, single precision. */
const POINT_BYTES = 24;
/** Size on the screen up to which the finest level is shown; other levels are coarser, or boxes. */
const FINEST = 16;
/** No part is farther from the origin, metres: larger numbers are not coordinates. */
const MAX_METRES = 1000;
const MAX_BLOCK_BYTES = 2 ** 30;
/** Range of the compression ratio of view data, measured: 2 to 6. */
const USUAL_RATIO = 8;

/** The surface in the view data of a part, in metres, with each point once. `claim` gets the bytes that blocks will take. */
export function readViewData(
  section: Buffer,
  claim: (bytes: number) => void,
  refuse: ErrorFactory,
  progress: Progress,
): Surface {
  if (!section.toString("latin1", 0, SIGNATURE.length).startsWith(SIGNATURE)) {
    throw refuse("its view data are of a version that is not known here; in PTC Creo, save a copy as STEP");
  }
  const table = new ByteReader(section, refuse, TABLE_AT);
  table.skip(4);
  const rows = table.u32();
  const data = new ViewData(refuse);
  let inflatedBytes = 0;
  for (let row = 1; row <= rows; row++) {
    progress.report(row / rows);
    table.skip(4);
    const start = table.u32();
    // The last row states the end of the last block.
    if (row === rows) break;
    const packed = section.subarray(start, new ByteReader(section, refuse, table.at + 4).u32());
    claim(inflatedBytes + USUAL_RATIO * packed.length);
    const block = inflated(packed, refuse);
    inflatedBytes += block.length;
    data.add(block);
    // Small buffers share their memory with others.
    if (block.buffer.byteLength > Buffer.poolSize) releaseArrays(block);
  }
  return data.surface();
}

/** Gzip data end with the number of bytes to which they inflate (RFC 1952, 2.3.1). */
const SIZE_BYTES = 4;

function inflated(packed: Buffer, refuse: ErrorFactory): Buffer {
  const size = packed.length < SIZE_BYTES ? 0 : packed.readUInt32LE(packed.length - SIZE_BYTES);
  try {
    // The size may be wrong.
    return gunzipSync(packed, {
      ...inflatedTo(Math.min(size, MAX_BLOCK_BYTES), packed),
      maxOutputLength: MAX_BLOCK_BYTES,
    });
  } catch {
    throw refuse("its view data are damaged; in PTC Creo, save it again, or save a copy as STEP");
  }
}

/** Collects the points and the finest strips of blocks. */
class ViewData {
  readonly #refuse: ErrorFactory;
  readonly #welder = new VertexWelder(0);
  /** x, y, z of the points of the current list, and their vertices. */
  #points = new Float32Array(0);
  #vertices = new Uint32Array(0);
  #pointCount = 0;
  /** Vertices of the current strip. */
  #corners = new Uint32Array(0);
  #triangles = new Uint32Array(0);
  #triangleEnd = 0;

  constructor(refuse: ErrorFactory) {
    this.#refuse = refuse;
  }

  add(block: Buffer): void {
    const reader = new ByteReader(block, this.#refuse);
    let isFinest = false;
    while (reader.left >= 8) {
      const tag = reader.u32();
      // Zeros end lists, and are padding.
      if (tag === 0) continue;
      const end = reader.u32() + reader.at;
      if (tag === POINTS) {
        reader.skip(1);
        const count = reader.u32();
        this.#addPoints(block, reader.skip(count * POINT_BYTES), count);
      } else if (tag === LEVEL) {
        reader.skip(4);
        isFinest = reader.f32() === FINEST;
      } else if (tag === STRIP && isFinest && this.#pointCount > 0) {
        const bytes = end - reader.at;
        this.#addStrip(block, reader.skip(bytes), bytes >> 2);
      }
      reader.skip(end - reader.at);
    }
  }

  surface(): Surface {
    return { vertices: this.#welder.takeVertices(), triangles: shrinkArray(this.#triangles, this.#triangleEnd) };
  }

  /** Begins a list of points with normals. */
  #addPoints(block: Buffer, at: number, count: number): void {
    this.#points = growArray(this.#points, 3 * count);
    this.#vertices = growArray(this.#vertices, count);
    for (let i = 0; i < 3 * count; i++) {
      const metres = block.readFloatLE(at + POINT_BYTES * Math.floor(i / 3) + 4 * (i % 3));
      if (!(Math.abs(metres) < MAX_METRES)) throw this.#damaged("hold coordinates that are none");
      this.#points[i] = metres;
    }
    this.#welder.add(this.#points, count, this.#vertices, 0);
    this.#pointCount = count;
  }

  #addStrip(block: Buffer, at: number, length: number): void {
    this.#corners = growArray(this.#corners, length);
    for (let i = 0; i < length; i++) {
      const corner = block.readUInt32LE(at + 4 * i);
      if (corner >= this.#pointCount) throw this.#damaged("name points that are not there");
      this.#corners[i] = this.#vertices[corner];
    }
    this.#triangles = growArray(this.#triangles, this.#triangleEnd + 3 * trianglesOfStrip(length));
    this.#triangleEnd = writeStrip(this.#triangles, this.#triangleEnd, this.#corners, 0, length);
  }

  #damaged(what: string): Error {
    return this.#refuse(`its view data ${what}; in PTC Creo, save it again, or save a copy as STEP`);
  }
}
