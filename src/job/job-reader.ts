import type { FileSource } from "../codec/file-source.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import type { JobTotals } from "./job.ts";
import { type JobExposure } from "./job-exposure.ts";
import type { CarriedFact } from "./losses.ts";

/** Reads job files of one format, of this and of other programs. */
export interface JobReader {
  /** Name of the format, for people. */
  readonly name: string;
  /** The versions that it reads, as `ReadJob.version` has them; absent for formats that state none, or read whatever their version. */
  readonly versions?: readonly string[];
  /**
   * Whether a file is of this format, by its first bytes ({@link HEAD_BYTES} of them, or the whole file) and the extension of its name, in
   * lower case with the dot.
   */
  recognises(head: Uint8Array, extension: string): boolean;
  /**
   * Reads everything but the layers. Throws OPERATION_FAILED with the cause and the way out for a damaged file, and for a version that
   * it does not know; never takes memory by a count that the size of the file does not bear out.
   */
  open(source: FileSource): ReadJob | Promise<ReadJob>;
}

/** Enough for the marks of all formats. */
export const HEAD_BYTES = 64;

/** A job in a file. Facts that the file lacks are undefined. */
export interface ReadJob {
  /** Version of the format, as its programs name it. */
  readonly version: string;
  /** The program that made the file, with its version. */
  readonly program?: string | undefined;
  /** The machine, as makers name it in jobs. */
  readonly printerName?: string | undefined;
  readonly created?: Date | undefined;
  /** Columns and rows of the pictures in the file, at most 65,535 each. */
  readonly pixels: readonly [columns: number, rows: number];
  readonly pixelMm?: readonly [x: number, y: number] | undefined;
  readonly volumeMm?: Vec3 | undefined;
  /** The pictures are mirrored left to right. */
  readonly mirrorX?: boolean | undefined;
  readonly mirrorY?: boolean | undefined;
  readonly material?: string | undefined;
  /** Layer k reaches from entry k to entry k + 1, mm above the platform. */
  readonly boundariesMm: Float64Array;
  /** Exposure of each layer. */
  readonly exposuresS: Float64Array;
  /** Values that the format cannot state are 0, or those of a full light. */
  readonly exposure?: JobExposure | undefined;
  /** The facts of `exposure` that the file states. */
  readonly states: readonly CarriedFact[];
  readonly totals: Partial<JobTotals>;
  readonly thumbnails: readonly JobPicture[];
  /** What is odd about the file without harm, as sentences. */
  readonly warnings: readonly string[];
  /**
   * Decodes a layer, 0 being the lowest. The runs are overwritten by the next layer. Throws OPERATION_FAILED for a picture that is damaged,
   * larger or much smaller than the pixels.
   */
  layer(index: number): LayerRuns | Promise<LayerRuns>;
  /** Ends the use of files that the reader itself opened. */
  close?(): void;
}

/** A preview, row by row from the top left, opaque. */
export interface JobPicture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

export const readLayerCount = ({ exposuresS }: ReadJob): number => exposuresS.length;
