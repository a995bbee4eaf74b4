import encode, { init } from "@jsquash/webp/encode.js";
import { assetBytes } from "../core/asset.ts";
import type { Picture } from "./item.ts";

/** Lines of the grid stay clean, and a picture of 820 pixels takes some 20 kB. Beyond method 2 only time grows. */
const OPTIONS = { quality: 90, method: 2 };

type Imports = ConstructorParameters<typeof WebAssembly.Instance>[1];

let ready: Promise<unknown> | undefined;

/** A lossy still WebP file of the picture. */
export async function encodeWebp({ width, height, rgba }: Picture): Promise<Uint8Array> {
  ready ??= start().catch((thrown: unknown) => {
    ready = undefined;
    throw thrown;
  });
  await ready;
  return new Uint8Array(await encode({ data: rgba, width, height } as Parameters<typeof encode>[0], OPTIONS));
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
