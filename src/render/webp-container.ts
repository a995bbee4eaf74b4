import { Buffer } from "node:buffer";

// Source: "WebP Container Specification", Google, and RFC 9649. Sizes are little-endian; a chunk of odd size is padded.

/** Bit of the VP8X chunk's flags that tells of an animation. */
const ANIMATION = 0x02;
/** Of an ANMF chunk: the frame covers what was there, without blending. */
const DO_NOT_BLEND = 0x02;
const FILE_HEADER_BYTES = 12;

/**
 * An animated WebP file that plays without end. `frames` are whole WebP files of one still picture each, all of the
 * size of the canvas and without transparency.
 */
export function animatedWebp(
  frames: readonly Uint8Array[],
  width: number,
  height: number,
  frameMs: number,
): Uint8Array {
  const header = Buffer.alloc(10);
  header[0] = ANIMATION;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  // Background colour 0 and loop count 0: without end.
  const chunks = [riffChunk("VP8X", header), riffChunk("ANIM", Buffer.alloc(6))];
  for (const frame of frames) {
    const info = Buffer.alloc(16);
    info.writeUIntLE(width - 1, 6, 3);
    info.writeUIntLE(height - 1, 9, 3);
    info.writeUIntLE(frameMs, 12, 3);
    info[15] = DO_NOT_BLEND;
    chunks.push(riffChunk("ANMF", Buffer.concat([info, bitstreamOf(frame)])));
  }
  return riffChunk("RIFF", Buffer.concat([Buffer.from("WEBP", "latin1"), ...chunks]));
}

/** The chunk of a still picture's file: an encoder of opaque lossy pictures writes no other. */
const bitstreamOf = (file: Uint8Array): Uint8Array => file.subarray(FILE_HEADER_BYTES);

function riffChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
