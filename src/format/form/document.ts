import type { Lock } from "../../core/lock.ts";
import type { Units } from "../../core/units.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Pose } from "../../mesh/pose.ts";
import type { Hollowed } from "../../solid/hollowed.ts";
import type { SupportSettings } from "../../support/settings.ts";
import type { Touchpoint } from "../../support/touchpoint.ts";

/** What a `.form` file holds, without ids: those live in the server. FORMAT.md describes the file byte by byte. */
export interface FormDocument {
  /** Empty where none was given. */
  readonly projectName: string;
  readonly scenes: readonly FormScene[];
}

export interface FormScene {
  readonly name: string;
  readonly combination: {
    readonly machineType: string;
    readonly materialCode: string;
    readonly printSetting: string;
    readonly layerThicknessMm: number | "ADAPTIVE";
  };
  /** Whole, so that the scene opens where its `.fps` file is not known. */
  readonly customPrintSetting?: {
    readonly id: string;
    readonly name: string;
    readonly document: Readonly<Record<string, unknown>>;
  };
  readonly models: readonly FormModel[];
}

export interface FormModel {
  readonly name: string;
  readonly originalFile: string;
  readonly units: Units;
  readonly visible: boolean;
  readonly lock: Lock;
  readonly pose: Pose;
  /** Stored once, however many models have a mesh of its hash. */
  readonly mesh: Mesh;
  readonly supports?: FormSupports;
  /** Of one that was hollowed. */
  readonly hollowed?: Hollowed;
}

/** As a model of a scene has them. */
export interface FormSupports {
  readonly pose: Pose;
  readonly mesh: Mesh;
  /** In the coordinates of the model's raw mesh. */
  readonly touchpoints: readonly Touchpoint[];
  readonly settings: SupportSettings;
}

/** The meshes that are stored for a model, its own first. */
export const meshesOf = ({ mesh, supports, hollowed }: FormModel): readonly Mesh[] => [
  mesh,
  ...(supports ? [supports.mesh] : []),
  ...(hollowed ? [hollowed.solid] : []),
];
