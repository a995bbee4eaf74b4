import type { Progress } from "../../core/progress.ts";
import { boxCentre } from "../../geometry/box.ts";
import { IDENTITY_POSE } from "../../geometry/pose.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { SurfacePoint } from "../points/underside.ts";
import { markSurface } from "./marked-surface.ts";
import type { SupportArea } from "./support-area.ts";

export interface BarredRequest {
  readonly mesh: Mesh;
  /** In the coordinates of the mesh. */
  readonly points: readonly SurfacePoint[];
  readonly areas: readonly SupportArea[];
}

/** Whether each point of a mesh is where nothing may touch it. */
export function barredPoints({ mesh, points, areas }: BarredRequest, progress: Progress): boolean[] {
  const pose = { ...IDENTITY_POSE, position: boxCentre(mesh.box) };
  const marks = markSurface(mesh, areas, { mesh, pose }, () => buildBvh(mesh, progress));
  return points.map((point) => marks?.isBarred(point) ?? false);
}
