import { existsSync, readFileSync } from "node:fs";

/** Files of packages that are needed at run time: asset name → path in `node_modules`. */
export const PACKAGE_ASSETS = {
  "manifold.wasm": "manifold-3d/manifold.wasm",
  "occt-import-js.wasm": "occt-import-js/dist/occt-import-js.wasm",
  "rhino3dm.wasm": "rhino3dm/rhino3dm.wasm",
  "webp-encoder.wasm": "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
  "DejaVuSans-Bold.ttf": "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf",
  // The licence must accompany the font.
  "DejaVu-LICENSE.txt": "dejavu-fonts-ttf/LICENSE",
} as const;

export type AssetName = keyof typeof PACKAGE_ASSETS;

/**
 * The bytes of an asset. The executable embeds all assets in the folder `assets` next to its modules; a run from source reads them from
 * their packages.
 */
export function assetBytes(name: AssetName): Uint8Array<ArrayBuffer> {
  const bundled = new URL(`assets/${name}`, import.meta.url);
  const installed = new URL(`../../node_modules/${PACKAGE_ASSETS[name]}`, import.meta.url);
  return new Uint8Array(readFileSync([bundled, installed].find((url) => existsSync(url)) ?? bundled));
}
