import Module, { type ManifoldToplevel } from "manifold-3d";
import { assetBytes } from "../core/asset.ts";

export type ManifoldModule = ManifoldToplevel;

let loaded: Promise<ManifoldModule> | undefined;

/** Manifold (github.com/elalish/manifold) for 2D and 3D booleans, loaded at the first call in each thread. */
export function loadManifold(): Promise<ManifoldModule> {
  loaded ??= load().catch((thrown: unknown) => {
    loaded = undefined;
    throw thrown;
  });
  return loaded;
}

async function load(): Promise<ManifoldModule> {
  // `as unknown as`: the option of Emscripten for the module's bytes is missing in the types of the package.
  const options = { wasmBinary: assetBytes("manifold.wasm") } as unknown as Parameters<typeof Module>[0];
  const manifold = await Module(options);
  manifold.setup();
  return manifold;
}
