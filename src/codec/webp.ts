import { Buffer } from "node:buffer";
import encode, { init } from "@jsquash/webp/encode.js";
import { assetBytes } from "../core/asset.ts";
import type { Picture } from "./png.ts";

/** Keeps the lines of the platform's grid clean; a picture of 820 pixels takes about 20 kB. */
const QUALITY = 90;
/** Effort, 0 to 6. Above 2 only the time grows; 0 takes two thirds of the time of 2 and gives files 5 % larger. */
const METHODS = { still: 2, moving: 0 };

type Imports = ConstructorParameters<typeof WebAssembly.Instance>[1];

let ready: Promise<unknown> | undefined;

/** Encodes the picture as a lossy still WebP file; `moving`: as a frame of an animation. */
export async function encodeWebp({ width, height, rgba }: Picture, kind: keyof typeof METHODS): Promise<Uint8Array> {
  ready ??= start().catch((thrown: unknown) => {
    ready = undefined;
    throw thrown;
  });
  await ready;
  // The encoder reads only these members of the `ImageData` that its type requires.
  const image = { data: rgba, width, height } as Parameters<typeof encode>[0];
  return new Uint8Array(await encode(image, { quality: QUALITY, method: METHODS[kind] }));
}

/** Compiles the encoder, once per thread. Its SIMD build runs on every machine that the runtimes support. */
async function start(): Promise<unknown> {
  const module = await WebAssembly.compile(assetBytes("webp-encoder.wasm"));
  return init({
    instantiateWasm(imports: Imports, receive: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance);
      return instance.exports;
    },
  });
}

// Source: "WebP Container Specification", Google, and RFC 9649. Sizes are little-endian; a chunk of odd size is padded.

/** The animation bit of the VP8X chunk's flags. */
const ANIMATION = 0x02;
/** Flag of an ANMF chunk: the frame replaces the previous one, without blending. */
const DO_NOT_BLEND = 0x02;
const FILE_HEADER_BYTES = 12;

/**
 * An animated WebP file that loops forever, in pieces: those of the frames are not copied. `frames` are WebP files of one opaque
 * still picture each, all of the size of the canvas.
 */
export function* animatedWebp(
  frames: readonly Uint8Array[],
  width: number,
  height: number,
  frameMs: number,
): Generator<Uint8Array> {
  const header = Buffer.alloc(10);
  header[0] = ANIMATION;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const info = Buffer.alloc(16);
  info.writeUIntLE(width - 1, 6, 3);
  info.writeUIntLE(height - 1, 9, 3);
  info.writeUIntLE(frameMs, 12, 3);
  info[15] = DO_NOT_BLEND;
  // Background colour 0; loop count 0 loops forever.
  const chunks = [
    riffChunk("VP8X", [header]),
    riffChunk("ANIM", [Buffer.alloc(6)]),
    ...frames.map((frame) => riffChunk("ANMF", [info, bitstreamOf(frame)])),
  ];
  yield* riffChunk("RIFF", [Buffer.from("WEBP", "latin1"), ...chunks.flat()]);
}

/** The VP8 chunk, the only one in a file of an opaque lossy picture. */
const bitstreamOf = (file: Uint8Array): Uint8Array => file.subarray(FILE_HEADER_BYTES);

/** The pieces of a chunk with the given pieces of data. */
function riffChunk(type: string, data: readonly Uint8Array[]): readonly Uint8Array[] {
  const bytes = data.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(bytes, 4);
  return [head, ...data, Buffer.alloc(bytes % 2)];
}
