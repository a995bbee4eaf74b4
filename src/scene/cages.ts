import { noProgress } from "../core/progress.ts";
import { boxCentre, boxSize, unionBoxes } from "../geometry/box.ts";
import {
  IDENTITY_POSE,
  type Pose,
  STEPS_PER_DEGREE,
  product,
  rotateVector,
  rotationMatrix,
  roundedAngles,
  transpose,
} from "../geometry/pose.ts";
import { add, subtract, times } from "../geometry/vector.ts";
import { boxSurface } from "../mesh/box-surface.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { isInBounds, sceneBox } from "./placement.ts";
import { withPose } from "./pose.ts";
import type { Cage, Model, Scene } from "./project.ts";

// A cage is no model: it has no mesh, and is placed where its lattice is. Code that works with meshes gets its lattice and its parts.

/** A model, or the container of a cage, which the interface lists among the models. */
export type SceneEntry = Model | Cage;

export const isCage = (entry: SceneEntry): entry is Cage => "latticeId" in entry;

export const memberIdsOf = ({ latticeId, partIds }: Cage): readonly string[] => [latticeId, ...partIds];

/** The lattice of a cage and its parts. */
export function membersOf({ models }: Scene, cage: Cage): readonly Model[] {
  const ids = new Set(memberIdsOf(cage));
  return models.filter(({ id }) => ids.has(id));
}

export function latticeOf({ models }: Scene, { latticeId }: Cage): Model {
  // A scene has the lattice of each of its cages.
  return models.find(({ id }) => id === latticeId)!;
}

/** Whether the lattice and all parts of a cage are inside the build volume. */
export const isCageInBounds = (scene: Scene, cage: Cage): boolean =>
  membersOf(scene, cage).every((model) => isInBounds(model, scene.setting));

/** The box around the lattice and the parts of a cage, along the axes of the scene, as a body. Cages of one size share its mesh. */
export function cageBody(scene: Scene, cage: Cage): PlacedMesh {
  const box = membersOf(scene, cage).map(sceneBox).reduce(unionBoxes);
  const half = times(boxSize(box), 0.5);
  const mesh = canonicalMesh(boxSurface({ min: times(half, -1), max: half }), 1, noProgress);
  return { mesh, pose: { ...IDENTITY_POSE, position: boxCentre(box) } };
}

/** The cage that holds each model, by the model's id. */
export const cageByMember = ({ cages }: Scene): Map<string, Cage> =>
  new Map(cages.flatMap((cage) => memberIdsOf(cage).map((id) => [id, cage])));

/** The containers of the lattices among these models. */
export function containersOf({ cages }: Scene, models: readonly Model[]): readonly Cage[] {
  const ids = new Set(models.map(({ id }) => id));
  return cages.filter(({ latticeId }) => ids.has(latticeId));
}

/** The units that move together: the cages among the entries, and the models that are in none of these cages. */
export function unitsOf(entries: readonly SceneEntry[]): { cages: readonly Cage[]; models: readonly Model[] } {
  const cages = entries.filter(isCage);
  const caged = new Set(cages.flatMap(memberIdsOf));
  const models = entries.filter((entry): entry is Model => !isCage(entry) && !caged.has(entry.id));
  return { cages, models };
}

/**
 * The scene after a change of its models. A cage exists as long as its lattice: without the lattice its parts are models like any
 * other. `successors` maps a replaced id to the ids in its place.
 */
export function withCagesOf(scene: Scene, successors: ReadonlyMap<string, readonly string[]> = new Map()): Scene {
  if (scene.cages.length === 0) return scene;
  const present = new Set(scene.models.map(({ id }) => id));
  const cages = scene.cages
    .filter(({ latticeId }) => present.has(latticeId))
    .map((cage) => {
      const partIds = cage.partIds.flatMap((id) => successors.get(id) ?? id).filter((id) => present.has(id));
      return { ...cage, partIds: [...new Set(partIds)] };
    });
  return { ...scene, cages };
}

/** The lattice and the parts of a cage moved, turned and scaled together, so that its lattice has a pose. Outlines are not recomputed. */
export function withCagePose(scene: Scene, cage: Cage, to: Pose): Model[] {
  const { pose: from } = latticeOf(scene, cage);
  const scale = to.scale / from.scale;
  const isTurned = (["x", "y", "z"] as const).some((axis) => to.orientation[axis] !== from.orientation[axis]);
  const turn = product(rotationMatrix(to.orientation), transpose(rotationMatrix(from.orientation)));
  return membersOf(scene, cage).map((model) => {
    const { pose } = model;
    if (model.id === cage.latticeId) return withPose(model, to);
    const offset = times(subtract(pose.position, from.position), scale);
    return withPose(model, {
      position: add(to.position, isTurned ? rotateVector(turn, offset) : offset),
      orientation: isTurned
        ? roundedAngles(product(turn, rotationMatrix(pose.orientation)), STEPS_PER_DEGREE)
        : pose.orientation,
      scale: pose.scale * scale,
    });
  });
}
