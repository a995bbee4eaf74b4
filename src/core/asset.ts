import { existsSync, readFileSync } from "node:fs";

/** Files of packages that are needed at run time: their names as assets, and where they lie in `node_modules`. */
export const PACKAGE_ASSETS = {
  "manifold.wasm": "manifold-3d/manifold.wasm",
  "occt-import-js.wasm": "occt-import-js/dist/occt-import-js.wasm",
  "webp-encoder.wasm": "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
  "DejaVuSans-Bold.ttf": "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf",
  // Goes wherever the font goes, as it demands.
  "DejaVu-LICENSE.txt": "dejavu-fonts-ttf/LICENSE",
} as const;

export type AssetName = keyof typeof PACKAGE_ASSETS;

/**
 * The bytes of an asset. The executable carries them all in a folder `assets` beside its modules; sources find them in
 * their packages.
 */
export function assetBytes(name: AssetName): Uint8Array<ArrayBuffer> {
  const places = [`assets/${name}`, `../../node_modules/${PACKAGE_ASSETS[name]}`];
  const urls = places.map((place) => new URL(place, import.meta.url));
  return new Uint8Array(readFileSync(urls.find((url) => existsSync(url)) ?? urls[0]));
}
