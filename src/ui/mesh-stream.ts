import { Buffer } from "node:buffer";
import { type Mesh, triangleCount, vertexCount } from "../mesh/mesh.ts";

const MAGIC = "PWM1";
const HEADER_BYTES = 12;
/** Bytes that are copied at a time, in less than a tenth of a millisecond. */
const PIECE_BYTES = 1 << 18;

/** The arrays of a mesh, little-endian: see `replies.ts`. It is made as the client takes it, without a copy of the whole. */
export function meshStream(mesh: Pick<Mesh, "vertices" | "triangles">): {
  readonly bytes: number;
  readonly stream: ReadableStream<Uint8Array>;
} {
  const pieces = piecesOf(mesh);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return { bytes: HEADER_BYTES + mesh.vertices.byteLength + mesh.triangles.byteLength, stream };
}

function* piecesOf(mesh: Pick<Mesh, "vertices" | "triangles">): Generator<Uint8Array, void> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, "latin1");
  header.writeUInt32LE(vertexCount(mesh), 4);
  header.writeUInt32LE(triangleCount(mesh), 8);
  yield header;
  for (const { buffer, byteOffset, byteLength } of [mesh.vertices, mesh.triangles]) {
    for (let at = 0; at < byteLength; at += PIECE_BYTES) {
      // Sockets do not take shared memory.
      yield Uint8Array.from(new Uint8Array(buffer, byteOffset + at, Math.min(PIECE_BYTES, byteLength - at)));
    }
  }
}
