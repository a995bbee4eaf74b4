import Module, { type ManifoldToplevel } from "manifold-3d";
import { assetBytes } from "../../core/asset.ts";

export type BooleanKernel = ManifoldToplevel;

let kernel: Promise<BooleanKernel> | undefined;

/** Manifold (github.com/elalish/manifold), loaded once per thread, when it is first needed. */
export function booleanKernel(): Promise<BooleanKernel> {
  kernel ??= load().catch((thrown: unknown) => {
    kernel = undefined;
    throw thrown;
  });
  return kernel;
}

async function load(): Promise<BooleanKernel> {
  // Emscripten takes the module's bytes; the package's types know only where to look for its file.
  const options = { wasmBinary: assetBytes("manifold.wasm") } as unknown as Parameters<typeof Module>[0];
  const loaded = await Module(options);
  loaded.setup();
  return loaded;
}
