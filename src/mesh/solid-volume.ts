import type { Watch } from "../core/watch.ts";
import type { Mesh } from "./mesh.ts";
import { mend } from "./repair/mend.ts";
import { soundnessOf } from "./soundness.ts";

/** Share of the work at which it is known whether there is more to do. */
const LOOKED = 0.3;

/** What the solid takes that a mesh stands for, mm³. */
export const solidVolumeMm3 = (mesh: Mesh): number => mesh.solidVolumeMm3 ?? Math.abs(mesh.volumeMm3);

/** The mesh, told the volume of what repair makes of it where its own facets do not bound a solid. */
export function withSolidVolume(mesh: Mesh, watch: Watch): Mesh {
  const { isOpen, hasInward } = soundnessOf(mesh, watch.part(0, LOOKED));
  if (!isOpen && !hasInward) return mesh;
  const repaired = mend(mesh, watch.part(LOOKED, 1));
  return repaired === mesh ? mesh : { ...mesh, solidVolumeMm3: Math.abs(repaired.volumeMm3) };
}
