import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import type { ErrorFactory } from "../../core/api-error.ts";
import { ByteReader } from "../../codec/byte-reader.ts";
import { trianglesOfStrip, writeStrip } from "../triangle-strips.ts";
import { readMk1Packet } from "./int32-packet-mk1.ts";
import { type RoundedSurface, TRI_STRIP_LOD, roundingOf } from "./tri-strip-shape.ts";

// Shapes of JT 8: the starts of triangle strips, and their vertices, plain or quantised (Siemens, "JT File Format Reference" 8.1,
// "Vertex based shape compressed rep data").

/** Codes of a direction: octant of the sphere, sextant of that, and two angles. */
const NORMAL_PACKETS = 4;
const MAX_BITS = 32;
const MAX_RAW_BYTES = 2 ** 30;

/** The mesh of a shape segment. `claim` gets the numbers of facets and vertices before they are made. */
export function readTriStripShape8(
  content: Buffer,
  claim: (facets: number, vertices: number) => void,
  refuse: ErrorFactory,
): RoundedSurface {
  const reader = new ByteReader(content, refuse);
  reader.skip(4);
  if (reader.guid() !== TRI_STRIP_LOD) throw refuse("a shape in it is none of triangle strips; export it as STEP");
  // A kind, a version, bindings, and how things are quantised; then two versions.
  reader.skip(1 + 2 + 4 + 4 + 2 + 2);
  const bindings = { hasNormals: reader.u8() !== 0, hasTextures: reader.u8() !== 0, hasColours: reader.u8() !== 0 };
  const vertexBits = reader.u8();
  reader.skip(3);
  const starts = readMk1Packet(reader, "stride1", refuse);
  const { vertices, corners, rounding } =
    vertexBits === 0 ? readPlainVertices(reader, bindings, refuse) : readQuantisedVertices(reader, bindings, refuse);
  const isRising = starts.every((start, i) => start >= 0 && start <= (starts[i + 1] ?? corners.length));
  const vertexCount = vertices.length / 3;
  if (!isRising || !corners.every((corner) => corner >= 0 && corner < vertexCount)) throw damaged(refuse);
  if (!vertices.every(Number.isFinite)) throw damaged(refuse);
  const strips = Array.from(starts, (start, i) => corners.subarray(start, starts[i + 1] ?? corners.length));
  const facets = strips.reduce((sum, strip) => sum + trianglesOfStrip(strip.length), 0);
  claim(facets, vertexCount);
  const triangles = new Uint32Array(3 * facets);
  let at = 0;
  for (const strip of strips) at = writeStrip(triangles, at, strip);
  return { vertices, triangles, rounding };
}

const damaged = (refuse: ErrorFactory): Error => refuse("the strips of a shape in it are damaged; export it again");

interface Bindings {
  readonly hasNormals: boolean;
  readonly hasTextures: boolean;
  readonly hasColours: boolean;
}

interface StripVertices {
  readonly vertices: Float64Array;
  /** The vertices of all strips, one after the other. */
  readonly corners: Int32Array;
  readonly rounding: number;
}

/** Single precision; the coordinates follow the other attributes of a vertex. Compressed unless the stored size is negative. */
function readPlainVertices(reader: ByteReader, bindings: Bindings, refuse: ErrorFactory): StripVertices {
  const bytes = reader.u32();
  const stored = reader.i32();
  const before = (bindings.hasTextures ? 2 : 0) + (bindings.hasColours ? 3 : 0) + (bindings.hasNormals ? 3 : 0);
  const packed = reader.take(Math.abs(stored));
  const raw = stored < 0 ? packed : inflated(packed, Math.min(bytes, MAX_RAW_BYTES), refuse);
  const stride = 4 * (before + 3);
  if (raw.length !== bytes || bytes % stride !== 0) throw damaged(refuse);
  const vertices = new Float64Array((3 * bytes) / stride);
  for (let i = 0; i < vertices.length; i++) {
    vertices[i] = raw.readFloatLE(Math.floor(i / 3) * stride + 4 * (before + (i % 3)));
  }
  return { vertices, corners: Int32Array.from({ length: vertices.length / 3 }, (_, i) => i), rounding: 0 };
}

function inflated(packed: Buffer, bytes: number, refuse: ErrorFactory): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch {
    throw damaged(refuse);
  }
}

/** Codes of coordinates count from 0 over a range. After them come the normals, and the vertex of each corner of a strip. */
function readQuantisedVertices(reader: ByteReader, bindings: Bindings, refuse: ErrorFactory): StripVertices {
  if (bindings.hasTextures || bindings.hasColours) {
    throw refuse("a shape in it has quantised colours or textures, which are not read; export it without, or as STEP");
  }
  const ranges = [0, 1, 2].map(() => ({ least: reader.f32s(1)[0], most: reader.f32s(1)[0], bits: reader.u8() }));
  const count = reader.u32();
  const steps = ranges.map(({ least, most, bits }) => (most - least) / (2 ** bits - 1));
  if (!steps.every(Number.isFinite)) throw damaged(refuse);
  const axes = ranges.map(({ least, bits }, axis) => {
    const codes = readMk1Packet(reader, "lag1", refuse);
    if (codes.length !== count || bits > MAX_BITS) throw damaged(refuse);
    return Float64Array.from(codes, (code) => least + (code >>> 0) * steps[axis]);
  });
  if (bindings.hasNormals) {
    reader.skip(1 + 4);
    for (let i = 0; i < NORMAL_PACKETS; i++) readMk1Packet(reader, "lag1", refuse);
  }
  const vertices = new Float64Array(3 * count);
  for (let i = 0; i < vertices.length; i++) vertices[i] = axes[i % 3][Math.floor(i / 3)];
  return { vertices, corners: readMk1Packet(reader, "strip-index", refuse), rounding: roundingOf(steps) };
}
