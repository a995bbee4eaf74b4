import type { Setting } from "../catalog/setting.ts";
import { excerpt } from "../core/api-error.ts";
import type { Lock } from "../geometry/pose-lock.ts";
import type { Units } from "../core/units.ts";
import type { Pose } from "../geometry/pose.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { LetterPlane } from "../mesh/letter-plane.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Outline } from "../mesh/outline.ts";
import type { CommonVolumes } from "./common-volumes.ts";
import type { HollowSource } from "../solid/hollow/hollow-mesh.ts";
import type { RoutedSupports } from "../support/plan/routed-supports.ts";
import type { SupportPlan } from "../support/plan/support-plan.ts";
import type { Touchpoint } from "../support/points/touchpoint.ts";
import type { SupportSettings } from "../support/support-settings.ts";

/** A mesh placed in a scene. Immutable; copies share the mesh and the outline. */
export interface PlacedBody {
  readonly mesh: Mesh;
  /** The outline of `mesh` rotated by `pose.orientation`. */
  readonly outline: Outline;
  readonly pose: Pose;
}

/** The structure that supports a model while it is printed. It moves with the model and rotates with it about z only. */
export interface Supports extends PlacedBody {
  /** In the coordinates of the model's raw mesh. */
  readonly touchpoints: readonly Touchpoint[];
  readonly settings: SupportSettings;
  /** Unknown for supports of a file. */
  readonly routed?: RoutedSupports | undefined;
  /** Absent if it is not known, as in older files. */
  readonly faults?: SupportFaults | undefined;
}

/** Points of supports that are not as they should be, as their making found them; in the coordinates of the model's raw mesh. */
export interface SupportFaults {
  /** Touchpoints that no support reaches. */
  readonly unreached: readonly Vec3[];
  /** Struts that may buckle. */
  readonly slender: readonly Vec3[];
  /** Points in layers that the supports hold too weakly against the pull of the film. */
  readonly unheld: readonly Vec3[];
  /** Whether the raft is too small to hold the model on the platform. */
  readonly isLoose: boolean;
}

/** What removed the supports of a model: another tilt, another scale, another mesh, or another print setting. */
export const SUPPORT_LOSSES = ["TURNED", "SCALED", "MESH", "SETTING"] as const;
export type SupportLoss = (typeof SUPPORT_LOSSES)[number];

/** A part that a client imports, places and prints. */
export interface Model extends PlacedBody {
  readonly id: string;
  readonly name: string;
  /** Absolute path of the file that it was imported from. */
  readonly originalFile: string;
  readonly units: Units;
  readonly visible: boolean;
  readonly lock: Lock;
  readonly supports?: Supports | undefined;
  /** Why the model lost its supports; undefined if it has supports, had none, or a person removed them. */
  readonly lostSupports?: SupportLoss | undefined;
  /** Only where a person edited the supports; it stays when these are removed. */
  readonly supportPlan?: SupportPlan | undefined;
  /** The source from which the model can be hollowed again; only for a model that this server hollowed. */
  readonly hollowed?: HollowSource | undefined;
  /** Only for a lattice with a label: pictures show the letters in another colour. */
  readonly letters?: LetterPlane | undefined;
}

/** The model without its supports, if it has any, and with the reason why they are gone. */
export const withLostSupports = (model: Model, loss: SupportLoss): Model =>
  model.supports ? { ...model, supports: undefined, lostSupports: loss } : model;

/** The name of a model in messages, in quotes. It says if the model is hidden, because a person does not find a hidden model in pictures. */
export const quotedName = ({ name, visible }: Pick<Model, "name" | "visible">): string =>
  `"${excerpt(name)}"${visible ? "" : " (hidden)"}`;

/** More names make a message longer than people read. */
const MOST_NAMED = 8;

/** The names of models in messages: the first eight, and how many more there are. */
export function quotedNames(models: readonly Pick<Model, "name" | "visible">[]): string {
  const more = models.length > MOST_NAMED ? ` and ${models.length - MOST_NAMED} more` : "";
  return models.slice(0, MOST_NAMED).map(quotedName).join(", ") + more;
}

/** The bodies to print of a model: itself and its supports. */
export const printedBodies = (model: Model): readonly PlacedBody[] =>
  model.supports ? [model, model.supports] : [model];

/**
 * A container that keeps parts together within a lattice (interface, "Model": `is_group`, `is_cage`). It has the pose of its lattice,
 * and exists as long as the lattice.
 */
export interface Cage {
  readonly id: string;
  readonly name: string;
  /** The model of the lattice. */
  readonly latticeId: string;
  /** The models within it. A model is in at most one cage. */
  readonly partIds: readonly string[];
}

/** A finding of `scene/check` that a person accepted. It counts again once it is larger than it was then. */
export interface AcceptedFinding {
  /** The `id` of the finding. */
  readonly id: string;
  readonly count: number;
  /** Size at each model, in the unit of the finding. */
  readonly size: number;
}

/** A combination of machine, material, print setting and layer thickness, and the models in that printer's volume. */
export interface Scene {
  readonly id: string;
  /** Name that a person gave it, or that it has in the project file from which it was opened. */
  readonly name?: string;
  /** Name of the project in that file. */
  readonly projectName?: string;
  readonly setting: Setting;
  /** In the order in which they were added. */
  readonly models: readonly Model[];
  readonly cages: readonly Cage[];
  /** The findings that a person accepted; absent if there are none. */
  readonly acceptedFindings?: readonly AcceptedFinding[];
  /** Present while the scene's meshes are swapped out to a file. */
  readonly swappedOut?: SwappedOut | undefined;
}

/**
 * A scene whose meshes are swapped out: they have neither vertices nor triangles, which are in a file until a request names the scene. All
 * other values remain in memory, so that the scene can be described.
 */
export interface SwappedOut {
  readonly file: string;
  /** Values of the description that can only be computed from the meshes. */
  readonly commonVolumes: CommonVolumes;
}

/** The whole state of the server: the scenes in project order, the default scene first. */
export interface Project {
  readonly scenes: readonly Scene[];
}

/** Holds the project, and is the only place that replaces it. */
export interface Store {
  read(): Project;
  /** Replaces the project by the result of `edit` on the current project. When `edit` throws, nothing changes. */
  commit(edit: (project: Project) => Project): void;
  /** Calls `listener` after each commit, before anything else runs. It must be quick, and not commit. */
  subscribe(listener: (before: Project, after: Project) => void): void;
}

export function newStore(initial: Project): Store {
  let project = initial;
  const listeners: ((before: Project, after: Project) => void)[] = [];
  return {
    read: () => project,
    commit(edit) {
      const before = project;
      project = edit(before);
      for (const listener of listeners) listener(before, project);
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}
