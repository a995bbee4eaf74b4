import { ApiError } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { boxOf } from "../geometry/box.ts";
import { exactLength } from "../geometry/vector.ts";
import { bodiesOf, bodyVolumes, closedBodies, splitByLabel } from "../mesh/bodies.ts";
import { NO_SOLID, solidsOf } from "../mesh/body-nesting.ts";
import { union } from "../mesh/boolean.ts";
import { edgesOf } from "../mesh/edges.ts";
import { float32SpacingMm, measureMesh } from "../mesh/measure.ts";
import {
  concatenateSurfaces,
  facetNormal,
  filterFacets,
  type Surface,
  triangleCount,
  vertexCount,
} from "../mesh/mesh.ts";
import { VertexWelder } from "../mesh/welder.ts";
import { separateClosedSheets } from "./separate-closed-sheets.ts";
import { touchingSolids } from "./touching-solids.ts";

/**
 * Growth of solids before their union, as a multiple of the single-precision spacing at the largest coordinate. It makes faces that
 * coincide within rounding overlap clearly. Measured on plates, shafts and belts with 10 to 100 thousand facets: 8 steps leave the
 * fewest intersections, none to five; 0 steps leave thousands.
 */
const GROWTH_STEPS = 8;
/** A union has at least the volume of its largest solid and at most that of all solids, within this share for the growth. */
const VOLUME_SHARE = 1e-3;
/**
 * Groups of solids with more pairs of near facets are heaps: the kernel takes 1 to 10 µs for each pair. Assemblies have two or three
 * for each facet, 400 bars across one another a million, 500 needles through one another 2.6 million.
 */
const MAX_NEAR_PAIRS = 3e6;
const MAX_NEAR_PAIRS_PER_FACET = 10;
/** 3 µs for each such pair: the mean of assemblies and of needles through one another. */
const STEPS_PER_NEAR_PAIR = 200;
/** Most solids that are united in one call of the kernel. The progress is reported between calls. */
const BATCH_SIZE = 64;

/** Shares of the progress at which the solids, and the groups of those that touch, are known. The rest unites them. Estimates. */
const SHARES = { solids: 0.1, groups: 0.4 };

/**
 * Unites solids that touch or overlap, with their cavities, if each is closed by itself. Points with a winding number of at least 1
 * are inside. The surface may be farther out by rounding, up to {@link GROWTH_STEPS}; vertices that remain are not moved. Other
 * bodies, and bodies that the kernel cannot unite in time, stay unchanged. Returns the same object if nothing was united; undefined
 * for a heap of facets, in which a search for intersections would take too long. The result may intersect itself by rounding.
 */
export async function uniteSolids(surface: Surface, progress: Progress): Promise<Surface | undefined> {
  const separate = separateClosedSheets(surface);
  const { count, solidOf } = solidsOf(separate, progress.part(0, SHARES.solids));
  progress.report(SHARES.solids);
  if (count < 2) return surface;
  const upright = uprightSolids(separate, solidOf, count);
  const touching = touchingSolids(separate, solidOf, upright, progress.part(SHARES.solids, SHARES.groups));
  if (!touching) return undefined;
  const facets = new Uint32Array(count);
  for (const solid of solidOf) if (solid !== NO_SOLID) facets[solid]++;
  const groups = touching.filter(({ solids, nearPairs }) => {
    const facetsInAll = solids.reduce((sum, solid) => sum + facets[solid], 0);
    return solids.length > 1 && nearPairs <= MAX_NEAR_PAIRS + MAX_NEAR_PAIRS_PER_FACET * facetsInAll;
  });
  const labels = new Int32Array(count).fill(NONE);
  let grouped = 0;
  for (const { solids } of groups) for (const solid of solids) labels[solid] = grouped++;
  if (grouped === 0) return surface;
  const labelOf = solidOf.map((solid) => (solid === NO_SOLID ? NONE : labels[solid]));
  const parts = splitByLabel(separate, labelOf, grouped);
  const growthMm = GROWTH_STEPS * float32SpacingMm(boxOf(surface.vertices));
  const united: Surface[] = [];
  let isChanged = false;
  const uniting = progress.part(SHARES.groups, 1);
  for (const { solids: group, nearPairs } of groups) {
    const solids = group.map((solid) => parts[labels[solid]]);
    const [from, to] = [labels[group[0]] / grouped, (labels[group[0]] + group.length) / grouped];
    uniting.report(from, STEPS_PER_NEAR_PAIR * nearPairs);
    const one = await uniteGrown(solids, growthMm, uniting.part(from, to));
    isChanged ||= one !== undefined;
    united.push(...(one ? [one] : solids));
  }
  if (!isChanged) return surface;
  const rest = filterFacets(separate, (facet) => labelOf[facet] < 0);
  return concatenateSurfaces(triangleCount(rest) > 0 ? [rest, ...united] : united);
}

/** 1 for each solid that is closed and faces outward. */
function uprightSolids(surface: Surface, solidOf: Int32Array, count: number): Uint8Array {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  const isClosed = closedBodies(surface, edges, bodies);
  const volumes = new Float64Array(count);
  bodyVolumes(surface, bodies).forEach((volume, body) => {
    const solid = solidOf[bodies.firstFacets[body]];
    if (solid !== NO_SOLID) volumes[solid] += isClosed[body] === 1 ? volume : -Infinity;
  });
  return Uint8Array.from(volumes, (volume) => (volume > 0 ? 1 : 0));
}

/** The union of solids that are grown by `growthMm`. Vertices that remain in it are back in their old places. */
async function uniteGrown(
  solids: readonly Surface[],
  growthMm: number,
  progress: Progress,
): Promise<Surface | undefined> {
  const grown = solids.map((solid) => ({ vertices: grownVertices(solid, growthMm), triangles: solid.triangles }));
  try {
    const united = await union(grown, progress, BATCH_SIZE);
    return isPlausible(united, grown) ? withOldPlaces(united, grown, solids) : undefined;
  } catch (thrown) {
    // The kernel refuses a solid that is closed by our test, but not an oriented manifold by its own.
    if (thrown instanceof ApiError) return undefined;
    throw thrown;
  }
}

/** The vertices moved outward along the mean normal of the facets at them, weighted by area. */
function grownVertices({ vertices, triangles }: Surface, growthMm: number): Float32Array {
  const normals = new Float64Array(vertices.length);
  for (let facet = 0; facet < triangles.length / 3; facet++) {
    const normal = facetNormal({ vertices, triangles }, facet);
    for (let corner = 3 * facet; corner < 3 * facet + 3; corner++) {
      for (let axis = 0; axis < 3; axis++) normals[3 * triangles[corner] + axis] += normal[axis];
    }
  }
  const grown = new Float32Array(vertices.length);
  for (let at = 0; at < vertices.length; at += 3) {
    const size = exactLength([normals[at], normals[at + 1], normals[at + 2]]);
    const scale = size > 0 ? growthMm / size : 0;
    for (let k = at; k < at + 3; k++) grown[k] = vertices[k] + scale * normals[k];
  }
  return grown;
}

function isPlausible(united: Surface, solids: readonly Surface[]): boolean {
  const volumeOf = ({ vertices, triangles }: Surface): number =>
    measureMesh(Float32Array.from(vertices), triangles).volumeMm3;
  const volumes = solids.map(volumeOf);
  const volume = volumeOf(united);
  const sum = volumes.reduce((total, one) => total + one, 0);
  return volume > (1 - VOLUME_SHARE) * Math.max(...volumes) && volume < (1 + VOLUME_SHARE) * sum;
}

/** The surface with each vertex of the grown solids back in its place in `solids`. */
function withOldPlaces(united: Surface, grown: readonly Surface[], solids: readonly Surface[]): Surface {
  const [from, to] = [concatenateSurfaces(grown).vertices, concatenateSurfaces(solids).vertices];
  const welder = new VertexWelder(from.length / 3);
  const indices = new Uint32Array(from.length / 3);
  welder.add(Float32Array.from(from), indices.length, indices, 0);
  const known = indices.reduce((most, index) => Math.max(most, index + 1), 0);
  const oldOf = new Int32Array(known).fill(NONE);
  indices.forEach((index, v) => {
    if (oldOf[index] === NONE) oldOf[index] = v;
  });
  const found = new Uint32Array(vertexCount(united));
  welder.add(Float32Array.from(united.vertices), found.length, found, 0);
  const vertices = Float32Array.from(united.vertices);
  found.forEach((index, v) => {
    if (index < known) vertices.set(to.subarray(3 * oldOf[index], 3 * oldOf[index] + 3), 3 * v);
  });
  return { vertices, triangles: united.triangles };
}

const NONE = -1;
