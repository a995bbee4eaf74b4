import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { boxSize } from "../geometry/box.ts";
import { type Vec3, exactLength } from "../geometry/vector.ts";
import { bodiesOf, closedBodies } from "../mesh/bodies.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { cachedEdges } from "../mesh/edges.ts";
import { type Mesh, type Surface, cornersOf, facetNormal, triangleCount } from "../mesh/mesh.ts";

/** Share of the progress at which the hierarchy is built. Estimated. */
const INDEXED_SHARE = 0.5;
/** Welding and cuts move a surface by less than this share of the diagonal. */
const NEAR_SHARE = 1e-4;
/** A smaller share of the surface is rubbish in the file. */
const MIN_SHARE = 1e-4;

/**
 * The area, mm², of faces that a repair removed because they enclose nothing: connected facets with gaps that are far from all of the
 * repaired surface. Undefined if the area is negligible.
 */
export function droppedAreaMm2(mesh: Mesh, repaired: Mesh, progress: Progress): number | undefined {
  if (mesh === repaired) return undefined;
  const edges = cachedEdges(mesh);
  const bodies = bodiesOf(mesh, edges);
  const isClosed = closedBodies(mesh, edges, bodies);
  const tree = buildBvh(repaired, progress.part(0, INDEXED_SHARE));
  const measuring = progress.part(INDEXED_SHARE, 1);
  const limitMm = NEAR_SHARE * exactLength(boxSize(mesh.box));
  const isKept = Uint8Array.from(isClosed);
  const areas = new Float64Array(bodies.count);
  for (let facet = 0; facet < triangleCount(mesh); facet++) {
    if (facet % STEPS_PER_REPORT === 0) measuring.report(facet / triangleCount(mesh));
    const body = bodies.bodyOf[facet];
    if (isKept[body] === 1) continue;
    areas[body] += exactLength(facetNormal(mesh, facet)) / 2;
    if (distanceToSurface(tree, centreOf(mesh, facet), limitMm) < limitMm) isKept[body] = 1;
  }
  const areaMm2 = areas.reduce((sum, area, body) => (isKept[body] === 1 ? sum : sum + area), 0);
  return areaMm2 > MIN_SHARE * mesh.areaMm2 ? areaMm2 : undefined;
}

function centreOf(surface: Surface, facet: number): Vec3 {
  const [a, b, c] = cornersOf(surface, facet);
  return [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3];
}
