import { newId } from "../../core/id.ts";
import type { Pose } from "../../geometry/pose.ts";
import { add, subtract } from "../../geometry/vector.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import {
  type SceneEntry,
  cageBody,
  cageByMember,
  isCage,
  latticeOf,
  membersOf,
  withCagePose,
} from "../../scene/cages.ts";
import { selectEntries } from "../../scene/find.ts";
import { withPose } from "../../scene/pose.ts";
import { type Cage, type Model, type Scene, printedBodies } from "../../scene/project.ts";

/** A body that packing moves as one: a model, or a cage with its lattice and its parts. */
export interface PackUnit {
  readonly entry: SceneEntry;
  readonly members: readonly Model[];
  /** The body that is packed; for a cage its bounding box, because nothing may be placed between its bars. */
  readonly body: PlacedMesh;
  readonly isFixed: boolean;
}

/** The units of the selected entries, models first. A cage is a unit if the cage, its lattice or one of its parts is selected. */
export function packUnitsOf(scene: Scene, modelIds: readonly string[] | undefined): PackUnit[] {
  const entries = selectEntries(scene, modelIds);
  const cageOf = cageByMember(scene);
  const cages = new Set(entries.flatMap((entry) => (isCage(entry) ? entry : (cageOf.get(entry.id) ?? []))));
  const models = entries.filter((entry): entry is Model => !isCage(entry) && !cageOf.has(entry.id));
  return [...models, ...cages].map((entry) => {
    const members = isCage(entry) ? membersOf(scene, entry) : [entry];
    return {
      entry,
      members,
      body: isCage(entry) ? cageBody(scene, entry) : entry,
      isFixed: members.some(({ lock }) => lock === "FULLY_LOCKED"),
    };
  });
}

/** The other bodies in the chamber; cages as their boxes. */
export function obstaclesBeside(scene: Scene, units: readonly PackUnit[]): PlacedMesh[] {
  const moving = new Set<SceneEntry>(units.flatMap(({ entry, members }) => [entry, ...members]));
  const cages = scene.cages.filter((cage) => !moving.has(cage));
  const caged = cageByMember(scene);
  const models = scene.models.filter((model) => !moving.has(model) && !caged.has(model.id));
  return [
    ...models.flatMap(printedBodies).map(({ mesh, pose }) => ({ mesh, pose })),
    ...cages.map((cage) => cageBody(scene, cage)),
  ];
}

/** The members of a unit once its body has a pose. Outlines are not recomputed. */
export function membersAt(scene: Scene, { entry, members, body }: PackUnit, pose: Pose): Model[] {
  if (!isCage(entry)) return members.map((model) => withPose(model, pose));
  const { pose: lattice } = latticeOf(scene, entry);
  const offset = subtract(pose.position, body.pose.position);
  return withCagePose(scene, entry, { ...lattice, position: add(lattice.position, offset) });
}

/** A copy of a unit: new models, and the new cage around them for a cage. `idOf` maps the id of each entry to the id of its copy. */
export interface UnitCopy {
  readonly models: readonly Model[];
  readonly cages: readonly Cage[];
  readonly idOf: ReadonlyMap<string, string>;
}

export function copyAt(scene: Scene, unit: PackUnit, pose: Pose): UnitCopy {
  const moved = membersAt(scene, unit, pose);
  const idOf = new Map(moved.map(({ id }) => [id, newId()]));
  // Every member was copied.
  const models = moved.map((model) => ({ ...model, id: idOf.get(model.id)! }));
  const { entry } = unit;
  if (!isCage(entry)) return { models, cages: [], idOf };
  idOf.set(entry.id, newId());
  const partIds = entry.partIds.map((id) => idOf.get(id)!);
  const cage = { ...entry, id: idOf.get(entry.id)!, latticeId: idOf.get(entry.latticeId)!, partIds };
  return { models, cages: [cage], idOf };
}
