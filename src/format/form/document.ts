import type { CamelCase } from "../../core/json.ts";
import type { Lock } from "../../geometry/pose-lock.ts";
import type { Units } from "../../core/units.ts";
import type { Pose } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { LetterPlane } from "../../mesh/letter-plane.ts";
import type { Infill, Mesh } from "../../mesh/mesh.ts";
import type { ManifestSupports } from "./manifest-supports.ts";

/**
 * The content of a `.form` file, without ids, which only the server has. FORMAT.md describes the file byte by byte. The types of
 * supports and holes have the structure of the types of `support/` and `solid/`, which this module may not import.
 */
export interface FormDocument {
  /** Empty if the project has no name. */
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
  /** The whole document, so that the scene can be opened on a machine that does not have its `.fps` file. */
  readonly customPrintSetting?: {
    readonly id: string;
    readonly name: string;
    readonly document: Readonly<Record<string, unknown>>;
  };
  readonly models: readonly FormModel[];
  /** Present only if there are any. */
  readonly cages?: readonly FormCage[];
  /** Present only if there are any. */
  readonly acceptedFindings?: readonly FormAcceptedFinding[];
}

/** A finding of the checks that a person accepted, with the count and the size that it had. */
export interface FormAcceptedFinding {
  readonly id: string;
  readonly count: number;
  readonly size: number;
}

/** The container of a cage. Models are given by their index in the scene. */
export interface FormCage {
  readonly name: string;
  readonly lattice: number;
  readonly parts: readonly number[];
}

export interface FormModel {
  readonly name: string;
  readonly originalFile: string;
  readonly units: Units;
  readonly visible: boolean;
  readonly lock: Lock;
  readonly pose: Pose;
  /** Stored once, for all models whose mesh has this hash. */
  readonly mesh: Mesh;
  readonly supports?: FormSupports;
  /** Why the model has no supports any more. */
  readonly lostSupports?: "TURNED" | "SCALED" | "MESH" | "SETTING";
  /** Only where a person edited the supports. */
  readonly supportPlan?: FormSupportPlan;
  /** Only for a hollowed model. */
  readonly hollowed?: FormHollowed;
  /** Only for a lattice with a label. */
  readonly letters?: LetterPlane;
}

export interface FormSupports {
  readonly pose: Pose;
  readonly mesh: Mesh;
  readonly touchpoints: readonly FormTouchpoint[];
  readonly settings: FormSupportSettings;
  readonly faults?: {
    readonly unreached: readonly Vec3[];
    readonly slender: readonly Vec3[];
    readonly unheld: readonly Vec3[];
    readonly isLoose: boolean;
  };
}

type ManifestSettings = ManifestSupports["settings"];

export type FormSupportSettings = {
  readonly [Key in keyof ManifestSettings as CamelCase<Key>]: ManifestSettings[Key];
};

/** A point of the model's surface that is supported, in the coordinates of the raw mesh. */
export interface FormTouchpoint {
  readonly position: Vec3;
  readonly normal: Vec3;
  readonly sizeMm: number;
  readonly cause: "MINIMUM" | "ISLAND" | "PENINSULA" | "OVERHANG" | "MANUAL";
  readonly origin: "AUTOMATIC" | "MANUAL";
  readonly locked: boolean;
}

/** What a person decided about the supports of a model. */
export interface FormSupportPlan {
  readonly settings: FormSupportSettings;
  readonly points: readonly FormTouchpoint[];
  readonly areas: readonly { readonly mode: "NEVER" | "ALWAYS"; readonly shape: FormShape }[];
}

/** A part of the surface, in the coordinates and lengths of the raw mesh. */
export type FormShape =
  | { readonly kind: "BALL"; readonly centre: Vec3; readonly normal: Vec3; readonly radius: number }
  | {
      readonly kind: "STROKE";
      readonly points: readonly Vec3[];
      readonly normals: readonly Vec3[];
      readonly radius: number;
    }
  | { readonly kind: "FACE"; readonly point: Vec3; readonly normal: Vec3; readonly angleDeg: number };

/** The values from which a hollowed model can be hollowed again. */
export interface FormHollowed {
  /** The mesh without the cavity and without the holes drilled since. */
  readonly solid: Mesh;
  readonly holes: readonly FormHole[];
  /** What fills the cavity; the mesh of the model is stored without it. */
  readonly infill?: Infill | undefined;
}

/** A drilled hole, in the coordinates and lengths of the raw mesh. */
export interface FormHole {
  readonly position: Vec3;
  readonly direction: Vec3;
  readonly diameterMm: number;
  readonly depthMm: number | "AUTO";
  readonly outsetMm: number;
  readonly searchMm?: number;
}

/** The meshes that are stored for a model, its own first. */
export const meshesOf = ({ mesh, supports, hollowed }: FormModel): readonly Mesh[] => [
  mesh,
  ...(supports ? [supports.mesh] : []),
  ...(hollowed ? [hollowed.solid, ...(hollowed.infill ? [hollowed.infill.cavity] : [])] : []),
];
