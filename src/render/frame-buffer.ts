/** Ambient occlusion is computed for every nth pixel of every nth row; it is blurred anyway. */
export const GBUFFER_STEP = 2;

/** The pixels of a picture before ambient occlusion and lines, filled band by band. */
export interface FrameBuffer {
  readonly width: number;
  readonly height: number;
  /** sRGB, as in `Picture`. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  /** Nearness to the camera of the visible surface, pixels; −Infinity where there is none. */
  readonly nearness: Float32Array;
  readonly gBuffer: GBuffer;
}

/** Depth and normals of the visible surface, at every {@link GBUFFER_STEP}-th pixel of every {@link GBUFFER_STEP}-th row. */
export interface GBuffer {
  readonly width: number;
  readonly height: number;
  /** In units of {@link GBUFFER_STEP} pixels; −Infinity where there is no surface. */
  readonly nearness: Float32Array;
  /** Components of the normal to the right and down on the screen, in units of 1 / {@link FACING_ONE}. */
  readonly facing: Int8Array;
}

export const FACING_ONE = 127;

export function newFrameBuffer(width: number, height: number): FrameBuffer {
  const [gWidth, gHeight] = [Math.ceil(width / GBUFFER_STEP), Math.ceil(height / GBUFFER_STEP)];
  return {
    width,
    height,
    rgba: new Uint8ClampedArray(4 * width * height),
    nearness: new Float32Array(width * height),
    gBuffer: {
      width: gWidth,
      height: gHeight,
      nearness: new Float32Array(gWidth * gHeight),
      facing: new Int8Array(2 * gWidth * gHeight),
    },
  };
}
