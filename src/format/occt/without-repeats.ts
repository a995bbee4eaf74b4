import { createHash } from "node:crypto";
import type { OcctMesh } from "occt-import-js";

/**
 * The meshes without those all of whose faces are in earlier meshes: some programs list the shells and faces of solids a second time next
 * to these. A face that two solids share has opposite directions in them, so neither repeats the other.
 */
export function withoutRepeats(meshes: readonly OcctMesh[]): OcctMesh[] {
  const seen = new Set<string>();
  return meshes.filter((mesh) => {
    const faces = mesh.brep_faces.map(({ first, last }) => faceKey(mesh, first, last));
    const isRepeat = faces.every((face) => seen.has(face));
    for (const face of faces) seen.add(face);
    return !isRepeat;
  });
}

/** The corners of the triangles of a face, in the direction of this use. The kernel tessellates a face once for all its uses. */
function faceKey({ attributes, index }: OcctMesh, first: number, last: number): string {
  const positions = attributes.position.array;
  const corners = Array.from(index.array.slice(3 * first, 3 * (last + 1)));
  const points = corners.flatMap((v) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]);
  return createHash("sha256").update(Float64Array.from(points)).digest("base64");
}
