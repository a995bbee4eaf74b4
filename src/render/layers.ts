/** Shadows are worked out for every so-manieth pixel of every so-manieth row: they are soft anyway. */
export const RELIEF_STEP = 2;

/** What a picture shows, pixel by pixel, before shadows and lines: written band by band. */
export interface Layers {
  readonly width: number;
  readonly height: number;
  /** sRGB, as in `Picture`. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  /** Of the surface that is seen, pixels; −Infinity where nothing is. */
  readonly nearness: Float32Array;
  readonly relief: Relief;
}

/** The surface that is seen, at every `RELIEF_STEP`-th pixel of every `RELIEF_STEP`-th row. */
export interface Relief {
  readonly width: number;
  readonly height: number;
  /** In steps of `RELIEF_STEP` pixels; −Infinity where nothing is. */
  readonly nearness: Float32Array;
  /** Which way it faces: right and down on the screen, in parts of `FACING_ONE`. */
  readonly facing: Int8Array;
}

export const FACING_ONE = 127;

export function newLayers(width: number, height: number): Layers {
  const [reliefWidth, reliefHeight] = [Math.ceil(width / RELIEF_STEP), Math.ceil(height / RELIEF_STEP)];
  return {
    width,
    height,
    rgba: new Uint8ClampedArray(4 * width * height),
    nearness: new Float32Array(width * height),
    relief: {
      width: reliefWidth,
      height: reliefHeight,
      nearness: new Float32Array(reliefWidth * reliefHeight),
      facing: new Int8Array(2 * reliefWidth * reliefHeight),
    },
  };
}
