import encode, { init } from "@jsquash/webp/encode.js";
import { assetBytes } from "../core/asset.ts";
import type { Picture } from "./item.ts";

/** Lines of the grid stay clean, and a picture of 820 pixels takes some 20 kB. */
const QUALITY = 90;
/** Effort, from 0 to 6. Beyond 2 only time grows; 0 takes two thirds of the time of 2 for files 5 % larger. */
const METHODS = { still: 2, moving: 0 };

type Imports = ConstructorParameters<typeof WebAssembly.Instance>[1];

let ready: Promise<unknown> | undefined;

/** A lossy still WebP file of the picture, which stands alone or is one of a moving one. */
export async function encodeWebp({ width, height, rgba }: Picture, kind: keyof typeof METHODS): Promise<Uint8Array> {
  ready ??= start().catch((thrown: unknown) => {
    ready = undefined;
    throw thrown;
  });
  await ready;
  const image = { data: rgba, width, height } as Parameters<typeof encode>[0];
  return new Uint8Array(await encode(image, { quality: QUALITY, method: METHODS[kind] }));
}

/** Compiled once per thread. Every machine that the runtimes support has the wide instructions of this build. */
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
