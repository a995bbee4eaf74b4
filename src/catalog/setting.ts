import type { BuildVolume } from "../geometry/build-volume.ts";
import type { Optics } from "./optics.ts";

export type Family = "resin" | "powder";

/** A layer thickness in millimetres, or layers whose thickness follows the slopes of the model. */
export type LayerThickness = number | "ADAPTIVE";

/** Reserved id that no printer has (interface, "Scene"). */
export const UNKNOWN_MACHINE_TYPE = "UNKN-0-0";

/** Names the default profile of every combination, even if that has another name (interface, "Scene"). */
export const DEFAULT_PRINT_SETTING = "DEFAULT";

/** The label of a default profile ends with this (source: the published catalog). */
export const DEFAULT_SETTING_LABEL = "(Default settings)";

export interface Combination {
  readonly machineType: string;
  readonly materialCode: string;
  readonly printSetting: string;
  readonly layerThicknessMm: LayerThickness;
}

/** The pixel grid of a layer seen from above: x to the right, y to the back. */
export interface Raster {
  /** Columns along x, rows along y. */
  readonly pixels: readonly [x: number, y: number];
  readonly pixelMm: readonly [x: number, y: number];
  /** Whether the machine expects its images mirrored left to right. */
  readonly mirrorX: boolean;
  /** Whether it expects them mirrored top to bottom. */
  readonly mirrorY?: boolean;
  /** Whether it expects them rotated by 90°, with columns along y. */
  readonly portrait: boolean;
}

/** The archive formats of machines' print jobs; `form` is this program's own. */
export const JOB_KINDS = [
  "form",
  "sl1",
  "sl1s",
  "goo",
  "goo-5",
  "prz",
  "anycubic-1",
  "anycubic-1-slices",
  "anycubic-516",
  "anycubic-516-binary",
  "anycubic-517",
  "anycubic-517-binary",
  "anycubic-518",
  "anycubic-zip",
  "cbddlp",
  "cbddlp-binary",
  "ctb-2",
  "ctb-2-binary",
  "ctb-3",
  "ctb-3-binary",
  "ctb-4",
  "ctb-4-binary",
  "cxdlp-2",
  "cxdlp-3",
  "cxdlp-4",
  "nanodlp",
  "nanodlp-grey",
  "chitu-zip",
  "cws",
  "cws-rgb",
  "cws-xml",
  "svgx",
  "osla",
] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** Motions by which a machine peels a layer off, each in one stage or two, and the rests between them. */
export interface PlatformLift {
  /** The stage next to the film. */
  readonly liftMm: number;
  readonly liftMmPerMin: number;
  /** The stage after it, to the top. */
  readonly lift2Mm?: number;
  readonly lift2MmPerMin?: number;
  /** From the top down. */
  readonly retractMmPerMin: number;
  /** The last part of the way down, next to the film. */
  readonly retract2Mm?: number;
  readonly retract2MmPerMin?: number;
  /** Rest after the exposure, before the lift. */
  readonly waitAfterCureS?: number;
  readonly waitAfterLiftS?: number;
  /** Rest after the retraction, before the next exposure. */
  readonly waitBeforeCureS?: number;
}

/** A group of machines that share a build volume and a list of materials. */
export interface PrinterType {
  /** Unique; two types may share a machine type. */
  readonly label: string;
  readonly maker: string;
  readonly family: Family;
  /** The canonical machine type id that scene settings carry. */
  readonly machineType: string;
  /** As published; may contain aliases of the canonical id or of that of another type. */
  readonly supportedMachineTypes: readonly string[];
  readonly productNames: readonly [string, ...string[]];
  readonly volume: BuildVolume;
  readonly raster: Raster;
  /** Absent for machines that peel layers off by their own motions, such as a tilt of the vat. */
  readonly lift?: PlatformLift;
  /** Of the first layers, where it differs from `lift`. */
  readonly firstLift?: Partial<PlatformLift>;
  readonly job: JobKind;
  /** With the dot. Machines take jobs of no other extension. */
  readonly jobExtension: string;
  /**
   * For jobs that this program does not write: the extension of a file of kind `job`, of which a program of the owner makes them
   * (`--job-converter`).
   */
  readonly jobConvertedFrom?: string;
  /** The maker's name of the machine in its print jobs. */
  readonly nameInJobs: string;
  /** The latest version of the format that the machine takes, where jobs name it and are of an earlier one. */
  readonly jobMaxVersion?: number;
  /** The protocol by which it is found in the local network and takes jobs, if it has one. */
  readonly network?: "SDCP";
  /** What is known of its light. Absent: jobs have the coverages of pixels as greys. */
  readonly optics?: Optics;
  /** The category of its exposures in `.fps` files, if one is published. */
  readonly fpsCategory?: string;
}

/** Extension of the job files that are written for a printer; a program of its owner may make others of them. */
export const writtenJobExtension = ({ jobConvertedFrom, jobExtension }: PrinterType): string =>
  jobConvertedFrom ?? jobExtension;

/** A print setting from an `.fps` file. The whole document is kept, so that unknown keys survive a round trip. */
export interface CustomPrintSetting {
  readonly id: string;
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** A combination resolved against the catalog: printer and material of a scene. Its profile is derived from it. */
export interface Setting {
  readonly combination: Combination;
  readonly printerType: PrinterType;
  readonly custom?: CustomPrintSetting;
}

/** No two parts of the pattern match the same digits, so matching is fast for any text. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Thicknesses that differ by less than a nanometre are equal: clients send sums, or 0.1 in single precision. */
const SAME_MM = 1e-6;

/** Parses a layer thickness of a request: a number, `ADAPTIVE`, or a number as a string. Undefined for anything else. */
export function parseLayerThickness(given: number | string): LayerThickness | undefined {
  if (given === "ADAPTIVE" || typeof given === "number") return given;
  return NUMBER.test(given) ? Number(given) : undefined;
}

export const isSameThickness = (a: LayerThickness, b: LayerThickness): boolean =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) < SAME_MM : a === b;

/** The `scene_settings` of a response, where the layer thickness is always a string. */
export const settingsOnWire = ({ combination, custom }: Setting) => ({
  machine_type: combination.machineType,
  material_code: combination.materialCode,
  print_setting: combination.printSetting,
  layer_thickness_mm: String(combination.layerThicknessMm),
  ...(custom && { custom_print_setting_id: custom.id }),
});
