import type { BuildVolume } from "../core/geometry.ts";

export type Family = "resin" | "powder";

/** A layer thickness in millimetres, or thicknesses that follow the model's slopes. */
export type LayerThickness = number | "ADAPTIVE";

/** Reserved id: never a printer (interface, "Scene"). */
export const UNKNOWN_MACHINE_TYPE = "UNKN-0-0";

export interface Combination {
  readonly machineType: string;
  readonly materialCode: string;
  readonly printSetting: string;
  readonly layerThicknessMm: LayerThickness;
}

/** The grid that a layer is drawn on, seen from above: x to the right, y away from the viewer. */
export interface Raster {
  /** Columns along x, rows along y. */
  readonly pixels: readonly [x: number, y: number];
  readonly pixelMm: readonly [x: number, y: number];
  /** Whether the machine expects its images mirrored left to right. */
  readonly mirrorX: boolean;
  /** Whether it expects them turned by a quarter, columns along y. */
  readonly portrait: boolean;
}

/** The archive that a machine prints from; `form` is this program's own. */
export type JobKind = "form" | "sl1" | "sl1s" | "goo";

/** A group of machines that share a build volume and a list of materials. */
export interface PrinterType {
  /** Unique; two types may share a machine type. */
  readonly label: string;
  readonly family: Family;
  /** The canonical machine type id that scene settings carry. */
  readonly machineType: string;
  /** As published; may hold ids that fold to the canonical one, or to that of another type. */
  readonly supportedMachineTypes: readonly string[];
  readonly productNames: readonly string[];
  readonly volume: BuildVolume;
  readonly raster: Raster;
  readonly job: JobKind;
  /** The category of `.fps` files that holds its figures of exposure, where one is published. */
  readonly fpsCategory?: string;
}

/** A print setting read from an `.fps` file: the whole document is kept, so that unknown keys survive a round trip. */
export interface CustomPrintSetting {
  readonly id: string;
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** A combination resolved against the catalog: everything a scene knows of its printer and material but its profile. */
export interface Setting {
  readonly combination: Combination;
  readonly printerType: PrinterType;
  readonly custom?: CustomPrintSetting;
}
