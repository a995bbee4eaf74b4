import { operationFailed } from "../core/api-error.ts";
import { boxCentre } from "../geometry/box.ts";
import { rotateVector, rotationMatrix } from "../geometry/pose.ts";
import { add, subtract, times } from "../geometry/vector.ts";
import { bareMesh, filledMesh } from "../mesh/filled-mesh.ts";
import { addFacts, type Mesh } from "../mesh/mesh.ts";
import type { HollowSource } from "../solid/hollow/hollow-mesh.ts";
import { type Model, quotedNames, withLostSupports } from "./project.ts";

/**
 * The model with another raw mesh, without supports and `hollowed`; its outline is not recomputed. Geometry that both
 * meshes share keeps its place: the origin is the centre of the mesh's box, so the position moves with that centre.
 */
export function withMesh(model: Model, mesh: Mesh): Model {
  requirePlainMeshes([model]);
  const { pose } = model;
  const offset = times(subtract(boxCentre(mesh.box), boxCentre(model.mesh.box)), pose.scale);
  const position = add(pose.position, rotateVector(rotationMatrix(pose.orientation), offset));
  return { ...withLostSupports(model, "MESH"), mesh: bareMesh(mesh), pose: { ...pose, position }, hollowed: undefined };
}

/** Throws OPERATION_FAILED if a model has a lattice of beams: without it the coarse tubes that stand in for beams would be printed. */
export function requirePlainMeshes(models: readonly Model[]): void {
  const latticed = models.filter(({ mesh }) => mesh.latticed !== undefined);
  if (latticed.length === 0) return;
  throw operationFailed(
    `The lattice of beams of ${quotedNames(latticed)} is no mesh, which this request needs: leave the model out, or change it in the program that made it and import it again. Coarse tubes that stand in for the beams are in an STL file that you export of it.`,
  );
}

/** The model with a source from which it can be hollowed again, or with none, and with the infill of that. */
export function withHollowed(model: Model, hollowed: HollowSource | undefined): Model {
  const infill = hollowed?.infill && { ...hollowed.infill, cavity: internMesh(hollowed.infill.cavity) };
  return {
    ...model,
    mesh: internMesh(filledMesh(model.mesh, infill)),
    hollowed: hollowed && { ...hollowed, solid: internMesh(hollowed.solid), infill },
  };
}

/** All meshes of a model; its own without infill. */
export const meshesOf = ({ mesh, supports, hollowed }: Model): Mesh[] => [
  bareMesh(mesh),
  ...(supports ? [supports.mesh] : []),
  ...(hollowed ? [hollowed.solid, ...(hollowed.infill ? [hollowed.infill.cavity] : [])] : []),
];

/** The model with other meshes for {@link meshesOf}. */
export function mapMeshes(model: Model, next: (mesh: Mesh) => Mesh): Model {
  const hollowed = model.hollowed && mapSource(model.hollowed, next);
  return {
    ...model,
    mesh: filledMesh(next(bareMesh(model.mesh)), hollowed?.infill),
    supports: model.supports && { ...model.supports, mesh: next(model.supports.mesh) },
    hollowed,
  };
}

/** The hollow source with other meshes. */
export const mapSource = (source: HollowSource, next: (mesh: Mesh) => Mesh): HollowSource => ({
  ...source,
  solid: next(source.solid),
  infill: source.infill && { ...source.infill, cavity: next(source.infill.cavity) },
});

/** The hollow source of a model whose raw mesh is scaled by `factor`. `next` has the scaled meshes. */
export const scaleHollowed = (source: HollowSource, next: (mesh: Mesh) => Mesh, factor: number): HollowSource => ({
  ...mapSource(source, next),
  holes: source.holes.map((hole) => ({
    ...hole,
    position: times(hole.position, factor),
    diameterMm: hole.diameterMm * factor,
    depthMm: hole.depthMm === "AUTO" ? "AUTO" : hole.depthMm * factor,
    outsetMm: hole.outsetMm * factor,
    ...(hole.searchMm !== undefined && { searchMm: hole.searchMm * factor }),
  })),
});

/** Every mesh that scenes hold, by its hash. */
const meshes = new Map<string, WeakRef<Mesh>>();
const collected = new FinalizationRegistry<string>((hash) => {
  if (meshes.get(hash)?.deref() === undefined) meshes.delete(hash);
});

/** The one mesh of its hash that the process holds, so that equal meshes share their buffers. */
export function internMesh(mesh: Mesh): Mesh {
  const held = meshes.get(mesh.hash)?.deref();
  if (held) {
    addFacts(held, mesh);
    return held;
  }
  meshes.set(mesh.hash, new WeakRef(mesh));
  collected.register(mesh, mesh.hash);
  return mesh;
}

/** The mesh with a hash, if the process holds it. */
export const heldMesh = (hash: string): Mesh | undefined => meshes.get(hash)?.deref();
