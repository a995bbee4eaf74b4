import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { type Rectangle, boxCentre } from "../geometry/box.ts";
import { rotationMatrix } from "../geometry/pose.ts";
import { type Surface, triangleCount } from "../mesh/mesh.ts";
import { fineGrid } from "../mesh/column-grid.ts";
import { overlapVolume } from "../mesh/overlap-volume.ts";
import { type RepairedSolid, repairedSolid } from "./repaired-solid.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

export interface CommonVolumeRequest {
  readonly placed: readonly PlacedMesh[];
  /** Holds all that they have in common, seen from above. */
  readonly region: Rectangle;
}

/** Facets of all meshes, a second or two of work. Beyond that the answer to a question about a scene would take too long. */
const MAX_FACETS = 2 ** 25;

/**
 * The volume of the solids that are sliced for placed meshes, less that of their union, mm³. 0 for meshes of more facets than
 * {@link MAX_FACETS}.
 */
export function commonVolumeMm3({ placed, region }: CommonVolumeRequest, progress: Progress): number {
  if (placed.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0) > MAX_FACETS) return 0;
  const solids = new Map<string, RepairedSolid>();
  const surfaces = placed.map((one, i) => {
    const repairing = progress.part((0.5 * i) / placed.length, (0.5 * (i + 1)) / placed.length);
    const solid = getOrInsert(solids, one.mesh.hash, () => repairedSolid(one.mesh, repairing));
    return () => ({ vertices: sceneVertices(solid, one), triangles: solid.triangles });
  });
  return overlapVolume(surfaces, fineGrid(region, surfaces), progress.part(0.5, 1)).betweenMm3;
}

/** The rotation is rounded, since engines differ in the last bits of sines. */
function sceneVertices({ vertices }: Surface, { mesh, pose: { position, orientation, scale } }: PlacedMesh) {
  const [a, b, c, d, e, f, g, h, i] = rotationMatrix(orientation).map(Math.fround);
  const [u, v, w] = boxCentre(mesh.box);
  const placed = new Float64Array(vertices.length);
  for (let at = 0; at < vertices.length; at += 3) {
    const x = scale * (vertices[at] - u);
    const y = scale * (vertices[at + 1] - v);
    const z = scale * (vertices[at + 2] - w);
    placed[at] = a * x + b * y + c * z + position[0];
    placed[at + 1] = d * x + e * y + f * z + position[1];
    placed[at + 2] = g * x + h * y + i * z + position[2];
  }
  return placed;
}
