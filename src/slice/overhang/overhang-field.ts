/** What `OverhangDistance` knows of the pixels of a grid after a layer. Pixel c of row r has the index c + r · columns. */
export interface OverhangField {
  /** Number of bodies that are solid at each pixel. */
  readonly solid: Uint16Array;
  /**
   * Distance of each pixel plus the level (height · cotangent of the self-supporting angle) of the layer that set it, so that it needs no
   * update as layers rise: the current distance is the excess over the current level, at least 0.
   */
  readonly reach: Float32Array;
  /** The layer at which each pixel became solid; the bitwise complement of the layer at which it became empty. */
  readonly since: Int32Array;
}

/** The field of a grid below the first layer. */
export const newOverhangField = (pixels: number): OverhangField => ({
  solid: new Uint16Array(pixels),
  reach: new Float32Array(pixels).fill(Infinity),
  since: new Int32Array(pixels),
});

/** {@link newOverhangField} in shared memory, on which one thread after the other can continue. */
export const sharedOverhangField = (pixels: number): OverhangField => ({
  solid: new Uint16Array(new SharedArrayBuffer(Uint16Array.BYTES_PER_ELEMENT * pixels)),
  reach: new Float32Array(new SharedArrayBuffer(Float32Array.BYTES_PER_ELEMENT * pixels)).fill(Infinity),
  since: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * pixels)),
});
