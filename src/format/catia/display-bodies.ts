import type { Buffer } from "node:buffer";
import type { Progress } from "../../core/progress.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type Triples, newTriangles } from "../triples.ts";

// The display meshes in the main stream of a Catia V5 part: for each body a table of vertices, and a packet of triangles, strips and fans
// for each face. Decoded from files of Catia V5; recognised by their consistent numbers.

/** A vertex table begins after these bytes: the number of vertices, the number of normals, a zero, and two bits for each vertex. */
const TABLE_HEAD = "020001";
/** Number of coordinates stored for a vertex, by its two bits; the others are those of the previous vertex. */
const STORED = [3, undefined, 1, 2] as const;
/** First byte of a packet; its kind follows. */
const PACKET = 0x01;
const PACKET_KIND = 0x40;
const HAS_TRIANGLES = 1;
const HAS_STRIPS = 2;
const HAS_FANS = 4;
const HAS_NORMAL = 8;
/** Bytes after the last packet of a closed body, and of a sheet. */
const CLOSED_END = "300404ff";
const SHEET_END = "200404ff";
/** Between the vertices and the packets are normals of this size, and little else. */
const NORMAL_BYTES = 8;
const MOST_BETWEEN = 4096;
/** No part is farther from the origin, mm: larger numbers are not coordinates. */
const MAX_MM = 1e6;

export interface DisplayBody {
  /** Millimetres. */
  readonly surface: Surface;
  /** A sheet bounds no solid. */
  readonly isClosed: boolean;
  /** Greatest distance of the mesh from the body; undefined if the file does not state it. */
  readonly sagMm: number | undefined;
}

/** The bodies in a stream. Before each surface is made, `claim` gets the total numbers of facets and vertices up to now. */
export function findBodies(
  stream: Buffer,
  claim: (facets: number, vertices: number) => void,
  progress: Progress,
): DisplayBody[] {
  const bodies: DisplayBody[] = [];
  let [facets, points] = [0, 0];
  for (let at = stream.indexOf(TABLE_HEAD, 0, "hex"); at >= 0;) {
    progress.report(at / stream.length);
    const table = vertexTableAt(stream, at + TABLE_HEAD.length / 2);
    const faces = table && facesAfter(stream, table);
    if (table && faces) {
      facets += faces.triangles.count;
      points += table.vertices.length / 3;
      claim(facets, points);
      const surface = { vertices: table.vertices, triangles: faces.triangles.toArray() };
      bodies.push({ surface, isClosed: faces.isClosed, sagMm: faces.sagMm });
    }
    at = stream.indexOf(TABLE_HEAD, faces?.end ?? at + 1, "hex");
  }
  return bodies;
}

/** A count is one byte, or ff and four. `end` is NaN beyond the end of the stream. */
function countAt(stream: Buffer, at: number): { readonly count: number; readonly end: number } {
  if (at < stream.length && stream[at] !== 0xff) return { count: stream[at], end: at + 1 };
  return at + 5 <= stream.length ? { count: stream.readUInt32LE(at + 1), end: at + 5 } : { count: NaN, end: NaN };
}

interface VertexTable {
  readonly vertices: Float32Array;
  readonly normals: number;
  readonly end: number;
}

function vertexTableAt(stream: Buffer, at: number): VertexTable | undefined {
  const { count, end } = countAt(stream, at);
  const codesAt = end + 5;
  const codesEnd = codesAt + Math.ceil(count / 4);
  if (!(count >= 3 && codesEnd < stream.length) || stream[codesAt - 1] !== 0) return undefined;
  const storedOf = (vertex: number): number =>
    STORED[(stream[codesAt + (vertex >> 2)] >> (2 * (vertex & 3))) & 3] ?? NaN;
  let needed = 0;
  for (let vertex = 0; vertex < count; vertex++) needed += storedOf(vertex);
  const { count: stored, end: valuesAt } = countAt(stream, codesEnd);
  if (stored !== needed || valuesAt + 4 * stored > stream.length || storedOf(0) !== 3) return undefined;
  const vertices = new Float32Array(3 * count);
  let from = valuesAt;
  for (let vertex = 0; vertex < count; vertex++) {
    const skipped = 3 - storedOf(vertex);
    for (let axis = 0; axis < 3; axis++) {
      const isStored = axis >= skipped;
      vertices[3 * vertex + axis] = isStored ? stream.readFloatLE(from) : vertices[3 * (vertex - 1) + axis];
      if (isStored) from += 4;
    }
  }
  if (!vertices.every((value) => Math.abs(value) < MAX_MM)) return undefined;
  return { vertices, normals: stream.readUInt32LE(end), end: from };
}

type Triangles = Triples<Uint32Array<ArrayBuffer>>;

interface Faces {
  readonly triangles: Triangles;
  readonly isClosed: boolean;
  readonly sagMm: number | undefined;
  readonly end: number;
}

/** The sag is stored this number of bytes before the first packet. */
const SAG_BEFORE = 9;
/** No display mesh is coarser, millimetres. */
const MAX_SAG_MM = 100;

/** The packets after a vertex table; they follow one another without gaps up to one of the two ends. */
function facesAfter(stream: Buffer, { vertices, normals, end }: VertexTable): Faces | undefined {
  const last = Math.min(stream.length - 2, end + NORMAL_BYTES * normals + MOST_BETWEEN);
  for (let at = end; at < last; at++) {
    if (stream[at] !== PACKET || (stream[at + 1] & 0xf0) !== PACKET_KIND) continue;
    const faces = packetsAt(stream, at, vertices.length / 3);
    if (!faces) continue;
    const sagMm = at - SAG_BEFORE < end ? NaN : stream.readFloatLE(at - SAG_BEFORE);
    return { ...faces, sagMm: sagMm > 0 && sagMm < MAX_SAG_MM ? Number(sagMm.toPrecision(3)) : undefined };
  }
  return undefined;
}

function packetsAt(stream: Buffer, start: number, vertices: number): Omit<Faces, "sagMm"> | undefined {
  const triangles = newTriangles();
  let at = start;
  for (;;) {
    const tail = stream.toString("hex", at, at + 4);
    if (at > start && (tail === CLOSED_END || tail === SHEET_END)) {
      return { triangles, isClosed: tail === CLOSED_END, end: at };
    }
    const end = readPacket(stream, at, vertices, triangles);
    if (end === undefined) return undefined;
    at = end;
  }
}

/** Adds the triangles of the packet at an offset and returns the offset of its end; undefined if its numbers are inconsistent. */
function readPacket(stream: Buffer, start: number, vertices: number, triangles: Triangles): number | undefined {
  if (start + 2 > stream.length || stream[start] !== PACKET) return undefined;
  const kind = stream[start + 1];
  if ((kind & 0xf0) !== PACKET_KIND || (kind & (HAS_TRIANGLES | HAS_STRIPS | HAS_FANS)) === 0) return undefined;
  let at = start + 2;
  const next = (): number => {
    const { count, end } = countAt(stream, at);
    at = end;
    return count;
  };
  const [singles, strips, fans] = [HAS_TRIANGLES, HAS_STRIPS, HAS_FANS].map((bit) => ((kind & bit) === 0 ? 0 : next()));
  if (stream[at] !== 0xff) return undefined;
  const corners = next();
  if (kind & HAS_NORMAL) at += 12;
  if (!(corners <= stream.length && strips + fans <= corners)) return undefined;
  const lengths = Array.from({ length: strips + fans }, next);
  const width = vertices < 2 ** 8 ? 1 : vertices < 2 ** 16 ? 2 : 3;
  const total = lengths.reduce((sum, length) => sum + length, 3 * singles);
  if (total !== corners || !(at + width * corners <= stream.length)) return undefined;
  const end = at + width * corners;
  for (let place = at; place < end; place += width) if (stream.readUIntBE(place, width) >= vertices) return undefined;
  let from = at;
  const corner = (i: number): number => stream.readUIntBE(from + width * i, width);
  for (let i = 0; i < singles; i++, from += 3 * width) triangles.push(corner(0), corner(1), corner(2));
  for (const [i, length] of lengths.entries()) {
    for (let k = 2; k < length; k++) {
      // Every second triangle of a strip is flipped.
      const [a, b] = i >= strips ? [0, k - 1] : k % 2 === 0 ? [k - 2, k - 1] : [k - 1, k - 2];
      triangles.push(corner(a), corner(b), corner(k));
    }
    from += width * length;
  }
  return end;
}
