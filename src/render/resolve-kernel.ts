import type { BuildVolume } from "../geometry/build-volume.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { kernelInstance, kernelMemory } from "../wasm/kernel.ts";
import { GRID, PLATFORM, SRGB, TINTS } from "./colour.ts";
import type { FrameBuffer } from "./frame-buffer.ts";
import { type LinearField, type Platform, platformLook } from "./platform.ts";
import { SAMPLES, type Samples } from "./rasterise.ts";
import { WASM } from "./resolve-kernel.wasm.ts";
import type { ShadedPoints } from "./shade.ts";

/** Computes the pixels of a row, the colours of the sky in it given, and returns for each whether it shows the upper side of the platform. */
export type RowResolver = (
  samples: Samples,
  row: number,
  { lights }: ShadedPoints,
  sky: Vec3,
  frameBuffer: FrameBuffer,
) => Uint8Array;

/** The exports of `resolve-kernel.as.ts`. */
interface Exports {
  resolveRow(y: number, skyR: number, skyG: number, skyB: number): void;
}

/** A facet less than this below the platform's plane, pixels, counts as on its upper side. */
const SLACK_PX = 0.1;

/** A platform seen edge-on is hidden by everything. */
const NO_FLOOR: LinearField = [0, 0, -Infinity];

/** A resolver for rows of `width` pixels, before or behind the platform; it is undefined if it is seen edge-on. */
export function newRowResolver(width: number, volume: BuildVolume, platform: Platform | undefined): RowResolver {
  const samplesOfRow = SAMPLES * width;
  const darkness = platform?.shadow.darkness ?? new Float32Array();
  const sizes = {
    nearness: 4 * samplesOfRow,
    facets: 4 * samplesOfRow,
    lights: 4 * samplesOfRow,
    tints: 8 * 3 * TINTS.length,
    srgb: SRGB.length,
    rgba: 4 * width,
    pixelNearness: 4 * width,
    isFloor: width,
    darkness: darkness.byteLength,
  };
  const { memory, offsets } = kernelMemory(sizes, "The picture is too wide.");
  const { buffer } = memory;
  const [floorX, floorY, floorStart] = platform?.plane.nearness ?? NO_FLOOR;
  const kernel = kernelInstance<Exports>({ name: "resolve-kernel", wasm: WASM }, memory, {
    width,
    ...offsets,
    hasPlatform: platform ? 1 : 0,
    floorX,
    floorY,
    floorStart,
    slack: platform?.plane.fromAbove === true ? SLACK_PX : -SLACK_PX,
    ...(platform && globalsOf(platform, volume)),
  });
  new Float64Array(buffer, offsets.tints, 3 * TINTS.length).set(TINTS.flat());
  new Uint8Array(buffer, offsets.srgb, SRGB.length).set(SRGB);
  new Float32Array(buffer, offsets.darkness, darkness.length).set(darkness);
  const nearness = new Float32Array(buffer, offsets.nearness, samplesOfRow);
  const facets = new Int32Array(buffer, offsets.facets, samplesOfRow);
  const lights = new Int32Array(buffer, offsets.lights, samplesOfRow);
  const rgba = new Uint8Array(buffer, offsets.rgba, 4 * width);
  const pixelNearness = new Float32Array(buffer, offsets.pixelNearness, width);
  const isFloor = new Uint8Array(buffer, offsets.isFloor, width);
  return (samples, row, shaded, [skyR, skyG, skyB], frameBuffer) => {
    const from = row * samplesOfRow;
    nearness.set(samples.nearness.subarray(from, from + samplesOfRow));
    facets.set(samples.facets.subarray(from, from + samplesOfRow));
    lights.set(shaded.lights);
    const y = samples.top + row;
    kernel.resolveRow(y, skyR, skyG, skyB);
    frameBuffer.rgba.set(rgba, 4 * width * y);
    frameBuffer.nearness.set(pixelNearness, width * y);
    return isFloor;
  };
}

/** The globals of `platform-colour.as.ts`. */
function globalsOf({ plane, shadow }: Platform, { dimensionsMm, filletRadiusMm }: BuildVolume) {
  const [xA, xB, xC] = plane.x;
  const [yA, yB, yC] = plane.y;
  const [platformR, platformG, platformB] = PLATFORM;
  const [gridR, gridG, gridB] = GRID;
  return {
    xA,
    xB,
    xC,
    yA,
    yB,
    yC,
    platformR,
    platformG,
    platformB,
    gridR,
    gridG,
    gridB,
    ...platformLook(plane),
    fromAbove: plane.fromAbove ? 1 : 0,
    widthMm: dimensionsMm[0],
    depthMm: dimensionsMm[1],
    filletMm: filletRadiusMm,
    shadowColumns: shadow.columns,
    shadowRows: shadow.rows,
    cellMm: shadow.cellMm,
  };
}
