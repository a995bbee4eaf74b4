import { Buffer } from "node:buffer";
import { type Mesh, triangleCount, vertexCount } from "../mesh/mesh.ts";

const MAGIC = "PWM1";
const HEADER_BYTES = 12;
/** Number of bytes copied at a time; one copy takes less than 0.1 ms. */
const PIECE_BYTES = 1 << 18;

/**
 * Streams a mesh in the format `PWM1` (see `replies.ts`). Pieces are copied when the client reads them, so that the whole mesh is never
 * copied at once. `bytes` is the total length.
 */
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
      // The copy is needed because sockets do not accept shared memory.
      yield Uint8Array.from(new Uint8Array(buffer, byteOffset + at, Math.min(PIECE_BYTES, byteLength - at)));
    }
  }
}
