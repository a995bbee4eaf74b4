/** Decodes opaque 16-bit pixels with 5, 6 and 5 bits of red, green and blue, red in the highest bits, little-endian. */
export function readRgb565(pixels: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(2 * pixels.length);
  for (let from = 0, to = 0; from + 1 < pixels.length; from += 2, to += 4) {
    const colour = pixels[from] | (pixels[from + 1] << 8);
    rgba[to] = Math.round(((colour >> 11) * 255) / 31);
    rgba[to + 1] = Math.round((((colour >> 5) & 63) * 255) / 63);
    rgba[to + 2] = Math.round(((colour & 31) * 255) / 31);
    rgba[to + 3] = 255;
  }
  return rgba;
}
