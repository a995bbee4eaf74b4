import { add, centreOf, subtract, times } from "../core/geometry.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { toMatrix, turn } from "../mesh/pose.ts";
import type { Model } from "./model.ts";

/**
 * The model with another raw mesh, its outline not yet worked out anew. What both meshes share stays where it stands: the
 * origin moves with the centre of the box, so the position does. Its supports and what it was hollowed from go.
 */
export function withMesh(model: Model, mesh: Mesh): Model {
  const { pose } = model;
  const moved = times(subtract(centreOf(mesh.box), centreOf(model.mesh.box)), pose.scale);
  const position = add(pose.position, turn(toMatrix(pose.orientation), moved));
  return { ...model, mesh, pose: { ...pose, position }, supports: undefined, hollowed: undefined };
}
