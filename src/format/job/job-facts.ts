import type { Vec3 } from "../../core/geometry.ts";

/** What a job archive tells of its job beside the layers. Plain data. */
export interface JobFacts {
  readonly name: string;
  /** UUID. */
  readonly id: string;
  readonly created: Date;
  readonly printer: JobPrinter;
  readonly material: JobMaterial;
  readonly printSetting: string;
  /** By how much larger the machine is to draw the part along each axis, so that it has its size once it has shrunk. */
  readonly shrinkageCorrection: Vec3;
  /** As the scene says: millimetres, or thicknesses that follow the models' slopes. */
  readonly layerThicknessMm: number | "ADAPTIVE";
  /** One more than there are layers: layer k lies between the k-th and the next, mm above the platform. */
  readonly boundariesMm: Float64Array;
  /** Of resin jobs; powder is sintered by the machine's own parameters. */
  readonly exposure?: JobExposure;
  readonly modelNames: readonly string[];
  /** One of each size that the writer wants, in its order. */
  readonly thumbnails: readonly JobThumbnail[];
}

export interface JobPrinter {
  readonly label: string;
  readonly machineType: string;
  /** Width, depth and height of the build volume. */
  readonly volumeMm: Vec3;
  /** Of the display along x and y, and what a pixel measures. */
  readonly pixels: readonly [x: number, y: number];
  readonly pixelMm: readonly [x: number, y: number];
  /** The layers are mirrored left to right, since the machine wants them so. */
  readonly mirrorX: boolean;
  /** They are turned by a quarter to the left: columns lie along y, rows along x. */
  readonly portrait: boolean;
}

export interface JobMaterial {
  readonly label: string;
  readonly code: string;
}

/** How each layer is cured, and what the machine does between two; seconds. */
export interface JobExposure {
  /** Of the first layer, and of those above the first ones. */
  readonly firstS: number;
  readonly normalS: number;
  /** Layers that get `firstS`, and those after them whose exposures go down to `normalS`. */
  readonly firstLayers: number;
  readonly fadingLayers: number;
  readonly waitBeforeLiftS: number;
  readonly liftS: number;
  readonly retractS: number;
  readonly waitAfterRetractS: number;
}

export interface JobThumbnail {
  readonly width: number;
  readonly height: number;
  /** Row by row from the top, straight alpha. */
  readonly rgba: Uint8Array | Uint8ClampedArray;
  /** The same picture as a PNG file, in pieces. */
  readonly png: readonly Uint8Array[];
}

/** What is only known once the last layer is drawn. */
export interface JobTotals {
  /** From start to finish. */
  readonly printTimeS: number;
  readonly materialMl: number;
  readonly materialG: number;
}

/** How many layers the job has. */
export const layerCount = ({ boundariesMm }: JobFacts): number => boundariesMm.length - 1;

/**
 * How many layers follow the first one until the exposure is that of the others, where a format knows no other layers of the
 * first exposure.
 */
export const fadedLayers = ({ exposure }: JobFacts): number =>
  exposure ? Math.max(0, exposure.firstLayers - 1) + exposure.fadingLayers : 0;

/** The thickness that formats with room for one are told: the mean of a job whose layers differ. 0 without layers. */
export function meanThicknessMm(facts: JobFacts): number {
  if (typeof facts.layerThicknessMm === "number") return facts.layerThicknessMm;
  const [count, bounds] = [layerCount(facts), facts.boundariesMm];
  return count === 0 ? 0 : (bounds[count] - bounds[0]) / count;
}
