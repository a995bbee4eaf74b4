/** What a picture shows, pixel by pixel, before shadows and lines: written band by band. */
export interface Layers {
  readonly width: number;
  readonly height: number;
  /** sRGB, as in `Picture`. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  /** Of the surface that is seen, pixels; −Infinity where nothing is. */
  readonly nearness: Float32Array;
  /** Which way that faces: right and down on the screen, in parts of `FACING_ONE`. */
  readonly facing: Int8Array;
}

export const FACING_ONE = 127;

export const newLayers = (width: number, height: number): Layers => ({
  width,
  height,
  rgba: new Uint8ClampedArray(4 * width * height),
  nearness: new Float32Array(width * height),
  facing: new Int8Array(2 * width * height),
});
