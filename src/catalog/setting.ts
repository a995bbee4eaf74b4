import type { Vec3 } from "../core/geometry.ts";

export type Family = "resin" | "powder";

/** A layer thickness in millimetres, or thicknesses that follow the model's slopes. */
export type LayerThickness = number | "ADAPTIVE";

/** Reserved id: never a printer (interface, "Scene"). */
export const UNKNOWN_MACHINE_TYPE = "UNKN-0-0";

export interface BuildVolume {
  /** x, y, z. The volume spans x, y about zero and z upward from the platform. */
  readonly dimensionsMm: Vec3;
  /** Radius of its four vertical edges. */
  readonly filletRadiusMm: number;
}

export interface Combination {
  readonly machineType: string;
  readonly materialCode: string;
  readonly printSetting: string;
  readonly layerThicknessMm: LayerThickness;
}

/** A group of machines that share a build volume and a list of materials. */
export interface PrinterType {
  readonly label: string;
  readonly family: Family;
  /** The canonical machine type id that scene settings carry. */
  readonly machineType: string;
  readonly volume: BuildVolume;
}

/** A print setting read from an `.fps` file: the whole document is kept, so that unknown keys survive a round trip. */
export interface CustomPrintSetting {
  readonly id: string;
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** A combination resolved against the catalog: everything a scene knows of its printer and material. */
export interface Setting {
  readonly combination: Combination;
  readonly printerType: PrinterType;
  readonly custom?: CustomPrintSetting;
}
