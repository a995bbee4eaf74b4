import type { Vec3 } from "../geometry/vector.ts";
import type { JobExposure } from "./job-exposure.ts";
import type { CarriedFact } from "./losses.ts";

/** A format of job archives. `Layer` is a layer from `LAYER_ENCODERS`: plain data that can be posted between threads. */
export interface JobWriter<Layer = unknown> {
  /** Levels of brightness of a pixel in the file, with dark and full light: 2 for black and white. */
  readonly greyLevels: number;
  /** Sizes of the thumbnails in the archive. */
  readonly thumbnails: readonly { readonly width: number; readonly height: number }[];
  /**
   * The facts of an exposure that a file states, beyond the exposures of its layers; `jobLosses` tells the others. Absent for machines that
   * have all of them in profiles of their own.
   */
  readonly carries?: readonly CarriedFact[];
  /** What else of an exposure a file cannot state, such as fractions: a sentence for each loss. */
  readonly otherLosses?: (exposure: JobExposure) => readonly string[];
  /** Throws OPERATION_FAILED if the format cannot carry the job. Called before any layer is made. Absent: it carries every job. */
  readonly requireCarriable?: (job: JobFacts) => void;
  stream(job: JobMetadata): JobStream<Layer>;
}

/** The bytes of an archive in sequence: those of `begin`, of each layer in order, and of `end`. */
export interface JobStream<Layer = unknown> {
  begin(): Iterable<Uint8Array>;
  /** `exposureS`: exposure of the layer in seconds; 0 for powder, which the machine sinters by its own parameters. */
  layer(index: number, layer: Layer, exposureS: number): Iterable<Uint8Array>;
  end(totals: JobTotals): JobEnd;
}

export interface JobEnd {
  readonly chunks: Iterable<Uint8Array>;
  /** Replaces the first bytes of the file, in formats that have totals there. */
  readonly head?: Uint8Array;
  /** Makes the last bytes of the file, in formats that end with a hash, from the MD5 of all bytes before it, with the replaced head. */
  readonly tail?: (md5: Uint8Array) => Uint8Array;
}

/** Everything about a job except its pictures. Plain data. */
export interface JobFacts {
  readonly name: string;
  /** UUID. */
  readonly id: string;
  readonly created: Date;
  readonly printer: JobPrinter;
  readonly material: JobMaterial;
  readonly printSetting: string;
  /** Scale along each axis by which the machine enlarges the part, to compensate shrinkage. */
  readonly shrinkageCorrection: Vec3;
  /** The scene's setting. */
  readonly layerThicknessMm: number | "ADAPTIVE";
  /** Layer k reaches from entry k to entry k + 1, mm above the platform. */
  readonly boundariesMm: Float64Array;
  /** Resin only; powder machines sinter by their own parameters. */
  readonly exposure?: JobExposure | undefined;
  readonly modelNames: readonly string[];
  /** The table by which coverages became greys, in printable ASCII; absent if the coverages are the greys. */
  readonly greys?: string | undefined;
  /** How the layers differ from those of the parts, in printable ASCII; absent if they do not. */
  readonly compensation?: string | undefined;
  /** The notice of the maker of the format, which `.ctb` files of version 4 contain. The user names a file that has it. */
  readonly ctbNotice?: Uint8Array | undefined;
}

/** Everything about a job except its layers. */
export interface JobMetadata extends JobFacts {
  /** One of each size in `JobWriter.thumbnails`, in that order. */
  readonly thumbnails: readonly JobThumbnail[];
}

export interface JobPrinter {
  readonly label: string;
  /** The maker's name of the machine. */
  readonly nameInJobs: string;
  /** The latest version of the format that the machine takes, if it is not that of the job. */
  readonly maxVersion?: number | undefined;
  readonly machineType: string;
  /** Width, depth and height of the build volume. */
  readonly volumeMm: Vec3;
  /** Pixels of the display along x and y. */
  readonly pixels: readonly [x: number, y: number];
  /** Size of a pixel. */
  readonly pixelMm: readonly [x: number, y: number];
  /** The layer images are mirrored left to right. */
  readonly mirrorX: boolean;
  /** They are mirrored top to bottom. */
  readonly mirrorY?: boolean | undefined;
  /** The layer images are rotated by a quarter to the left: columns are parallel to y, rows to x. */
  readonly portrait: boolean;
}

export interface JobMaterial {
  readonly label: string;
  readonly code: string;
}

export interface JobThumbnail {
  readonly width: number;
  readonly height: number;
  /** Row by row from the top; alpha is not premultiplied. */
  readonly rgba: Uint8Array | Uint8ClampedArray;
  /** The same image as a PNG file, in pieces. */
  readonly png: readonly Uint8Array[];
}

/** Known only after the last layer is drawn. */
export interface JobTotals {
  /** From the start to the end of the print. */
  readonly printTimeS: number;
  readonly materialMl: number;
  readonly materialG: number;
}

/** Of files whose totals are filled in at the end. */
export const NO_TOTALS: JobTotals = { printTimeS: 0, materialMl: 0, materialG: 0 };

export const jobLayerCount = ({ boundariesMm }: JobFacts): number => boundariesMm.length - 1;

/** Number of layers after the first until the exposure is normal, for formats in which one layer has the first exposure. */
export const fadedLayers = ({ exposure }: JobFacts): number =>
  exposure ? exposure.firstLayers - 1 + exposure.fadingLayers : 0;

/** The thickness for a format that has one field for it: the mean if layers differ; 0 without layers. */
export function meanThicknessMm(job: JobFacts): number {
  if (typeof job.layerThicknessMm === "number") return job.layerThicknessMm;
  const [count, bounds] = [jobLayerCount(job), job.boundariesMm];
  return count === 0 ? 0 : (bounds[count] - bounds[0]) / count;
}
