import type { Progress } from "../../core/progress.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { bodiesOf, bodyVolumes } from "../../mesh/bodies.ts";
import { type Mesh, filterFacets, vertexAt } from "../../mesh/mesh.ts";
import { cleanMesh } from "../boolean-mesh.ts";

/** A cavity that was filled, in the coordinates and lengths of the raw mesh. */
export interface FilledSpeck {
  /** On its wall. */
  readonly point: Vec3;
  readonly volume: number;
}

/** The closed cavities of less than `mostVolume` of a solid are filled: the bodies that bound them are left out. */
export function fillSpecks(
  solid: Mesh,
  mostVolume: number,
  progress: Progress,
): { mesh: Mesh; filled: readonly FilledSpeck[] } {
  const bodies = bodiesOf(solid);
  const volumes = bodyVolumes(solid, bodies);
  const isSpeck = Array.from(volumes, (volume) => volume < 0 && -volume < mostVolume);
  const filled = [...bodies.firstFacets].flatMap((facet, body): FilledSpeck[] =>
    isSpeck[body] ? [{ point: vertexAt(solid, solid.triangles[3 * facet]), volume: -volumes[body] }] : [],
  );
  if (filled.length === 0) return { mesh: solid, filled };
  const kept = filterFacets(solid, (facet) => !isSpeck[bodies.bodyOf[facet]]);
  return { mesh: cleanMesh(kept, progress), filled };
}
