import { notFound } from "../core/api-error.ts";
import { newTaskState } from "../core/progress.ts";
import { hullFacesTask } from "../feature/placement/task.ts";
import { heldMesh } from "../scene/model-mesh.ts";
import type { Pool } from "../worker/pool.ts";
import type { PageFace } from "./replies.ts";

/** The faces of the mesh with a hash, the largest first. Throws NOT_FOUND. */
export async function facesOfMesh(hash: string, pool: Pool): Promise<PageFace[]> {
  const mesh = heldMesh(hash);
  if (!mesh) throw notFound("No model has this mesh now.");
  const faces = await pool.compute(hullFacesTask, mesh, newTaskState());
  return faces.map(({ normal, areaMm2, rim }) => ({ normal, area_mm2: areaMm2, rim }));
}
